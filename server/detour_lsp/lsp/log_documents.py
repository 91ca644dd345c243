"""Scans open documents that look like logs, slice by slice, a moment after the last edit."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from detour_lsp.logs.incident import Incident
from detour_lsp.lsp.document_kinds import is_log
from detour_lsp.lsp.text_document import SyncedDocument
from detour_lsp.lsp.uris import path_of, same
from detour_lsp.workspace.incidents import Source
from detour_lsp.workspace.projection import place

if TYPE_CHECKING:
    from detour_lsp.logs.scan import Scanner, Stream
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
        #: With which records each was read; None for one that is not wanted.
        self._read_with: dict[str, Scanner | None] = {}

    def opened(self, uri: str) -> None:
        """Scan a document at once."""
        self._start(uri, 0.0)

    def changed(self, uri: str, size: int) -> None:
        """Scan a document when its edits pause."""
        self._start(uri, DELAY + DELAY_PER_MEGABYTE * size / 1_000_000)

    def closed(self, uri: str) -> None:
        """Forget a document and what it told; a log that is followed on disk as well is told from there again."""
        key = same(uri)
        self._read_with.pop(key, None)
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()
        self._end(uri)

    def refresh(self) -> None:
        """Read the open logs again for which other records count now, or of which a setting says otherwise."""
        for document in list(self._server.documents.text_documents.values()):
            if isinstance(document, SyncedDocument) and is_log(document):
                reader = self._server.scanner if self.wanted(document) else None
                if self._read_with.get(same(document.uri), reader) is not reader:
                    self._start(document.uri, 0.0)

    def wanted(self, document: SyncedDocument) -> bool:
        """Whether an open document is read as a log."""
        return is_log(document) and self._server.settings_of(document.uri).scan_documents

    def _end(self, uri: str) -> None:
        server, target = self._server, self._server.target_of(uri)
        server.publish(server.store.clear_source(target) | server.followed.told_again(target))

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
        if document is None or scanner is None:
            return
        wanted = self.wanted(document)
        self._read_with[same(uri)] = scanner if wanted else None
        if not wanted:
            self._end(uri)
            return
        version = document.version
        path = path_of(uri)
        roots = server.folders or ([path.parent] if path else [])
        stream = scanner.stream(str(path or uri))

        def stale() -> bool:
            return server.document(uri) is not document or document.version != version

        def work() -> list[tuple[Incident, str | None, int]]:
            stream.close()
            return [place(incident, roots) for incident in stream.incidents()]

        # Slice by slice, and the whole text is held by nobody: an edit would otherwise have to copy all of it.
        for start in range(0, len(document.document.text), SLICE_CHARACTERS):
            piece = document.document.text[start : start + SLICE_CHARACTERS]
            await server.compute(partial(_feed, stream, piece))
            if stale():
                return
        placed = await server.compute(work)
        if stale():
            return
        source = Source("log", PurePosixPath(document.uri).name, server.target_of(uri), document.uri)
        before = server.store.begin(source)
        after = server.store.put(source, placed)
        server.publish({*before, *after, uri})
        await server.refresh_code_lens()


def _feed(stream: Stream, piece: str) -> None:
    stream.feed(piece.encode("utf-8", "replace"), told=False)
