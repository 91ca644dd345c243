"""`detour.applyFix`: carry out a repair, for clients that know no code actions but only commands."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from detour_lsp.lsp import actions
from detour_lsp.lsp.server import DetourServer


async def execute(ls: DetourServer, *arguments: Any) -> bool:
    """Have the client make the edits of a listed repair, on the text as it is now; whether it made them."""
    await ls.ready()
    action = types.CodeAction(title="", data=arguments[0] if arguments else None)
    edit = (await actions.resolve(ls, action)).edit
    if edit is None or not ls.abilities.apply_edit:
        return False
    return (await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit))).applied
