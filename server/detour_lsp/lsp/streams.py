"""Text that arrives in pieces: terminals, tasks, debug consoles, notebook cells, selections.

A run's pieces are read in order on a thread; what has piled up meanwhile is read at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.logs.incident import Incident
from detour_lsp.workspace.incidents import Source
from detour_lsp.workspace.projection import place, within

if TYPE_CHECKING:
    from detour_lsp.logs.scan import Stream
    from detour_lsp.lsp.server import DetourServer

_Placed = tuple[Incident, str | None, int]

#: Runs whose end is never told (a window that was closed) are dropped when there are more than this; the one that has
#: been silent for longest goes first.
MAX_RUNS = 64
#: Whoever clears waits so long at most for what is being read.
SETTLED_SECONDS = 2.0


@dataclass(slots=True)
class Run:
    """One execution of a command, or one output of a cell."""

    source: Source
    stream: Stream
    roots: list[Path]
    cell: str | None = None
    cells: Mapping[int, str] = field(default_factory=dict[int, str])
    pending: list[str] = field(default_factory=list[str])
    ended: bool = False
    busy: bool = False
    #: What reads it now, or has read it last.
    reading: asyncio.Task[None] | None = None


class Streams:
    """All runs that are being read."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._runs: dict[str, Run] = {}

    def run(self, key: str) -> Run | None:
        """The run of a key."""
        return self._runs.get(key)

    def begin(
        self,
        key: str,
        source: Source,
        *,
        folder: Path | None = None,
        cell: str | None = None,
        cells: Mapping[int, str] | None = None,
    ) -> Run:
        """Start a run: what the previous run of the same command, cell or text told ends now."""
        server = self._server
        assert server.scanner is not None
        roots = list(server.folders)
        # A terminal may stand in a folder below the workspace, or, with no folder open, be all there is.
        if folder is not None and (folder := within(folder, roots) if roots else folder):
            roots.insert(0, folder)
        while len(self._runs) >= MAX_RUNS:
            self._runs.pop(next(iter(self._runs)))
        run = Run(source, server.scanner.stream(source.name), roots, cell, cells or {})
        self._runs[key] = run
        server.publish(server.store.begin(source))
        return run

    def feed(self, key: str, run: Run, data: str) -> None:
        """Read a further piece of a run."""
        run.pending.append(data)
        if key in self._runs:
            self._runs[key] = self._runs.pop(key)
        self._pump(key, run)

    def end(self, key: str, run: Run) -> None:
        """The run is over: what is still unfinished is read as it is."""
        run.ended = True
        self._pump(key, run)

    def _pump(self, key: str, run: Run) -> None:
        if not run.busy:
            run.busy = True
            run.reading = self._server.spawn(self._read(key, run))

    async def settled(self) -> None:
        """Wait until what was printed so far has been read; not for long where it never ends."""
        reading = [run.reading for run in self._runs.values() if run.reading is not None and not run.reading.done()]
        if reading:
            await asyncio.wait(reading, timeout=SETTLED_SECONDS)

    async def _read(self, key: str, run: Run) -> None:
        server = self._server
        try:
            while run.pending or run.ended:
                data, ended = "".join(run.pending), run.ended
                run.pending.clear()

                def work(data: str = data, ended: bool = ended) -> tuple[list[_Placed], list[str]]:
                    incidents = run.stream.feed(data.encode("utf-8", "replace")) if data else []
                    if ended:
                        incidents = [*incidents, *run.stream.close()]
                    placed = [place(incident, run.roots, run.cells, run.cell) for incident in incidents]
                    return placed, run.stream.withdrawn()

                placed, withdrawn = await server.compute(work)
                changed = server.store.withdraw(run.source.identity, withdrawn)
                if placed or changed:
                    server.publish(changed | server.store.put(run.source, placed))
                if ended:
                    self._runs.pop(key, None)
                    return
        finally:
            run.busy = False
