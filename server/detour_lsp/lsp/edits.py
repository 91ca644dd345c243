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


class Texts:
    """The texts that a repair is planned on: of open documents, else of files. Each is read once."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._read: dict[str, str | None] = {}

    def read(self, target: str) -> str | None:
        """The text of a target; None where there is neither document nor file."""
        if target not in self._read:
            document = self._server.document_of_target(target)
            self._read[target] = document.document.text if document is not None else _on_disk(target)
        return self._read[target]

    def are_current(self) -> bool:
        """Whether the documents still say what was read. If not, the places of a repair are those of an older text."""
        documents = {target: self._server.document_of_target(target) for target in self._read}
        return all(document is None or document.document.text is self._read[t] for t, document in documents.items())


def _on_disk(target: str) -> str | None:
    try:
        return read_file(Path(target)).text
    except (ApplyError, OSError, ValueError):
        return None


def workspace_edit(server: DetourServer, files: Iterable[FileEdit]) -> types.WorkspaceEdit:
    """The edits of a repair as the client applies them."""
    changes: list[types.TextDocumentEdit] = []
    for file in files:
        uri = server.uri_of_target(file.path)
        open_document = server.document(uri)
        text = open_document.document if open_document else Document(_on_disk(file.path) or "")
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
