"""Checks all Python files and notebooks and scans all logs of the workspace folders, with progress, until cancelled."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from detour_lsp.logs.files import scan_file
from detour_lsp.logs.inputs import logs_in
from detour_lsp.lsp import record_problems
from detour_lsp.lsp.uris import uri_of
from detour_lsp.source.apply import ApplyError, decode
from detour_lsp.source.check import Checker
from detour_lsp.source.discovery import SUFFIXES, python_files
from detour_lsp.source.finding import Finding
from detour_lsp.source.notebook import Notebook, NotebookError
from detour_lsp.workspace.incidents import Source
from detour_lsp.workspace.projection import place

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: Logs larger than this are followed by `detour/watchLog` instead of read here; code of this size is generated.
MAX_LOG_BYTES, MAX_CODE_BYTES = 500_000_000, 20_000_000


async def scan_workspace(server: DetourServer) -> dict[str, int]:
    """Read everything once; findings of files that are not open are published like those of open ones."""
    await server.ready()
    server.tell_status("scanning")
    try:
        return await _scan_all(server)
    finally:
        # Also when it was given up.
        record_problems.tell_status(server)


async def _scan_all(server: DetourServer) -> dict[str, int]:
    counts = {"files": 0, "findings": 0, "incidents": 0}
    async with _Progress(server, "Detour: scanning the workspace") as progress:
        code: list[tuple[Path, Path]] = []
        logs: list[Path] = []
        for folder in server.folders:
            found, read = await server.compute(lambda f=folder: (list(python_files([str(f)])), _logs(f)))
            code += [(folder, path) for path in found]
            logs += read
        counts["files"] = len({*logs, *(path for _, path in code)})
        total = max(len(code) + len(logs), 1)
        for number, (folder, path) in enumerate(code):
            if progress.cancelled:
                break
            progress.report(number, total, path)
            counts["findings"] += await _check(server, folder, path)
        for number, path in enumerate(logs, len(code)):
            if progress.cancelled:
                break
            progress.report(number, total, path)
            counts["incidents"] += await _scan(server, path)
    return counts


def _logs(folder: Path) -> list[Path]:
    """The logs of a folder; notebooks are among them, for the outputs that they keep."""
    logs: list[Path] = []
    for path in map(Path, logs_in(str(folder))):
        try:
            if path.stat().st_size <= MAX_LOG_BYTES:
                logs.append(path)
        except OSError:
            continue  # Went away, or is not ours to read: the rest of the workspace is still scanned.
    return logs


async def _check(server: DetourServer, folder: Path, path: Path) -> int:
    uri = uri_of(path)
    is_open = server.document(uri) is not None or server.documents.get_notebook_document(notebook_uri=uri) is not None
    if is_open or server.checkers is None:
        return 0
    checker = server.checkers.of(folder, path)
    findings = await server.compute(lambda: _findings(checker, path))
    if findings or server.unopened.get(str(path)):
        server.unopened[str(path)] = findings
        server.publish([str(path)])
    return len(server.unopened_findings(str(path)))


def _findings(checker: Checker, path: Path) -> list[Finding]:
    try:
        if path.suffix not in SUFFIXES or path.stat().st_size > MAX_CODE_BYTES:
            return []
        text = decode(path.read_bytes(), str(path)).text
        return (
            _of_notebook(checker, Notebook.parse(text), path)
            if path.suffix == ".ipynb"
            else checker.check(text, str(path))
        )
    except OSError:
        return []  # As above.
    except (ApplyError, NotebookError):
        return []  # In no encoding that it names, or no notebook: nobody could read it.


def _of_notebook(checker: Checker, notebook: Notebook, path: Path) -> list[Finding]:
    """The findings of a notebook file, on the lines of its JSON: those are the lines that the file has."""
    found: list[Finding] = []
    for finding in checker.check(notebook.text, str(path)):
        cell = notebook.cell_at(finding.start)
        if cell is None:
            continue
        number, line, _ = notebook.position(finding.start)
        first = notebook.json_text.count("\n", 0, cell.json_start) + 1
        # Jupyter writes a line of the source on each line of the JSON, behind that of the bracket.
        many = notebook.json_text.count("\n", cell.json_start, cell.json_end) >= line
        at = first + line if many else first
        message = f"cell {number + 1}, line {line}: {finding.message}"
        found.append(replace(finding, message=message, line=at, column=1, end_line=at, end_column=1000))
    return found


async def _scan(server: DetourServer, path: Path) -> int:
    scanner = server.scanner
    if scanner is None or server.document(uri_of(path)) is not None:
        return 0
    roots = server.folders
    placed = await server.compute(lambda: [place(item, roots) for item in scan_file(str(path), scanner).incidents])
    source = Source("log", path.name, str(path), uri_of(path))
    changed = server.store.begin(source) | server.store.put(source, placed)
    if changed:
        server.publish(changed)
    return len(placed)


class _Progress:
    """A progress bar in clients that have them."""

    #: It moves no more often than every so many files.
    STEP = 20

    def __init__(self, server: DetourServer, title: str) -> None:
        self._server = server
        self._title = title
        self._token: str | None = None

    async def __aenter__(self) -> _Progress:
        if self._server.abilities.progress:
            token = str(uuid.uuid4())
            await self._server.work_done_progress.create_async(token)  # pyright: ignore[reportUnknownMemberType]
            self._token = token
            begin = types.WorkDoneProgressBegin(title=self._title, cancellable=True, percentage=0)
            self._server.work_done_progress.begin(token, begin)
        return self

    @property
    def cancelled(self) -> bool:
        """Whether the person has pressed cancel."""
        return self._token is not None and self._tokens[self._token].cancelled()

    @property
    def _tokens(self) -> dict[Any, Any]:
        return self._server.work_done_progress.tokens  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

    def report(self, number: int, total: int, path: Path) -> None:
        """Show how far it is."""
        if self._token is not None and number % self.STEP == 0:
            report = types.WorkDoneProgressReport(percentage=100 * number // total, message=path.name)
            self._server.work_done_progress.report(self._token, report)

    async def __aexit__(self, *_exception: object) -> None:
        await asyncio.sleep(0)
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
            # pygls never forgets a token.
            self._tokens.pop(self._token, None)
