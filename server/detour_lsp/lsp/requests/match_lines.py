"""`detour/matchLines`: which lines of a terminal a record knows, for links. Cheap: no traceback is read."""

from __future__ import annotations

from typing import Any

from detour_lsp.card import one_line
from detour_lsp.lsp.parameters import list_of
from detour_lsp.lsp.server import DetourServer

#: A terminal asks for the lines under the mouse; more than this is no such request.
MAX_LINES, MAX_LENGTH = 200, 4_000


async def handle(ls: DetourServer, params: Any) -> dict[str, list[dict[str, Any]]]:
    """Answer with `{"matches": [{line, start, end, record, title}]}`; offsets count code points of the line."""
    knowledge = await ls.ready()
    assert ls.scanner is not None
    matches: list[dict[str, Any]] = []
    for number, line in enumerate(list_of(params, "lines")[:MAX_LINES]):
        if not isinstance(line, str):
            continue
        incident = next(iter(ls.scanner.scan(line[:MAX_LENGTH].encode("utf-8", "replace"), "<terminal>")), None)
        if incident is not None:
            matches.append(
                {
                    "line": number,
                    "start": incident.span.column - 1,
                    "end": incident.span.end_column - 1,
                    "record": incident.record,
                    "title": one_line(knowledge.records[incident.record]),
                }
            )
    return {"matches": matches}
