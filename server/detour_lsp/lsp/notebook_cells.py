"""Which cell had which execution number: a traceback of a notebook names its cells by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def execution_numbers(server: DetourServer, notebook_uri: str | None) -> dict[int, str]:
    """Execution number -> target of the cell, as far as the client told."""
    if notebook_uri is None:
        return {}
    notebook = server.documents.get_notebook_document(notebook_uri=notebook_uri)
    return {
        cell.execution_summary.execution_order: server.target_of(cell.document)
        for cell in (notebook.cells if notebook else ())
        if cell.execution_summary is not None
    }
