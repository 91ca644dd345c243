"""What a card may know about an incident or a finding in this session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detour_lsp.card import CardContext
from detour_lsp.logs.incident import Incident

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def incident_context(server: DetourServer, incident: Incident) -> CardContext:
    """The context of an incident's card."""
    return CardContext(
        language=server.language,
        captures=incident.captures,
        message=incident.message,
        torch=incident.torch_version or server.settings.torch or None,
        signature=incident.signature,
        level=incident.level,
        ranks=incident.ranks,
        count=incident.count,
        truncated=incident.truncated,
        stale=incident.stale,
    )


def finding_context(server: DetourServer, dead_end: int) -> CardContext:
    """The context of a finding's card."""
    return CardContext(language=server.language, torch=server.settings.torch or None, dead_end=dead_end)
