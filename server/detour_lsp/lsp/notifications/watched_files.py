"""Files that the server's answers rest on have changed on disk: configuration, pins of torch, records."""

from __future__ import annotations

from lsprotocol import types

from detour_lsp.lsp.notifications.configuration import fetch_settings
from detour_lsp.lsp.server import DetourServer


async def did_change_watched_files(ls: DetourServer, params: types.DidChangeWatchedFilesParams) -> None:
    """`workspace/didChangeWatchedFiles`."""
    if params.changes and ls.knowledge is not None:
        await ls.files_changed()


async def did_change_workspace_folders(ls: DetourServer, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders came or went, and with them settings, records, and logs to follow."""
    await fetch_settings(ls)
    ls.load_knowledge()
    await ls.ready()
    ls.followed.follow_patterns()
    ls.analysis.recheck()
    await ls.refresh_diagnostics()


HANDLERS = {
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_workspace_folders,
}
