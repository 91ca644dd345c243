"""Documents are opened, edited, saved and closed. pygls has already changed the text when these run."""

from __future__ import annotations

import os

from lsprotocol import types

from detour_lsp.lsp.document_kinds import is_log, is_python
from detour_lsp.lsp.server import DetourServer
from detour_lsp.lsp.uris import path_of


def opened(ls: DetourServer, uri: str) -> None:
    """A document is open: read it as what it is."""
    document = ls.document(uri)
    if document is None:
        return
    target = ls.target_of(uri)
    found_before = ls.unopened.pop(target, None)
    if is_python(document):
        ls.store.settle(target, document.document)
        # What was pushed while the file was closed marks whole lines, and holds findings that are pulled from now on. A
        # client that does not pull hears of it with the findings.
        if ls.abilities.pull_diagnostics and (found_before or ls.store.in_target(target)):
            ls.publish([target])
        ls.analysis.changed(uri)
    elif is_log(document):
        ls.log_documents.opened(uri)


def edited(ls: DetourServer, uri: str) -> None:
    """A document was edited: its incidents move with their lines."""
    document = ls.document(uri)
    if document is None:
        return
    changes = document.take_changes()
    if is_python(document):
        target = ls.target_of(uri)
        if ls.store.edited(target, changes, document.document):
            # A client that pushes hears of it with the findings, a moment later.
            ls.publish([target] if ls.abilities.pull_diagnostics else [])
        ls.analysis.changed(uri, changes)
    elif is_log(document):
        ls.log_documents.changed(uri, len(document.document.text))


def closed(ls: DetourServer, uri: str) -> None:
    """A document is closed: its findings go, the incidents on its lines stay, unless the file is gone."""
    ls.analysis.closed(uri)
    ls.log_documents.closed(uri)
    target, path = ls.target_of(uri), path_of(uri)
    if path is None or not os.path.exists(path):
        # A cell, or a file that was deleted or renamed: nobody can go to those lines any more.
        ls.publish(ls.store.forsake(target))
    ls.publish([target])


def did_open(ls: DetourServer, params: types.DidOpenTextDocumentParams) -> None:
    """`textDocument/didOpen`."""
    opened(ls, params.text_document.uri)


def did_change(ls: DetourServer, params: types.DidChangeTextDocumentParams) -> None:
    """`textDocument/didChange`; one without any change still makes a new version, which edits must name."""
    document = ls.document(params.text_document.uri)
    if document is not None:
        document.version = params.text_document.version
    edited(ls, params.text_document.uri)


def did_close(ls: DetourServer, params: types.DidCloseTextDocumentParams) -> None:
    """`textDocument/didClose`."""
    closed(ls, params.text_document.uri)


HANDLERS = {
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
}
