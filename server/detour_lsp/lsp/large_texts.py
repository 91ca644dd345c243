"""What opening and editing a text of megabytes costs is paid before the message is handled, a bit at a time.

Finding half a million line starts, or copying 100 MB for one letter in the middle, would keep the event loop for longer
than anybody may wait for a hover.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from detour_lsp.lsp.greeting import member_at
from detour_lsp.lsp.text_document import SyncedDocument
from detour_lsp.workspace.document import Document

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: Texts from this size on keep the loop busy for more than a few milliseconds.
LARGE_CHARACTERS = 1_000_000


def edits_large(server: DetourServer, message: Any) -> bool:
    """Whether a message as it was decoded edits a large text, so that others should go ahead."""
    if member_at(message, "method") != types.TEXT_DOCUMENT_DID_CHANGE:
        return False
    return _large(server, member_at(message, "params.textDocument.uri")) is not None


async def prepare(server: DetourServer, message: Any) -> None:
    """Do beforehand what handling this message would take long for."""
    if isinstance(message, types.DidOpenTextDocumentNotification):
        await _opening(server, message.params.text_document.text)
    elif isinstance(message, types.DidChangeTextDocumentNotification):
        await _edit(server, message.params)


async def _opening(server: DetourServer, text: str) -> None:
    if len(text) > LARGE_CHARACTERS and server.protocol.has_workspace:
        server.documents.expect(await server.compute(lambda: Document(text)))


async def _edit(server: DetourServer, params: types.DidChangeTextDocumentParams) -> None:
    """Several edits at once are left as they are."""
    synced = _large(server, params.text_document.uri)
    if synced is None or len(params.content_changes) != 1:
        return
    change, document = params.content_changes[0], synced.document
    if not isinstance(change, types.TextDocumentContentChangePartial):
        document.prepare_all(await server.compute(lambda: Document(change.text)))
        return
    start, end = change.range.start, change.range.end
    first = document.offset(start.line, start.character, synced.encoding)
    last = document.offset(end.line, end.character, synced.encoding)
    if first < len(document.text):
        for _ in document.prepare(min(first, last), max(first, last), change.text):
            await asyncio.sleep(0)


def _large(server: DetourServer, uri: Any) -> SyncedDocument | None:
    """The open document of a URI, if its text is large."""
    if not server.protocol.has_workspace or not isinstance(uri, str):
        return None
    document = server.document(uri)
    return document if document is not None and len(document.document.text) > LARGE_CHARACTERS else None
