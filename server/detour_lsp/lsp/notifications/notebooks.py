"""Notebooks: their cells are Python documents that pygls opens and edits for us."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.lsp.notifications.sync import closed, edited, opened
from detour_lsp.lsp.server import DetourServer


def did_open(ls: DetourServer, params: types.DidOpenNotebookDocumentParams) -> None:
    """Check every cell; what a scan of the workspace said of the file is then told by its cells."""
    target = ls.target_of(params.notebook_document.uri)
    if ls.unopened.pop(target, None):
        ls.publish([target])
    for cell in params.cell_text_documents:
        opened(ls, cell.uri)


def did_change(ls: DetourServer, params: types.DidChangeNotebookDocumentParams) -> None:
    """Check the cells that are new or were edited, forget those that are gone."""
    cells = params.change.cells
    if cells is None:
        return
    structure = cells.structure
    if structure is not None:
        for cell in structure.did_open or ():
            opened(ls, cell.uri)
        for cell in structure.did_close or ():
            closed(ls, cell.uri)
        # Without any that came or went, cells were moved: what is known in them may be another thing.
        notebook = ls.documents.get_notebook_document(notebook_uri=params.notebook_document.uri)
        if notebook is not None:
            ls.analysis.notebooks.changed(notebook)
    for content in cells.text_content or ():
        edited(ls, content.document.uri)


def did_close(ls: DetourServer, params: types.DidCloseNotebookDocumentParams) -> None:
    """Forget every cell."""
    ls.analysis.notebooks.closed(params.notebook_document.uri)
    for cell in params.cell_text_documents:
        closed(ls, cell.uri)


HANDLERS = {
    types.NOTEBOOK_DOCUMENT_DID_OPEN: did_open,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: did_change,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: did_close,
}
