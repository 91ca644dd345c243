"""The server object: what every handler needs, and the start of each kind of work. State changes only on the loop."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
)
from pygls.lsp.server import LanguageServer

from detour_lsp.card.labels import Language, language_of
from detour_lsp.knowledge.compiled import CompiledKnowledge, open_knowledge
from detour_lsp.knowledge.problem import Problem
from detour_lsp.logs.scan import Scanner
from detour_lsp.lsp import record_problems
from detour_lsp.lsp.analysis import Analysis
from detour_lsp.lsp.capabilities import ClientAbilities
from detour_lsp.lsp.cards import Cards
from detour_lsp.lsp.followed import FollowedLogs
from detour_lsp.lsp.log_documents import LogDocuments
from detour_lsp.lsp.protocol import DetourProtocol
from detour_lsp.lsp.publishing import incident_list, publish
from detour_lsp.lsp.repairs import Repairs
from detour_lsp.lsp.streams import Streams
from detour_lsp.lsp.text_document import SyncedDocument, SyncedWorkspace
from detour_lsp.lsp.uris import path_of, same, uri_of
from detour_lsp.source import configuration
from detour_lsp.source.finding import Finding
from detour_lsp.version import __version__
from detour_lsp.workspace.incidents import Entry, IncidentStore
from detour_lsp.workspace.python_checks import Checkers
from detour_lsp.workspace.settings import Settings, SettingsByFolder

_log = logging.getLogger(__name__)
T = TypeVar("T")

#: Errors that a client makes: it is answered, and nobody else needs to hear of it.
_MISTAKES = (JsonRpcInvalidParams, JsonRpcInvalidRequest, JsonRpcMethodNotFound, JsonRpcParseError)


class DetourServer(LanguageServer):
    """pygls' server with Detour's state."""

    protocol: DetourProtocol  # pyright: ignore[reportIncompatibleVariableOverride] - it is made from `protocol_cls`

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - pygls leaves *args untyped
            "detour",
            __version__,
            protocol_cls=DetourProtocol,
        )
        self.abilities = ClientAbilities()
        self.settings = SettingsByFolder()
        self.locale: str | None = None
        self.store = IncidentStore(self.shows)
        self.knowledge: CompiledKnowledge | None = None
        self.scanner: Scanner | None = None
        self.checkers: Checkers | None = None
        # An executor of our own: pygls' pool also reads standard input, so long work there blocks every message.
        self.workers = ThreadPoolExecutor(2, thread_name_prefix="detour")
        self.analysis = Analysis(self)
        self.log_documents = LogDocuments(self)
        self.streams = Streams(self)
        self.followed = FollowedLogs(self)
        self.repairs = Repairs(self)
        self.cards = Cards(self)
        #: Findings of files that are not open, from a scan of the workspace, by target.
        self.unopened: dict[str, list[Finding]] = {}
        #: Whether the client asked for `detour/incidents` and `detour/status` (initializationOptions).
        self.tells_incidents = False
        #: What was wrong with records, by the path of their file.
        self.record_problems: dict[str, list[Problem]] = {}
        self._loading: asyncio.Task[None] | None = None
        self._ready: asyncio.Event = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._reported: set[str] = set()

    def run(self, serving: Coroutine[Any, Any, None]) -> int:
        """Serve one client until it says exit or is gone; the exit status."""
        try:
            asyncio.run(serving)
        except KeyboardInterrupt:
            return 130
        except SystemExit as end:
            # How pygls ends on `exit`: 0 after `shutdown`, 1 without.
            return int(end.code or 0)
        except ConnectionError:
            _log.warning("the client is gone")
        finally:
            self.shutdown()
        return 0

    def shutdown(self) -> None:
        """Let go of everything; called once, when the loop has ended."""
        self.followed.stop()
        self.workers.shutdown(wait=False, cancel_futures=True)
        super().shutdown()

    # -- knowledge

    def load_knowledge(self) -> None:
        """Start to load the records; handlers await `ready`. A load that is still going on is given up."""
        self._ready.clear()
        if self._loading is not None:
            self._loading.cancel()
        self._loading = self.spawn(self._load_knowledge())

    def reload_knowledge(self) -> None:
        """Load the records again, if they have been asked for at all."""
        if self._loading is not None:
            self.load_knowledge()

    async def _load_knowledge(self) -> None:
        paths = self._record_paths()
        try:
            knowledge = await self.compute(lambda: open_knowledge(paths, builtin=True))
        except Exception as error:
            self.tell_status("error", f"the records could not be loaded: {error}")
            if not paths:
                raise
            # Whatever is wrong with further records, Detour's own are there, and requests wait for them.
            self.complain(error)
            knowledge = await self.compute(lambda: open_knowledge(builtin=True))
        self.knowledge = knowledge
        self.scanner = Scanner(knowledge)
        self.use_settings()
        gone = self.store.keep(knowledge.records)
        self._ready.set()
        self.publish(gone)
        record_problems.tell(self, knowledge.problems)
        self.log_documents.refresh()

    async def files_changed(self) -> None:
        """Configuration, pins or records on disk are other ones: all that rests on them is done again."""
        self.load_knowledge()
        self.analysis.recheck()
        await self.ready()
        self.followed.follow_patterns()
        self.publish_all()
        await self.refresh_diagnostics()

    def use_settings(self) -> None:
        """Make checkers for the settings and records as they are now."""
        self.repairs.forget()
        self.cards.forget()
        if self.knowledge is not None:
            self.checkers = Checkers(self.knowledge, self.settings)

    def _record_paths(self) -> list[str]:
        """The further records that settings and the `pyproject.toml` of the workspace folders name."""
        named = [(path, [folder]) for folder, settings in self.settings.folders.items() for path in settings.knowledge]
        named += [(path, self.folders) for path in self.settings.general.knowledge]
        # What is no path in a workspace folder is one in itself, or the name of a package.
        inside = [[str(folder / path) for folder in folders] for path, folders in named]
        paths = [next(filter(os.path.exists, own), path) for own, (path, _) in zip(inside, named, strict=True)]
        for folder in self.folders:
            try:
                paths += configuration.load(folder).knowledge
            except configuration.ConfigurationError as error:
                for problem in error.problems:
                    self.log(f"{error.file}: {problem}", types.MessageType.Warning)
        return list(dict.fromkeys(paths))

    async def ready(self) -> CompiledKnowledge:
        """The knowledge, once it is loaded."""
        await self._ready.wait()
        assert self.knowledge is not None
        return self.knowledge

    # -- documents and folders

    @property
    def documents(self) -> SyncedWorkspace:
        """The open documents."""
        workspace = self.workspace
        assert isinstance(workspace, SyncedWorkspace)
        return workspace

    def document(self, uri: str) -> SyncedDocument | None:
        """The open document of a URI, or None."""
        return self.documents.open_document(uri)

    def document_of_target(self, target: str) -> SyncedDocument | None:
        """The open document of a target: a path, or a URI."""
        return self.document(target if ":" in target[2:] else uri_of(target))

    def uri_of_target(self, target: str) -> str:
        """The URI of a target in the spelling of the client that has it open."""
        if ":" in target[2:]:
            return target
        document = self.document(uri_of(target))
        return document.uri if document else uri_of(target)

    def target_of(self, uri: str) -> str:
        """What the incident store calls the file of a URI: its path where it has one."""
        path = path_of(uri)
        return str(path) if path else same(uri)

    @property
    def folders(self) -> list[Path]:
        """The workspace folders that have a path."""
        workspace = self.documents
        paths = [path_of(folder.uri) for folder in workspace.folders.values()]
        if not paths and workspace.root_uri:
            paths = [path_of(workspace.root_uri)]
        return [path for path in paths if path is not None]

    def folder_of(self, path: Path | None) -> Path | None:
        """The innermost workspace folder around a path."""
        around = [folder for folder in self.folders if path is not None and path.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=None)

    def torch_of(self, uri: str) -> str | None:
        """The torch version that the code of a URI runs on, as far as it can be known without running anything."""
        home = self.home_of(uri)
        return self.checkers.torch(self.folder_of(home), home) if self.checkers else None

    def home_of(self, uri: str) -> Path | None:
        """The path that decides whose settings and configuration count: of a cell it is its notebook's."""
        notebook = self.documents.get_notebook_document(cell_uri=uri)
        return path_of(notebook.uri if notebook is not None else uri)

    def settings_of(self, uri: str) -> Settings:
        """The settings that count for a document."""
        return self.settings.of(self.folder_of(self.home_of(uri)))

    def shows(self, entry: Entry) -> bool:
        """Whether an incident is wanted where it stands: on code, else in its log."""
        uri = self.uri_of_target(entry.target) if entry.target else entry.source.uri
        home = self.home_of(uri) if uri else None
        return self.checkers is None or not self.checkers.ignores(self.folder_of(home), home, entry.incident.record)

    def unopened_findings(self, target: str) -> list[Finding]:
        """The findings of a file that is not open: those that a scan of the workspace left and settings let through."""
        found, path = self.unopened.get(target), Path(target)
        if not found or self.checkers is None:
            return []
        return self.checkers.wanted(self.folder_of(path), path, target, found)

    @property
    def language(self) -> Language:
        """The language of cards: the setting, else the editor's."""
        return self.settings.general.language or language_of(self.locale)

    # -- work

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a coroutine beside the handlers; an error in it is logged and ends nothing else."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.complain(error)

    async def compute(self, work: Callable[[], T]) -> T:
        """Run something long on a thread of our own."""
        return await asyncio.get_running_loop().run_in_executor(self.workers, work)

    # -- messages

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write to the client's output channel."""
        self.window_log_message(types.LogMessageParams(kind, message))

    def complain(self, error: BaseException) -> None:
        """Log an unexpected error, and show it once: a crash of one feature ends neither the server nor patience."""
        text = f"{type(error).__name__}: {error}"
        self.log(f"internal error: {text}", types.MessageType.Error)
        if text not in self._reported:
            self._reported.add(text)
            # Once: a client that never reads standard error must not be stalled by tracebacks in a full pipe.
            _log.error("unexpected error", exc_info=error)
            message = f"Detour: internal error ({text}). See the output channel; everything else goes on."
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002 - pygls' signature
        """pygls calls this for errors in handlers, and for messages that are the client's mistake: those are noted."""
        if isinstance(error, _MISTAKES):
            self.log(f"the client sent what cannot be used: {error}", types.MessageType.Warning)
        else:
            self.complain(error)

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send one of our own notifications."""
        self.protocol.notify(method, params)

    def publish(self, names: Iterable[str]) -> None:
        """Publish the diagnostics of targets or URIs again, and the list of incidents."""
        publish(self, names)

    def publish_all(self) -> None:
        """Publish all that was told of incidents and of files that are not open: which of it is wanted has changed."""
        self.publish(
            {*self.unopened, *(name for entry in self.store for name in (entry.target, entry.source.uri) if name)}
        )

    def tell_incidents(self) -> None:
        """Send the list of living incidents to a client that asked for it."""
        if self.tells_incidents and self.knowledge is not None:
            self.tell("detour/incidents", {"incidents": incident_list(self)})

    def tell_status(self, state: str, message: str = "") -> None:
        """Send what the server is doing to a client that asked for it: `ready`, `scanning` or `error`."""
        if self.tells_incidents:
            count = len(self.knowledge.records) if self.knowledge else 0
            self.tell("detour/status", {"state": state, "records": count, "message": message})

    async def refresh_code_lens(self) -> None:
        """Ask the client to fetch code lenses again."""
        if self.abilities.refresh_code_lens:
            await asyncio.shield(self.workspace_code_lens_refresh_async(None))

    async def refresh_diagnostics(self) -> None:
        """Ask a client that pulls to pull again: something other than its own edits has changed."""
        if self.abilities.pull_diagnostics:
            await asyncio.shield(self.workspace_diagnostic_refresh_async(None))
