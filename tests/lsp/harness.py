"""Drives the real server process as an editor would, and fails on any message that the test did not expect."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
import uuid
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient
from pytest_lsp.protocol import LanguageClientProtocol

from .profiles import PROFILES, Profile

T = TypeVar("T")
#: The longest that anything is waited for; a loaded machine needs seconds where a quiet one needs milliseconds.
SECONDS = 20.0
SERVER_COMMAND = [sys.executable, "-m", "detour_lsp", "server", "--stdio"]


class Protocol(LanguageClientProtocol):
    """Notes every notification and request, of the server and of the client."""

    _server: Client

    def _handle_notification(self, method_name: str, params: Any) -> None:
        self._server.received.append((method_name, params))
        if method_name.startswith("detour/"):
            return
        super()._handle_notification(method_name, params)
        if method_name == types.PROGRESS and self._server.cancels_progress:
            self._server.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(params.token))

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        self._server.received.append((method_name, params))
        super()._handle_request(msg_id, method_name, params)

    def _send_data(self, data: Any) -> None:
        method = getattr(data, "method", None)
        if method is not None:
            params = getattr(data, "params", None)
            self._server.sent.add(params.command if method == types.WORKSPACE_EXECUTE_COMMAND else method)
        super()._send_data(data)


class Client(LanguageClient):
    """An editor."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(protocol_cls=Protocol)
        self.profile = profile
        self.received: list[tuple[str, Any]] = []
        #: Methods and commands that the client used.
        self.sent: set[str] = set()
        #: What the test expects beside what the profile does.
        self.expected: set[str] = set()
        #: Documents and files that the test knows to have something to show.
        self.known: set[str] = set()
        #: Patterns of the warnings that the test provokes.
        self.warnings: list[str] = []
        self.opened: dict[str, str] = {}
        self.edits: list[types.WorkspaceEdit] = []
        #: Whether somebody presses cancel as soon as there is a progress bar.
        self.cancels_progress = False
        self.folders: list[types.WorkspaceFolder] = []
        self.answered: types.InitializeResult | None = None
        #: What the server registered for since it was started.
        self.registered: dict[str, Any] = {}
        for name, feature in pytest_lsp.client.DEFAULT_CLIENT_FEATURES.items():
            self.feature(name)(feature)
        self.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda *_params: None)
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(_register)
        self.feature(types.WORKSPACE_APPLY_EDIT)(_apply_edit)

    async def start(self, root: Path, cache: Path, **params: Any) -> None:
        """Start a server and greet it."""
        env = {**os.environ, "DETOUR_CACHE_DIR": str(cache)}
        await self.start_io(*SERVER_COMMAND, env=env, cwd=str(root.parent))
        self.set_configuration({"detour": {}})
        if self.profile.capabilities.get("workspace", {}).get("workspaceFolders"):
            self.folders = self.folders or [types.WorkspaceFolder(root.as_uri(), root.name)]
        greeting = types.InitializeParams(
            capabilities=self.profile.parameters,
            root_uri=root.as_uri(),
            workspace_folders=self.folders or None,
            **params,
        )
        self.answered = await self.initialize_session(greeting)

    async def end(self) -> None:
        """Shut the server down by the book, and look at what it said."""
        await self.shutdown_session()
        await self.stop()
        self.check_messages()

    async def tidy(self) -> None:
        """Make the server as it was before the test, and look at what it said meanwhile."""
        for uri in list(self.opened):
            self.close(uri)
        await self.command("detour.clear")
        self._configuration.clear()
        self.set_configuration({"detour": {}})
        self.tell_settings()
        # What the server still had to do is done when it has answered twice.
        for _ in range(2):
            await self.ask("detour/card", {"record": "cuda/out-of-memory"})
        self.check_messages()

    def forget(self) -> None:
        """Begin a test."""
        for noted in (self.received, self.sent, self.expected, self.known, self.warnings, self.edits):
            noted.clear()
        self.log_messages.clear()
        self.diagnostics.clear()

    # -- documents

    def open(self, path: Path | str, text: str | None = None, language: str = "python", version: int = 1) -> str:
        """Open a file, or a document by its URI, and return its URI."""
        uri = path if isinstance(path, str) else path.as_uri()
        if text is None:
            assert isinstance(path, Path)
            text = path.read_bytes().decode("utf-8")
        self.known.add(uri)
        self.opened[uri] = text
        item = types.TextDocumentItem(uri, language, version, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, version: int, *changes: tuple[tuple[int, int, int, int], str] | str) -> None:
        """Edit a document: ranges with their new text, or a whole new text."""
        events: list[types.TextDocumentContentChangeEvent] = []
        for item in changes:
            if isinstance(item, str):
                events.append(types.TextDocumentContentChangeWholeDocument(item))
            else:
                (line, char, end_line, end_char), text = item
                where = types.Range(types.Position(line, char), types.Position(end_line, end_char))
                events.append(types.TextDocumentContentChangePartial(where, text))
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, events))

    def close(self, uri: str) -> None:
        """Close a document."""
        self.opened.pop(uri, None)
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    # -- what is shown

    async def findings(self, uri: str, wanted: int | None = None) -> list[types.Diagnostic]:
        """All diagnostics of a document, pulled and pushed, once there are `wanted` of them."""

        async def get() -> list[types.Diagnostic]:
            pushed = list(self.diagnostics.get(uri, []))
            return [*await self.pulled(uri), *pushed] if self.profile.pulls else pushed

        self.known.add(uri)
        return await self.until(get, lambda found: wanted is None or len(found) == wanted)

    async def pulled(self, uri: str) -> list[types.Diagnostic]:
        """What the server answers a client that pulls."""
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        report = await self.text_document_diagnostic_async(params)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        self.check_diagnostics(report.items)
        return list(report.items)

    async def pushed(self, uri: str, wanted: int) -> list[types.Diagnostic]:
        """What was pushed for a URI, once there are `wanted` diagnostics."""

        async def get() -> list[types.Diagnostic]:
            return list(self.diagnostics.get(uri, []))

        self.known.add(uri)
        return await self.until(get, lambda found: uri in self.diagnostics and len(found) == wanted)

    @staticmethod
    async def until(get: Callable[[], Awaitable[T]], good: Callable[[T], Any]) -> T:
        """What `get` answers, once it is good; fails with the last answer when it never is."""
        deadline = asyncio.get_running_loop().time() + SECONDS
        while True:
            found = await get()
            if good(found):
                return found
            assert asyncio.get_running_loop().time() < deadline, f"never as expected; last: {found}"
            await asyncio.sleep(0.02)

    async def hover(self, uri: str, line: int, character: int = 3) -> str | None:
        """The text of a hover, which has the kind that the profile must get."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await self.text_document_hover_async(params)
        if found is None:
            return None
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.kind.value == self.profile.hover
        return found.contents.value

    # -- settings, commands, our own messages

    def use_settings(self, settings: dict[str, Any]) -> None:
        """Give the server other settings, in the way in which this client does that."""
        self._configuration.clear()
        self.set_configuration({"detour": settings})
        self.tell_settings()

    def tell_settings(self) -> None:
        """Say that settings have changed: a client that lets itself be asked says only that."""
        told = None if self.profile.asked else {"detour": self.get_configuration(section="detour")}
        self.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=told))

    async def command(self, name: str, *arguments: Any) -> Any:
        """Have a command carried out."""
        return await self.workspace_execute_command_async(types.ExecuteCommandParams(name, list(arguments)))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send one of Detour's own notifications."""
        self.protocol.notify(method, params)

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send one of Detour's own requests."""
        return await self.protocol.send_request_async(method, params)

    def run_in_terminal(
        self,
        text: str,
        *,
        command: str = "python train.py",
        cwd: Path | None = None,
        run: str = "1",
        terminal: str = "t1",
        end: bool = True,
    ) -> None:
        """Show a text in a terminal as the output of a command, in pieces cut anywhere."""
        ids = {"terminalId": terminal, "executionId": run}
        for start in range(0, max(len(text), 1), 97):
            more = {"commandLine": command, "cwd": str(cwd) if cwd else None, "data": text[start : start + 97]}
            self.notify("detour/terminalData", {**ids, **more})
        if end:
            self.notify("detour/terminalEnd", {**ids, "exitCode": 1, "noData": False})

    async def cancelled(self, method: str, params: Any) -> int | None:
        """Send a request and take it back at once; the code of the error that it is answered with, if it is one."""
        number = str(uuid.uuid4())
        answer = asyncio.wrap_future(self.protocol.send_request(method, params, msg_id=number))
        self.cancel_request(types.CancelParams(number))
        try:
            await answer
        except JsonRpcException as error:
            return error.code
        return None

    # -- what was not expected

    def check_messages(self) -> None:
        """Fail on a message that the test did not expect: method, problems of files, error or warning in the log."""
        serious = (types.MessageType.Error, types.MessageType.Warning)
        logged = [message.message for message in self.log_messages if message.type in serious]
        logged = [text for text in logged if not any(re.search(pattern, text) for pattern in self.warnings)]
        assert not logged, f"logged, and no test expected it: {logged}"
        expected = self.profile.expected | self.expected
        surprising = [item for item in self.received if item[0] not in expected]
        assert not surprising, f"messages that no test expected: {surprising}"
        problems = [p for method, p in self.received if method == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]
        unknown = [params for params in problems if params.diagnostics and params.uri not in self.known]
        assert not unknown, f"problems of files that no test asked about: {unknown}"
        for params in problems:
            self.check_diagnostics(params.diagnostics)

    def check_diagnostics(self, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Fail on a problem that is told twice, stands nowhere, or has what this client cannot read."""
        profile = self.profile
        seen = [(item.code, item.message, str(item.range)) for item in diagnostics]
        assert len(seen) == len(set(seen)), f"told twice: {seen}"
        for item in diagnostics:
            start, end = item.range.start, item.range.end
            assert (start.line, start.character) <= (end.line, end.character), item
            assert item.source == "detour", item
            assert item.message, item
            assert profile.related or item.related_information is None, item
            assert profile.tags or item.tags is None, item
            assert profile.documented or item.code_description is None, item
            assert profile.data or item.data is None, item


def _register(client: Client, params: types.RegistrationParams) -> None:
    client.registered.update({item.method: item.register_options for item in params.registrations})


def _apply_edit(client: Client, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
    client.edits.append(params.edit)
    return types.ApplyWorkspaceEditResult(applied=True)


def make_client(profile: str = "vscode") -> Client:
    """A client of a profile."""
    return Client(PROFILES[profile])


@contextlib.asynccontextmanager
async def session(profile: str, root: Path, cache: Path, **params: Any):
    """A server of a test's own."""
    client = make_client(profile)
    await client.start(root, cache, **params)
    yield client
    await client.end()
