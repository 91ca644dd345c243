"""`textDocument/foldingRange`: the blocks of incidents in a log."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.lsp.positions import span_range
from detour_lsp.lsp.server import DetourServer


def handle(ls: DetourServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Answer with one range per block of more than one line."""
    document = ls.document(params.text_document.uri)
    if document is None:
        return []
    ranges: dict[tuple[int, int], types.FoldingRange] = {}
    for entry in ls.store.of_source(ls.target_of(params.text_document.uri)):
        block = entry.incident.block
        if block is not None and block.end_line > block.line:
            around = span_range(block, document.document, document.encoding)
            first, last = around.start.line, around.end.line
            ranges[first, last] = types.FoldingRange(first, last, kind=types.FoldingRangeKind.Region)
    return list(ranges.values())
