"""`codeAction/resolve`: the edit of an action that was listed without it, worked out on the text as it is now."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.lsp import actions
from detour_lsp.lsp.server import DetourServer


async def handle(ls: DetourServer, action: types.CodeAction) -> types.CodeAction:
    """Answer with the same action and its edit; one whose problem is gone comes back without."""
    await ls.ready()
    return await actions.resolve(ls, action)
