"""`textDocument/codeLens`: above a log's first incident, what it is and how many there are."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.card import title_of
from detour_lsp.lsp.positions import span_range
from detour_lsp.lsp.server import DetourServer


def handle(ls: DetourServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Answer with one lens, or none."""
    entries = ls.store.of_source(ls.target_of(params.text_document.uri))
    if not entries or not ls.settings_of(params.text_document.uri).code_lens or ls.knowledge is None:
        return []
    causes = [entry for entry in entries if entry.incident.level != "symptom"] or entries
    first = causes[0]
    title = f"Detour: {title_of(ls.knowledge.records[first.incident.record], ls.language)}"
    if len(entries) > 1:
        title += f" ({len(entries)} incidents)"
    document = ls.document(params.text_document.uri)
    span = span_range(first.incident.span, document.document if document else None, ls.documents.encoding)
    where = types.Range(types.Position(span.start.line, 0), types.Position(span.start.line, 0))
    command = types.Command(title=title, command="detour.showCard", arguments=[{"key": first.key}])
    return [types.CodeLens(range=where, command=command)]
