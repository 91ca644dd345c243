"""`textDocument/definition`: from a frame of a traceback in a log to the line it names."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.lsp.frame_files import locate
from detour_lsp.lsp.places import frame_at, incidents_at
from detour_lsp.lsp.server import DetourServer


def handle(ls: DetourServer, params: types.DefinitionParams) -> types.Location | None:
    """Answer with the line of the frame under the cursor, else of the incident's user frame."""
    uri = params.text_document.uri
    found = frame_at(ls, uri, params.position.line)
    if found is not None:
        place = locate(ls, *(found[0].incident, found[1]))
        if place is not None:
            path, line = place
            return _location(ls.uri_of_target(str(path)), line)
    target = ls.target_of(uri)
    for entry in incidents_at(ls, uri, types.Range(params.position, params.position)):
        if entry.target is not None and entry.target != target:
            return _location(ls.uri_of_target(entry.target), entry.line)
    return None


def _location(uri: str, line: int) -> types.Location:
    return types.Location(uri, types.Range(types.Position(line, 0), types.Position(line, 0)))
