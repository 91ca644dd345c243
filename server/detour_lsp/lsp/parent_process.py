"""Ends the server when the editor that started it is gone without saying so."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

SECONDS = 3.0


def watch_parent(server: DetourServer, process_id: int | None) -> None:
    """Watch the process that `initialize` names; on Windows the closed pipe alone tells."""
    if process_id is not None and sys.platform != "win32":
        server.spawn(_watch(server, process_id))


async def _watch(server: DetourServer, process_id: int) -> None:
    while True:
        await asyncio.sleep(SECONDS)
        if not _alive(process_id):
            server.shutdown()
            # The reader still waits for a message that will never come: nothing but an exit ends it.
            os._exit(1)


def _alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
