"""`detour.clear`: end one incident, or all of them."""

from __future__ import annotations

from typing import Any

from detour_lsp.lsp.parameters import text_of
from detour_lsp.lsp.server import DetourServer


async def execute(ls: DetourServer, *arguments: Any) -> None:
    """With a key (or `{"key": ...}`), end that incident; without, all, also those of text that is still being read."""
    await ls.ready()
    await ls.streams.settled()
    first = arguments[0] if arguments else None
    key = first if isinstance(first, str) else text_of(first, "key")
    ls.followed.forget(key)
    ls.publish(ls.store.clear(key))
