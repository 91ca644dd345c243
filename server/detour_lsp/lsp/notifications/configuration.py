"""Settings: fetched from the client or pushed by it, for the window and each folder; applied without a restart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from detour_lsp.lsp.parameters import value_of
from detour_lsp.lsp.server import DetourServer
from detour_lsp.lsp.uris import path_of
from detour_lsp.workspace.settings import Settings, SettingsByFolder, parse_settings


async def fetch_settings(ls: DetourServer, pushed: Any = None) -> None:
    """Ask the client for the settings of the window and of each workspace folder, where it lets itself be asked."""
    if not ls.abilities.configuration:
        if pushed is not None:
            apply_settings(ls, pushed)
        return
    folders = {uri: path for uri in list(ls.documents.folders) if (path := path_of(uri)) is not None}
    items = [types.ConfigurationItem(section="detour")]
    items += [types.ConfigurationItem(scope_uri=ls.documents.folders[uri].uri, section="detour") for uri in folders]
    answer: Sequence[Any] = ()
    try:
        answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        ls.log(f"the client does not tell its settings: {error}", types.MessageType.Warning)
    general = answer[0] if answer and answer[0] is not None else pushed
    if general is None and not any(answer or ()):
        return
    # A client that knows no folders may answer the first question alone.
    own = {path: value for path, value in zip(folders.values(), answer[1:], strict=False) if value is not None}
    apply_settings(ls, general, own)


def apply_settings(ls: DetourServer, value: Any, folders: Mapping[Path, Any] | None = None) -> None:
    """Use new settings; what depends on them is done again."""
    general = _parsed(ls, value)
    old, ls.settings = (
        ls.settings,
        SettingsByFolder(
            general,
            # A client without settings per folder answers with the same for each, and its mistakes are named once.
            {path: general if own == value else _parsed(ls, own) for path, own in (folders or {}).items()},
        ),
    )
    if ls.settings == old:
        return
    if _records(ls.settings) != _records(old):
        ls.reload_knowledge()
    ls.use_settings()
    if ls.knowledge is None:
        return
    ls.followed.follow_patterns()
    ls.analysis.recheck()
    ls.log_documents.refresh()
    ls.spawn(ls.refresh_diagnostics())
    ls.spawn(ls.refresh_code_lens())
    ls.publish_all()


def _parsed(ls: DetourServer, value: Any) -> Settings:
    settings, problems = parse_settings(value)
    for problem in problems:
        ls.log(problem, types.MessageType.Warning)
    return settings


def _records(settings: SettingsByFolder) -> list[tuple[Path | None, tuple[str, ...]]]:
    named = [(None, settings.general.knowledge), *((path, own.knowledge) for path, own in settings.folders.items())]
    return [(path, knowledge) for path, knowledge in named if knowledge]


async def did_change_configuration(ls: DetourServer, params: types.DidChangeConfigurationParams) -> None:
    """`workspace/didChangeConfiguration`: with the settings in it, or as a hint to fetch them."""
    await fetch_settings(ls, value_of(params.settings, "detour"))


HANDLERS = {types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration}
