"""`textDocument/documentSymbol`: the incidents of a log, as its outline."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.card import title_of
from detour_lsp.lsp.positions import span_range
from detour_lsp.lsp.server import DetourServer


def handle(
    ls: DetourServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """Answer with one symbol per incident."""
    uri = params.text_document.uri
    document = ls.document(uri)
    knowledge = ls.knowledge
    if document is None or knowledge is None:
        return []
    symbols: list[types.DocumentSymbol] = []
    for entry in ls.store.of_source(ls.target_of(uri)):
        incident = entry.incident
        selection = span_range(incident.span, document.document, document.encoding)
        around = span_range(incident.block or incident.span, document.document, document.encoding)
        symbols.append(
            types.DocumentSymbol(
                name=title_of(knowledge.records[incident.record], ls.language),
                detail=incident.record,
                kind=types.SymbolKind.Event,
                range=_containing(around, selection),
                selection_range=selection,
            )
        )
    if ls.abilities.hierarchical_symbols:
        return symbols
    return [types.SymbolInformation(types.Location(uri, symbol.range), symbol.name, symbol.kind) for symbol in symbols]


def _containing(around: types.Range, inner: types.Range) -> types.Range:
    """The smallest range around both: LSP refuses a symbol whose selection leaves its range."""

    def key(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return types.Range(min(around.start, inner.start, key=key), max(around.end, inner.end, key=key))
