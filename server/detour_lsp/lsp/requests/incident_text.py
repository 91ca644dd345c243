"""`detour/incidentText`: the original message of an incident, or a prompt for an assistant."""

from __future__ import annotations

from typing import Any

from detour_lsp.lsp.parameters import text_of
from detour_lsp.lsp.prompt import incident_prompt
from detour_lsp.lsp.server import DetourServer


async def handle(ls: DetourServer, params: Any) -> dict[str, str | None]:
    """Answer with `{"text": ...}`; null when the incident is gone."""
    await ls.ready()
    entry = ls.store.find(text_of(params, "key") or "")
    if entry is None:
        return {"text": None}
    if text_of(params, "form") == "prompt":
        return {"text": incident_prompt(ls, entry)}
    return {"text": entry.incident.message}
