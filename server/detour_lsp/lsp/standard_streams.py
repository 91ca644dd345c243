"""Standard input read on the event loop itself: pygls hops to a thread and back for every line of every header."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
import sys
from threading import Event
from typing import TYPE_CHECKING, BinaryIO

from pygls.io_ import StdoutWriter, run_async

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

_log = logging.getLogger(__name__)

#: One header line; bodies are read by their length and have no limit.
HEADER_LIMIT = 1_000_000


def can_read_on_loop(stdin: BinaryIO) -> bool:
    """Whether the loop can wait for this input: a pipe, socket or terminal on anything but Windows."""
    if sys.platform == "win32":
        return False
    try:
        mode = os.fstat(stdin.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


async def serve(server: DetourServer, stdin: BinaryIO, stdout: BinaryIO, stop: Event) -> None:
    """Read and answer messages until the input ends or the server is told to exit."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=HEADER_LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdin)
    server.protocol.set_writer(StdoutWriter(stdout))
    await run_async(
        stop_event=stop,
        reader=reader,
        protocol=server.protocol,
        logger=_log,
        error_handler=server.report_server_error,
    )
