"""What can be done about the findings and incidents of this session, as planned repairs.

A repair is planned on a thread. When a document has changed meanwhile it is planned again: what is handed out always
fits the texts as they are, since its edits name their version. Editors ask at each move of the cursor, so what was
planned for a finding is kept until its document changes.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.lsp.edits import Texts
from detour_lsp.lsp.frame_files import locate
from detour_lsp.source.discovery import python_files
from detour_lsp.source.finding import Finding, PlannedRepair
from detour_lsp.source.names import Module
from detour_lsp.source.repair import Place, plan
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: A repair looks into so many files of a workspace folder at most; which there are is looked up again after so long.
MAX_FILES, FILES_SECONDS = 2_000, 10.0
#: Findings whose repairs are kept: those of the lines between which somebody moves.
MAX_KEPT = 64
#: So often a repair is planned while somebody types; then it is not offered this time.
ATTEMPTS = 3
#: Texts up to this size are planned on the loop: handing them to a thread takes longer.
QUICK_CHARACTERS = 20_000


class Repairs:
    """Plans repairs for findings and incidents."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._kept: dict[tuple[object, ...], list[PlannedRepair]] = {}
        self._files: dict[Path, tuple[float, list[str]]] = {}

    def forget(self) -> None:
        """Records or settings have changed."""
        self._kept.clear()

    async def of_finding(self, uri: str, finding: Finding) -> list[PlannedRepair]:
        """The repairs of a finding, best first; those that do not fit last, with the reason."""
        analysis = self._server.analysis
        for _ in range(ATTEMPTS):
            current, checked = await analysis.current(uri, finding.fingerprint), analysis.checked(uri)
            if current is None:
                break
            texts = Texts(self._server)
            planned = await self._plan_finding(uri, current, texts)
            if texts.are_current() and analysis.checked(uri) is checked and analysis.is_current(uri):
                return planned
        return []

    async def _plan_finding(self, uri: str, finding: Finding, texts: Texts) -> list[PlannedRepair]:
        server = self._server
        document = server.document(uri)
        if document is None or server.knowledge is None:
            return []
        text, torch, language = document.document.text, server.torch_of(uri), server.language
        target, state, place = server.target_of(uri), server.analysis.state(uri), finding
        notebook = server.analysis.notebooks.checked(uri)
        if notebook is not None:
            # Planned where the names of the cell are known: on the whole text.
            text, target, state = notebook.whole.text, notebook.path, notebook.state
            found = (item for item in state.findings if item.fingerprint == finding.fingerprint)
            place = next(found, None)
            if place is None:
                return []
        key = (uri, document.version, hash(text), finding.fingerprint, torch, language)
        if key in self._kept:
            return self._kept[key]
        record = server.knowledge.records[finding.record]
        # Checking has parsed the text already, if it got to that.
        tree = state.tree if state is not None and state.text == text else None

        def work() -> list[PlannedRepair]:
            return plan(
                record,
                text=text,
                module=Module(text, target, tree),
                path=target,
                finding=place,
                torch=torch,
                read=texts.read,
                language=language,
            )

        planned = await self._planned(len(text), work)
        if notebook is not None:
            in_cells = [notebook.whole.in_cells(repair, notebook.path, server) for repair in planned]
            planned = [repair for repair in in_cells if repair is not None]
        while len(self._kept) >= MAX_KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[key] = planned
        return planned

    async def of_incident(self, entry: Entry) -> list[PlannedRepair]:
        """The repairs of an incident, best first; those that do not fit last, with the reason."""
        for _ in range(ATTEMPTS):
            texts = Texts(self._server)
            planned = await self._plan_incident(entry, texts)
            if texts.are_current():
                return planned
        return []

    async def _plan_incident(self, entry: Entry, texts: Texts) -> list[PlannedRepair]:
        server = self._server
        incident, frame, target = entry.incident, entry.incident.user_frame, entry.target
        if server.knowledge is None or target is None or frame is None:
            return []
        record, language = server.knowledge.records[incident.record], server.language
        torch = incident.torch_version or server.torch_of(server.uri_of_target(target))
        if server.document_of_target(target) is not None:
            # Now, together with the line: on the thread it may be a later text.
            texts.read(target)
        where = Place(target, entry.line + 1, frame.function, entry.text or None)

        def work() -> list[PlannedRepair]:
            text = texts.read(target)
            if text is None:
                return []
            return plan(
                record,
                text=text,
                path=target,
                incident_place=where,
                captures=incident.captures,
                torch=torch,
                read=texts.read,
                files=self._python_files(target),
                near=self._near(entry),
                message=incident.message,
                signature=incident.signature,
                language=language,
            )

        # It reads files: never on the loop.
        return await server.compute(work)

    async def _planned(self, size: int, work: Callable[[], list[PlannedRepair]]) -> list[PlannedRepair]:
        return work() if size <= QUICK_CHARACTERS else await self._server.compute(work)

    def _python_files(self, target: str) -> list[str]:
        """The Python files that a repair of a target may look into: those of its workspace folder."""
        path = Path(target)
        folder = self._server.folder_of(path if path.is_absolute() else None)
        if folder is None:
            return []
        at, files = self._files.get(folder, (float("-inf"), []))
        if time.monotonic() - at > FILES_SECONDS:
            files = [str(path) for path in itertools.islice(python_files([str(folder)]), MAX_FILES)]
            self._files[folder] = (time.monotonic(), files)
        return files

    def _near(self, entry: Entry) -> list[str]:
        """The other files of the workspace that the traceback passes through, the deepest first."""
        found: dict[str, None] = {}
        for frame in reversed(entry.incident.frames):
            place = locate(self._server, entry.incident, frame) if frame.user else None
            if place is not None:
                found[str(place[0])] = None
        found.pop(entry.target or "", None)
        return list(found)
