"""`detour/notebookOutput`: what a notebook cell printed, or the error it ended with."""

from __future__ import annotations

from typing import Any

from detour_lsp.lsp.notebook_cells import execution_numbers
from detour_lsp.lsp.parameters import list_of, text_of
from detour_lsp.lsp.server import DetourServer
from detour_lsp.workspace.incidents import Source


async def notebook_output(ls: DetourServer, params: Any) -> None:
    """Read the outputs of one execution of a cell; what the cell's last execution told ends."""
    await ls.ready()
    cell, notebook = text_of(params, "cellUri"), text_of(params, "notebookUri")
    if not cell:
        return
    key = f"{cell}\x1f{text_of(params, 'executionId')}"
    source = Source("notebook", (notebook or cell).rpartition("/")[2], f"notebook\x1f{ls.target_of(cell)}", cell)
    run = ls.streams.begin(key, source, cell=ls.target_of(cell), cells=execution_numbers(ls, notebook))
    for output in list_of(params, "outputs"):
        text = text_of(output, "text")
        if text:
            ls.streams.feed(key, run, text if text.endswith("\n") else f"{text}\n")
    ls.streams.end(key, run)


HANDLERS = {"detour/notebookOutput": notebook_output}
