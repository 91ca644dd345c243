"""What a card may know about an incident or a finding in this session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detour_lsp.card import CardContext
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def incident_context(server: DetourServer, entry: Entry) -> CardContext:
    """The context of an incident's card; the torch that ran counts, else that of the code it is on."""
    incident = entry.incident
    torch = incident.torch_version or (server.torch_of(server.uri_of_target(entry.target)) if entry.target else None)
    return CardContext(
        language=server.language,
        captures=incident.captures,
        message=incident.message,
        torch=torch or server.settings.general.torch or None,
        signature=incident.signature,
        level=incident.level,
        ranks=incident.ranks,
        count=incident.count,
        truncated=incident.truncated,
        stale=incident.stale,
    )


def finding_context(server: DetourServer, uri: str, dead_end: int) -> CardContext:
    """The context of a finding's card."""
    return CardContext(language=server.language, torch=server.torch_of(uri), dead_end=dead_end)
