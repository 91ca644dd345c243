"""Failures that `detour run` hands over from terminals that no client forwards."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.workspace.commands import command_identity
from detour_lsp.workspace.handover import Failure, directory, new_failures, sweep
from detour_lsp.workspace.incidents import Source
from detour_lsp.workspace.projection import within

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: The directory holds a handful of files: looking is cheaper than a watcher.
SECONDS = 1.0


async def watch(server: DetourServer) -> None:
    """Look for failures of commands that ran in a workspace folder, for as long as the server lives."""
    try:
        folder = directory()
        sweep(folder)
        seen = {path.name for path in folder.glob("*.json")}
    except OSError as error:
        server.log(f"`detour run` cannot tell this server of failures: {error}")
        return
    await server.ready()
    while True:
        await asyncio.sleep(SECONDS)
        for failure in new_failures(folder, seen):
            _take(server, failure)


def _take(server: DetourServer, failure: Failure) -> None:
    folder = Path(failure.folder)
    # It may also have been run above of the workspace, as `python project/train.py`.
    if within(folder, server.folders) is None and all(within(root, [folder]) is None for root in server.folders):
        return
    # The same source as the command in an integrated terminal: a client that forwards both shows it once.
    identity = command_identity(failure.command, failure.folder)
    source = Source("terminal", failure.command, f"terminal\x1f{identity}")
    key = f"run\x1f{identity}"
    run = server.streams.begin(key, source, folder=folder)
    server.streams.feed(key, run, failure.text)
    server.streams.end(key, run)
