"""Checks every Python file and scans every log of the workspace folders, with progress, and can be cancelled."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from detour_lsp.logs.incident import Incident
from detour_lsp.logs.inputs import logs_in
from detour_lsp.logs.scan import Scanner
from detour_lsp.lsp.uris import uri_of
from detour_lsp.source.apply import ApplyError, decode
from detour_lsp.source.check import Checker
from detour_lsp.source.discovery import python_files
from detour_lsp.source.finding import Finding
from detour_lsp.workspace.incidents import Source
from detour_lsp.workspace.projection import place

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: Logs larger than this are followed by `detour/watchLog` instead of read here.
MAX_LOG_BYTES = 500_000_000


async def scan_workspace(server: DetourServer) -> dict[str, int]:
    """Read everything once; findings of files that are not open are published like those of open ones."""
    await server.ready()
    server.tell_status("scanning")
    files = [(folder, path) for folder in server.folders for path in await server.compute(lambda f=folder: _files(f))]
    counts = {"files": len(files), "findings": 0, "incidents": 0}
    async with _Progress(server, "Detour: scanning the workspace") as progress:
        for number, (folder, path) in enumerate(files):
            if progress.cancelled:
                break
            if number % 20 == 0:
                progress.report(100 * number // max(len(files), 1), path.name)
            if path.suffix in (".py", ".pyi"):
                counts["findings"] += await _check(server, folder, path)
            else:
                counts["incidents"] += await _scan(server, path)
    server.tell_status("ready")
    return counts


def _files(folder: Path) -> list[Path]:
    logs = [Path(name) for name in logs_in(str(folder))]
    # Notebooks are checked by cell when they are opened; as files they would be JSON.
    code = [path for path in map(Path, python_files([str(folder)])) if path.suffix != ".ipynb"]
    return [*code, *(log for log in logs if log.stat().st_size <= MAX_LOG_BYTES)]


async def _check(server: DetourServer, folder: Path, path: Path) -> int:
    if server.document(uri_of(path)) is not None or server.checkers is None:
        return 0
    checker = server.checkers.of(folder)
    findings = await server.compute(lambda: _findings(checker, path))
    if findings or server.unopened.get(str(path)):
        server.unopened[str(path)] = findings
        server.publish([str(path)])
    return len(findings)


def _findings(checker: Checker, path: Path) -> list[Finding]:
    try:
        data = path.read_bytes()
    except OSError:
        return []  # Went away, or is not ours to read: the rest of the workspace is still scanned.
    if not checker.may_have_findings(data):
        return []
    try:
        return checker.check(decode(data, str(path)).text, str(path))
    except ApplyError:
        return []  # In no encoding that it names: nobody could read it.


async def _scan(server: DetourServer, path: Path) -> int:
    scanner = server.scanner
    if scanner is None or server.document(uri_of(path)) is not None:
        return 0
    roots = server.folders
    placed = await server.compute(lambda: [place(incident, roots) for incident in _incidents(scanner, path)])
    source = Source("log", path.name, str(path), uri_of(path))
    changed = server.store.begin(source) | server.store.put(source, placed)
    if changed:
        server.publish(changed)
    return len(placed)


def _incidents(scanner: Scanner, path: Path) -> list[Incident]:
    stream = scanner.stream(str(path))
    try:
        with path.open("rb") as file:
            while data := file.read(4_000_000):
                stream.feed(data)
    except OSError:
        return []  # As above.
    stream.close()
    return stream.incidents()


class _Progress:
    """A progress bar in clients that have them."""

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

    def report(self, percentage: int, message: str) -> None:
        """Show how far it is."""
        if self._token is not None:
            report = types.WorkDoneProgressReport(percentage=percentage, message=message)
            self._server.work_done_progress.report(self._token, report)

    async def __aexit__(self, *_exception: object) -> None:
        await asyncio.sleep(0)
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
            # pygls never forgets a token.
            self._tokens.pop(self._token, None)
