"""Scans open documents that look like logs, on snapshots, a moment after the last edit."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from detour_lsp.logs.incident import Incident
from detour_lsp.lsp.uris import path_of, same
from detour_lsp.workspace.incidents import Source
from detour_lsp.workspace.projection import place

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: Seconds after an edit until the document is scanned again; more for large ones.
DELAY, DELAY_PER_MEGABYTE = 0.1, 0.05
#: So much is scanned at once.
SLICE_CHARACTERS = 1_000_000


class LogDocuments:
    """The open logs."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._scanned: dict[str, int | None] = {}

    def opened(self, uri: str) -> None:
        """Scan a document at once."""
        self._start(uri, 0.0)

    def changed(self, uri: str, size: int) -> None:
        """Scan a document when its edits pause."""
        self._start(uri, DELAY + DELAY_PER_MEGABYTE * size / 1_000_000)

    def closed(self, uri: str) -> None:
        """Forget a document; what it told stays until the log is followed, scanned or cleared again."""
        task = self._tasks.pop(same(uri), None)
        if task is not None:
            task.cancel()
        self._server.publish(self._server.store.clear_source(self._server.target_of(uri)))

    def _start(self, uri: str, delay: float) -> None:
        key = same(uri)
        old = self._tasks.get(key)
        if old is not None:
            old.cancel()
        self._tasks[key] = self._server.spawn(self._scan(uri, delay))

    async def _scan(self, uri: str, delay: float) -> None:
        server = self._server
        await server.ready()
        await asyncio.sleep(delay)
        document = server.document(uri)
        scanner = server.scanner
        if document is None or scanner is None or not server.settings_of(uri).scan_documents:
            return
        text, version = document.document.text, document.version
        path = path_of(uri)
        name = str(path or uri)
        roots = server.folders or ([path.parent] if path else [])

        def work() -> list[tuple[Incident, str | None, int]]:
            stream = scanner.stream(name)
            # In slices: encoding all of it at once would keep the loop waiting, and a scan that is stale is given up.
            for start in range(0, len(text), SLICE_CHARACTERS):
                if stale():
                    return []
                stream.feed(text[start : start + SLICE_CHARACTERS].encode("utf-8", "replace"), told=False)
            stream.close()
            return [place(incident, roots) for incident in stream.incidents()]

        def stale() -> bool:
            return server.document(uri) is not document or document.version != version

        placed = await server.compute(work)
        if stale():
            return
        source = Source("log", PurePosixPath(document.uri).name, server.target_of(uri), document.uri)
        before = server.store.begin(source)
        after = server.store.put(source, placed)
        server.publish({*before, *after, uri})
        await server.refresh_code_lens()
