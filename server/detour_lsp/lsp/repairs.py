"""What can be done about the findings and incidents of this session, as planned repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detour_lsp.lsp.edits import reader
from detour_lsp.lsp.frame_files import locate
from detour_lsp.source.finding import Finding, PlannedRepair
from detour_lsp.source.names import Module
from detour_lsp.source.repair import Place, plan
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def of_finding(server: DetourServer, uri: str, finding: Finding) -> list[PlannedRepair]:
    """The repairs of a finding, best first; those that do not fit last, with the reason."""
    document = server.document(uri)
    if document is None or server.knowledge is None:
        return []
    text, state = document.document.text, server.analysis.state(uri)
    # Checking has parsed the text already, if it got to that.
    tree = state.tree if state is not None and state.text == text else None
    return plan(
        server.knowledge.records[finding.record],
        text=text,
        module=Module(text, server.target_of(uri), tree),
        path=server.target_of(uri),
        finding=finding,
        torch=server.torch_of(uri),
        read=reader(server),
        language=server.language,
    )


def of_incident(server: DetourServer, entry: Entry) -> list[PlannedRepair]:
    """The repairs of an incident, best first; those that do not fit last, with the reason."""
    if server.knowledge is None or entry.target is None:
        return []
    incident, frame = entry.incident, entry.incident.user_frame
    read = reader(server)
    text = read(entry.target)
    if text is None or frame is None:
        return []
    return plan(
        server.knowledge.records[incident.record],
        text=text,
        path=entry.target,
        incident_place=Place(entry.target, entry.line + 1, frame.function, entry.text or None),
        captures=incident.captures,
        torch=incident.torch_version or server.torch_of(server.uri_of_target(entry.target)),
        read=read,
        files=server.python_files(entry.target),
        near=_near(server, entry),
        message=incident.message,
        signature=incident.signature,
        language=server.language,
    )


def _near(server: DetourServer, entry: Entry) -> list[str]:
    """The other files of the workspace that the traceback passes through, the deepest first."""
    found: dict[str, None] = {}
    for frame in reversed(entry.incident.frames):
        place = locate(server, entry.incident, frame) if frame.user else None
        if place is not None:
            found[str(place[0])] = None
    found.pop(entry.target or "", None)
    return list(found)
