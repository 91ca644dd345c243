"""What is under the cursor: the findings and incidents of a document at a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from detour_lsp.logs.incident import Frame
from detour_lsp.lsp.positions import offsets_range, overlaps
from detour_lsp.source.finding import Finding
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def findings_at(server: DetourServer, uri: str, where: types.Range) -> list[Finding]:
    """The findings of an open document that touch a range."""
    document = server.document(uri)
    if document is None:
        return []
    return [
        finding
        for finding in server.analysis.findings(uri)
        if overlaps(offsets_range(finding.start, finding.end, document.document, document.encoding), where)
    ]


def incidents_at(server: DetourServer, uri: str, where: types.Range) -> list[Entry]:
    """The incidents whose code line, or whose block in a log, touches a range."""
    target = server.target_of(uri)
    lines = range(where.start.line, where.end.line + 1)
    first, last = log_lines(server, uri, where)
    on_code = [entry for entry in server.store.in_target(target) if entry.line in lines]
    in_log = [entry for entry in server.store.of_source(target) if _touches(entry, first, last)]
    return [*on_code, *in_log]


def log_lines(server: DetourServer, uri: str, where: types.Range) -> tuple[int, int]:
    """The first and last line of a range as logs count lines, from 1."""
    document = server.document(uri)
    if document is None:
        return where.start.line + 1, where.end.line + 1
    text = document.document
    return text.log_line(where.start.line) + 1, text.log_line(where.end.line) + 1


def _touches(entry: Entry, first: int, last: int) -> bool:
    span = entry.incident.block or entry.incident.span
    return span.line <= last and first <= span.end_line


def frame_at(server: DetourServer, uri: str, line: int) -> tuple[Entry, Frame] | None:
    """The traceback frame that stands on a 0-based line of a log document."""
    at, _ = log_lines(server, uri, types.Range(types.Position(line, 0), types.Position(line, 0)))
    for entry in server.store.of_source(server.target_of(uri)):
        for frame in entry.incident.frames:
            if frame.log_line and at in (frame.log_line, frame.log_line + 1):
                return entry, frame
    return None
