"""`textDocument/documentLink`: the frames of tracebacks in a log, as links to the lines they name."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.lsp.frame_files import locate
from detour_lsp.lsp.positions import offsets_range
from detour_lsp.lsp.server import DetourServer
from detour_lsp.lsp.uris import uri_of

MAX_LINKS = 500


def handle(ls: DetourServer, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """Answer with a link for each frame whose file is in the workspace."""
    document = ls.document(params.text_document.uri)
    if document is None or ls.knowledge is None:
        return []
    links: dict[int, types.DocumentLink] = {}
    for entry in ls.store.of_source(ls.target_of(params.text_document.uri)):
        for frame in entry.incident.frames:
            if not frame.user or not frame.log_line or frame.log_line in links:
                continue
            place = locate(ls, entry.incident, frame)
            if place is None or len(links) >= MAX_LINKS:
                continue
            path, line = place
            begin = document.document.log_offset(frame.log_line - 1, 0)
            end = document.document.log_offset(frame.log_line, 0)
            at = document.document.text.find(frame.file, begin, end)
            first, last = (at, at + len(frame.file)) if at >= 0 else (begin, max(begin, end - 1))
            links[frame.log_line] = types.DocumentLink(
                range=offsets_range(first, last, document.document, document.encoding),
                target=f"{uri_of(path)}#L{line + 1}",
                tooltip=f"{path.name}, line {line + 1}" if ls.abilities.link_tooltips else None,
            )
    return list(links.values())
