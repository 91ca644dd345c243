"""`initialize` and `initialized`: abilities are resolved, then records are loaded and settings fetched."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from detour_lsp.lsp import handed_over, unwatched
from detour_lsp.lsp.capabilities import ClientAbilities
from detour_lsp.lsp.notifications.configuration import apply_settings, fetch_settings
from detour_lsp.lsp.parameters import value_of
from detour_lsp.lsp.parent_process import watch_parent
from detour_lsp.lsp.server import DetourServer
from detour_lsp.lsp.text_document import SyncedWorkspace


def initialize(ls: DetourServer, params: types.InitializeParams) -> None:
    """Take note of what the client is; the answer does not wait for records."""
    ls.abilities = ClientAbilities.of(ls.protocol.greeting.capabilities)
    ls.locale = params.locale
    ls.protocol.use_workspace(SyncedWorkspace.replacing(ls.workspace, params))
    options = params.initialization_options
    ls.tells_incidents = bool(value_of(options, "clientCommands"))
    apply_settings(ls, value_of(options, "settings"))
    watch_parent(ls, params.process_id)


async def initialized(ls: DetourServer, _params: types.InitializedParams) -> None:
    """Load records, register for what the client lets be registered, and fetch the settings.

    Nothing waits for what the client answers: some never do.
    """
    ls.load_knowledge()
    ls.spawn(_register(ls))
    ls.spawn(fetch_settings(ls))
    await ls.ready()
    ls.followed.follow_patterns()
    ls.spawn(handed_over.watch(ls))
    if not ls.abilities.dynamic_watched_files:
        ls.spawn(unwatched.watch(ls))


async def _register(ls: DetourServer) -> None:
    registrations: list[types.Registration] = []
    if ls.abilities.dynamic_configuration:
        registrations.append(
            types.Registration(
                "detour-configuration",
                types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                types.DidChangeConfigurationRegistrationOptions(section="detour"),
            )
        )
    if ls.abilities.dynamic_watched_files:
        watchers = [
            types.FileSystemWatcher(glob_pattern=pattern)
            for pattern in ("**/pyproject.toml", "**/record.json", "**/uv.lock", "**/requirements*.txt")
        ]
        registrations.append(
            types.Registration(
                "detour-files",
                types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                types.DidChangeWatchedFilesRegistrationOptions(watchers),
            )
        )
    if not registrations:
        return
    try:
        await ls.client_register_capability_async(types.RegistrationParams(registrations))
    except JsonRpcException as error:
        ls.log(f"the client does not register what it offers: {error}", types.MessageType.Warning)


HANDLERS = {types.INITIALIZE: initialize, types.INITIALIZED: initialized}
