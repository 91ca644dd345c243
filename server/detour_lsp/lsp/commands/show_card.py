"""`detour.showCard`: the card as Markdown, for clients that have no panel of their own."""

from __future__ import annotations

from typing import Any

from detour_lsp.lsp.requests import card
from detour_lsp.lsp.server import DetourServer


async def execute(ls: DetourServer, *arguments: Any) -> str | None:
    """Return the card of `{"key": ...}` or `{"record": ...}` (or of an id as text)."""
    first = arguments[0] if arguments else None
    params = {"record": first} if isinstance(first, str) else first
    return (await card.handle(ls, params))["markdown"]
