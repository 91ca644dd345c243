"""Settings: fetched from the client or pushed by it, and applied without a restart."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from detour_lsp.lsp.parameters import value_of
from detour_lsp.lsp.server import DetourServer
from detour_lsp.workspace.settings import parse_settings


async def fetch_settings(ls: DetourServer) -> None:
    """Ask the client for its settings, where it lets itself be asked."""
    if not ls.abilities.configuration:
        return
    items = [types.ConfigurationItem(section="detour")]
    answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    if answer:
        apply_settings(ls, answer[0])


def apply_settings(ls: DetourServer, value: Any) -> None:
    """Use new settings; what depends on them is done again."""
    settings, problems = parse_settings(value)
    for problem in problems:
        ls.log(problem, types.MessageType.Warning)
    old, ls.settings = ls.settings, settings
    if ls.knowledge is None or settings == old:
        return
    if (settings.knowledge, settings.torch, settings.interpreter) != (old.knowledge, old.torch, old.interpreter):
        ls.load_knowledge()
    if settings.follow != old.follow:
        ls.followed.follow_patterns()
    ls.analysis.recheck()
    ls.spawn(ls.refresh_diagnostics())
    ls.publish({name for entry in ls.store for name in (entry.target, entry.source.uri) if name})


async def did_change_configuration(ls: DetourServer, params: types.DidChangeConfigurationParams) -> None:
    """`workspace/didChangeConfiguration`: with the settings in it, or as a hint to fetch them."""
    pushed = value_of(params.settings, "detour")
    if pushed is not None:
        apply_settings(ls, pushed)
    else:
        await fetch_settings(ls)


HANDLERS = {types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration}
