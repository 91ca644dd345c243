"""Checks open notebooks as a whole: their cells share their names, so an import in one counts in all.

What is found is told cell by cell, in the cell's own lines and offsets; a repair is planned on the whole text and its
edits go to the cells that they touch, which may be others than the one of the finding.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lsprotocol import types

from detour_lsp.lsp.uris import same
from detour_lsp.source.finding import FileEdit, Finding, PlannedRepair, TextEdit
from detour_lsp.source.notebook import is_python_cell
from detour_lsp.source.parsing import Lines

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer
    from detour_lsp.source.check import State

#: Texts longer than this are checked on a thread: unlike those of files, they are read afresh after each edit.
QUICK_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell and where its text stands in the text of its notebook."""

    uri: str
    start: int
    end: int
    #: Lines of the notebook's text above it.
    above: int


@dataclass(frozen=True, slots=True)
class NotebookText:
    """The Python cells of a notebook, one below the other."""

    text: str
    cells: tuple[Cell, ...]

    def cell(self, uri: str) -> Cell | None:
        """The cell of a URI."""
        return next((cell for cell in self.cells if same(cell.uri) == same(uri)), None)

    def findings(self, cell: Cell, found: Sequence[Finding]) -> list[Finding]:
        """The findings of a cell, counted in the cell."""
        return [
            replace(
                finding,
                start=finding.start - cell.start,
                end=finding.end - cell.start,
                line=finding.line - cell.above,
                end_line=finding.end_line - cell.above,
            )
            for finding in found
            if cell.start <= finding.start and finding.end <= cell.end
        ]

    def in_cells(self, repair: PlannedRepair, path: str, server: DetourServer) -> PlannedRepair | None:
        """A repair that was planned on the whole text, as edits of cells; None for one that reaches over their ends."""
        files = [file for file in repair.files if file.path != path]
        by_cell: dict[str, list[TextEdit]] = {}
        for file in repair.files:
            for edit in file.edits if file.path == path else ():
                # The last line of a cell has no line end of its own.
                cell = next((c for c in self.cells if c.start <= edit.start <= c.end and edit.end <= c.end + 1), None)
                if cell is None:
                    return None
                moved = TextEdit(edit.start - cell.start, min(edit.end, cell.end) - cell.start, edit.text)
                by_cell.setdefault(server.target_of(cell.uri), []).append(moved)
        return replace(repair, files=(*files, *(FileEdit(target, tuple(edits)) for target, edits in by_cell.items())))


@dataclass(frozen=True, slots=True)
class Checked:
    """A notebook that was checked."""

    #: What a plan calls the notebook's text.
    path: str
    whole: NotebookText
    state: State


class NotebookChecks:
    """The findings of the open notebooks."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._checked: dict[str, Checked] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        #: The cells that were edited since the last check: their clients ask for them anyway.
        self._edited: dict[str, set[str]] = {}

    def notebook_of(self, uri: str) -> types.NotebookDocument | None:
        """The open notebook that a cell is in."""
        return self._server.documents.get_notebook_document(cell_uri=uri)

    def checked(self, uri: str) -> Checked | None:
        """The notebook of a cell as last checked."""
        notebook = self.notebook_of(uri)
        return self._checked.get(same(notebook.uri)) if notebook is not None else None

    def findings(self, uri: str) -> list[Finding]:
        """The findings of a cell as last checked."""
        checked = self.checked(uri)
        cell = checked.whole.cell(uri) if checked is not None else None
        return checked.whole.findings(cell, checked.state.findings) if checked is not None and cell is not None else []

    def is_current(self, notebook: types.NotebookDocument) -> bool:
        """Whether what is known of a notebook is about the text that its cells have now."""
        checked = self._checked.get(same(notebook.uri))
        return checked is not None and checked.whole == self._text(notebook)

    async def settled(self, notebook: types.NotebookDocument) -> None:
        """Wait until the notebook's last edit has been checked."""
        task = self._tasks.get(same(notebook.uri))
        if task is not None and not task.done():
            await asyncio.shield(task)

    def changed(self, notebook: types.NotebookDocument, cell: str | None = None) -> None:
        """A cell was edited, or cells came, went or moved: check the notebook soon, one check at a time."""
        key = same(notebook.uri)
        if cell is not None:
            self._edited.setdefault(key, set()).add(same(cell))
        task = self._tasks.get(key)
        if task is None or task.done():
            self._tasks[key] = self._server.spawn(self._check(notebook.uri))

    def closed(self, uri: str) -> None:
        """Forget a notebook."""
        key = same(uri)
        self._checked.pop(key, None)
        self._edited.pop(key, None)
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    async def _check(self, uri: str) -> None:
        server, key = self._server, same(uri)
        await server.ready()
        before = self._checked.get(key)
        while True:
            notebook = server.documents.get_notebook_document(notebook_uri=uri)
            if notebook is None:
                return
            if debounce := server.settings_of(notebook.uri).debounce:
                await asyncio.sleep(debounce / 1000)
            whole, checkers = self._text(notebook), server.checkers
            await self._check_once(key, notebook, whole)
            if server.documents.get_notebook_document(notebook_uri=uri) is not notebook:
                self._checked.pop(key, None)
                return
            if self._text(notebook).text == whole.text and server.checkers is checkers:
                break
        edited = self._edited.pop(key, set[str]())
        if not server.abilities.pull_diagnostics:
            server.publish(cell.uri for cell in whole.cells)
        elif _shown(before, edited) != _shown(self._checked.get(key), edited):
            # The client pulls for the cell that was edited alone.
            await server.refresh_diagnostics()

    async def _check_once(self, key: str, notebook: types.NotebookDocument, whole: NotebookText) -> None:
        server = self._server
        if not server.settings_of(notebook.uri).check_enabled:
            self._checked.pop(key, None)
            return
        assert server.checkers is not None
        home = server.home_of(notebook.uri)
        checker, path = server.checkers.of(server.folder_of(home), home), server.target_of(notebook.uri)

        def work() -> State:
            return checker.start(whole.text, path)

        state = work() if len(whole.text) <= QUICK_CHARACTERS else await server.compute(work)
        self._checked[key] = Checked(path, whole, state)

    def _text(self, notebook: types.NotebookDocument) -> NotebookText:
        cells: list[Cell] = []
        parts: list[str] = []
        position = above = 0
        for item in notebook.cells:
            document = self._server.document(item.document)
            text = document.document.text if document is not None else ""
            if item.kind != types.NotebookCellKind.Code or document is None or not is_python_cell(text):
                continue
            cells.append(Cell(item.document, position, position + len(text), above))
            ended = text if re.search(r"[\r\n]\Z", text) else f"{text}\n"
            parts.append(ended)
            position += len(ended)
            above += len(Lines(ended).starts) - 1
        return NotebookText("".join(parts), tuple(cells))


def _shown(checked: Checked | None, without: set[str]) -> dict[str, list[Finding]]:
    """What is found in the cells that have something, but for some of them."""
    found: dict[str, list[Finding]] = {}
    for cell in checked.whole.cells if checked is not None else ():
        findings = checked.whole.findings(cell, checked.state.findings) if checked is not None else []
        if findings and same(cell.uri) not in without:
            found[cell.uri] = findings
    return found
