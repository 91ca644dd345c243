"""`textDocument/hover`: the card of what stands there; on a frame of a traceback, also the source of that line."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.card.markdown import code_block, code_span
from detour_lsp.lsp.frame_files import locate, source_lines
from detour_lsp.lsp.places import findings_at, frame_at, incidents_at
from detour_lsp.lsp.plain_text import plain
from detour_lsp.lsp.positions import line_range, offsets_range, span_range
from detour_lsp.lsp.server import DetourServer

#: Cards of more than this many records on one line are left to the Problems list.
MAX_CARDS = 3


def handle(ls: DetourServer, params: types.HoverParams) -> types.Hover | None:
    """Answer with the cards at a position, or nothing."""
    document = ls.document(params.text_document.uri)
    if ls.knowledge is None or document is None:
        return None
    uri, where = params.text_document.uri, types.Range(params.position, params.position)
    cards: dict[str, str] = {}
    shown: types.Range | None = None
    for finding in findings_at(ls, uri, where):
        cards[finding.record] = ls.cards.of_finding(uri, finding.record, finding.dead_end)
        shown = shown or offsets_range(finding.start, finding.end, document.document, document.encoding)
    for entry in incidents_at(ls, uri, where):
        incident = entry.incident
        cards[incident.record] = ls.cards.of_entry(entry)
        on_code = entry.target == ls.target_of(uri)
        shown = shown or (
            line_range(entry.line, document.document, document.encoding)
            if on_code
            else span_range(incident.block or incident.span, document.document, document.encoding)
        )
    parts = list(cards.values())[:MAX_CARDS]
    frame = _frame(ls, uri, params.position.line)
    if frame:
        parts.insert(0, frame)
    if not parts:
        return None
    text = "\n---\n\n".join(parts)
    if ls.abilities.markdown_hover:
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), shown)
    return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, plain(text)), shown)


def _frame(ls: DetourServer, uri: str, line: int) -> str:
    found = frame_at(ls, uri, line)
    if found is None:
        return ""
    entry, frame = found
    place = locate(ls, entry.incident, frame)
    if place is None:
        return ""
    path, number = place
    source = source_lines(ls, path, number)
    return f"{code_span(f'{path.name}:{number + 1}')}\n\n{code_block(source)}\n" if source else ""
