"""Places of ours (lines and columns from 1, code points) as LSP ranges in the client's encoding, and back."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.logs.incident import Span
from detour_lsp.workspace.document import Document, Encoding


def span_range(span: Span, document: Document | None, encoding: Encoding) -> types.Range:
    """A span of a log as a range; without a document, columns are taken as they are (exact for ASCII lines)."""
    return types.Range(
        _position(span.line - 1, span.column - 1, document, encoding),
        _position(span.end_line - 1, span.end_column - 1, document, encoding),
    )


def _position(line: int, column: int, document: Document | None, encoding: Encoding) -> types.Position:
    if document is None:
        return types.Position(max(line, 0), max(column, 0))
    return types.Position(*document.position(document.log_offset(max(line, 0), column), encoding))


def offsets_range(start: int, end: int, document: Document, encoding: Encoding) -> types.Range:
    """A stretch of code point offsets as a range."""
    return types.Range(
        types.Position(*document.position(start, encoding)), types.Position(*document.position(end, encoding))
    )


def line_range(line: int, document: Document | None, encoding: Encoding) -> types.Range:
    """The text of a 0-based line without its indentation; the whole line where there is no document."""
    if document is None:
        return types.Range(types.Position(line, 0), types.Position(line, 1000))
    text = document.line(line)
    first = len(text) - len(text.lstrip())
    return types.Range(
        types.Position(line, document.column(line, first, encoding)),
        types.Position(line, document.column(line, max(len(text.rstrip()), first), encoding)),
    )


def overlaps(left: types.Range, right: types.Range) -> bool:
    """Whether two ranges touch, as an editor's cursor touches a squiggle."""
    return (left.start.line, left.start.character) <= (right.end.line, right.end.character) and (
        right.start.line,
        right.start.character,
    ) <= (left.end.line, left.end.character)
