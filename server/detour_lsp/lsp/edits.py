"""Planned repairs as workspace edits: versioned for open documents, in the client's position encoding."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from detour_lsp.lsp.positions import offsets_range
from detour_lsp.source.apply import ApplyError, read_file
from detour_lsp.source.finding import FileEdit, TextEdit
from detour_lsp.workspace.document import Document

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def reader(server: DetourServer):
    """A function from target to text: the open document's text, else the file's; None where there is neither."""

    def read(target: str) -> str | None:
        document = server.document_of_target(target)
        if document is not None:
            return document.document.text
        try:
            return read_file(Path(target)).text
        except (ApplyError, OSError, ValueError):
            return None

    return read


def workspace_edit(server: DetourServer, files: Iterable[FileEdit]) -> types.WorkspaceEdit:
    """The edits of a repair as the client applies them."""
    changes: list[types.TextDocumentEdit] = []
    for file in files:
        uri = server.uri_of_target(file.path)
        open_document = server.document(uri)
        text = open_document.document if open_document else Document(reader(server)(file.path) or "")
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri=uri, version=open_document.version if open_document else None
        )
        edits = [_edit(server, edit, text) for edit in file.edits]
        changes.append(types.TextDocumentEdit(identifier, edits))
    if server.abilities.versioned_edits:
        return types.WorkspaceEdit(document_changes=changes)
    plain = {change.text_document.uri: [e for e in change.edits if isinstance(e, types.TextEdit)] for change in changes}
    return types.WorkspaceEdit(changes=plain)


def _edit(server: DetourServer, edit: TextEdit, document: Document) -> types.TextEdit:
    return types.TextEdit(offsets_range(edit.start, edit.end, document, server.documents.encoding), edit.text)
