"""pygls' document and workspace with our own text storage.

pygls splits lines with `str.splitlines()`, which takes form feeds and U+2028 for line ends and so corrupts the server's
copy at the next edit (PYGLS.md); `workspace.document.Document` does it as LSP says, and incrementally.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from detour_lsp.workspace.document import Change, Document, Encoding


class SyncedDocument(TextDocument):
    """A document that the client has open; `changes` collects what the last didChange did."""

    def __init__(self, uri: str, document: Document, encoding: Encoding, version: int | None, language: str | None):
        super().__init__(uri, source=None, version=version, language_id=language)
        self.document = document
        self.encoding: Encoding = encoding
        self.changes: list[Change] = []

    @property
    def source(self) -> str:
        """The whole text."""
        return self.document.text

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their line ends; for pygls' own helpers, which the server does not use."""
        document = self.document
        return [
            document.text[document.line_start(line) : document.line_start(line + 1)]
            for line in range(document.line_count)
        ]

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply one change, with or without a range."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            done = self.document.replace(
                (start.line, start.character), (end.line, end.character), change.text, self.encoding
            )
        else:
            done = self.document.replace_all(change.text)
        self.changes.append(done)

    def take_changes(self) -> list[Change]:
        """The changes since the last call."""
        taken, self.changes = self.changes, []
        return taken


class SyncedWorkspace(Workspace):
    """pygls' workspace, making our documents."""

    _expected: Document | None = None

    def expect(self, document: Document) -> None:
        """Use this document when one with the same text is opened next."""
        self._expected = document

    @classmethod
    def replacing(cls, workspace: Workspace, params: types.InitializeParams) -> SyncedWorkspace:
        """A workspace like the one that pygls has just made for `initialize`."""
        return cls(
            workspace.root_uri,
            types.TextDocumentSyncKind.Incremental,
            params.workspace_folders or [],
            workspace.position_encoding,
        )

    @property
    def encoding(self) -> Encoding:
        """The negotiated position encoding."""
        return cast("Encoding", str(getattr(self.position_encoding, "value", self.position_encoding)))

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> SyncedDocument:
        # pygls also calls this for documents that are not open; those are none of ours and stay empty.
        expected, self._expected = self._expected, None
        document = expected if expected is not None and expected.text == source else Document(source or "")
        return SyncedDocument(doc_uri, document, self.encoding, version, language_id)

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Apply an edit; one of a document that is not open is none of ours.

        Helix tells what was typed while the server started, and opens the document with the result afterwards.
        """
        if self.open_document(text_doc.uri) is not None:
            super().update_text_document(text_doc, change)

    def update_notebook_document(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Take note of changed cells; those of a notebook that is not open are none of ours either."""
        if self.get_notebook_document(notebook_uri=params.notebook_document.uri) is not None:
            super().update_notebook_document(params)

    def open_document(self, uri: str) -> SyncedDocument | None:
        """The open document of a URI, or None."""
        document = self.text_documents.get(uri) or self.text_documents.get(_unquoted(uri))
        return document if isinstance(document, SyncedDocument) else None


def _unquoted(uri: str) -> str:
    from urllib.parse import unquote

    return unquote(uri)
