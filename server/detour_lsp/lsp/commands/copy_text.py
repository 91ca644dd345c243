"""`detour.incidentText`: the original message, or a prompt for an assistant, for clients to put on the clipboard."""

from __future__ import annotations

from typing import Any

from detour_lsp.lsp.requests import incident_text
from detour_lsp.lsp.server import DetourServer


async def execute(ls: DetourServer, *arguments: Any) -> str | None:
    """Return the text for `{"key": ..., "form": "message" | "prompt"}`."""
    return (await incident_text.handle(ls, arguments[0] if arguments else None))["text"]
