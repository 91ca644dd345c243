"""Reads messages and hands them to the protocol, over standard input and output or over TCP.

pygls' own loop hops to a thread and back for every line of every header, and reads JSON with a Python function called
for each object in it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import stat
import sys
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from pygls.exceptions import JsonRpcParseError
from pygls.io_ import StdoutWriter

from detour_lsp.lsp.lanes import Lanes
from detour_lsp.lsp.large_messages import LARGE_BYTES, Outline, complete, decode, outline
from detour_lsp.lsp.large_texts import edits_large

if TYPE_CHECKING:
    from detour_lsp.lsp.greeting import Opening
    from detour_lsp.lsp.server import DetourServer

_log = logging.getLogger(__name__)

#: One header line; bodies are read by their length and have no limit.
HEADER_LIMIT = 1_000_000
#: A large body is taken from the input in pieces of this size.
PIECE_BYTES = 1_000_000


class Reader(Protocol):
    """What messages are read from."""

    def readline(self) -> Awaitable[bytes]: ...

    def readexactly(self, n: int) -> Awaitable[bytes]: ...


async def serve_messages(server: DetourServer, reader: Reader) -> None:
    """Read and answer messages until the input ends."""

    async def take(message: Any) -> None:
        try:
            await server.protocol.take(await complete(message) if isinstance(message, Outline) else message)
        except Exception as error:
            server.report_server_error(error, type(error))

    lanes = Lanes(take, server.spawn, partial(edits_large, server))
    try:
        while (length := await _length(reader)) is not None:
            body = await _body(reader, length)
            try:
                message = (outline(body) if length >= LARGE_BYTES else None) or decode(body)
            except (ValueError, RecursionError) as error:
                server.report_server_error(JsonRpcParseError(str(error)), JsonRpcParseError)
                continue
            await lanes.handle(message)
        await lanes.finish()
    except (asyncio.IncompleteReadError, ConnectionError):
        _log.warning("the client went away in the middle of a message")


async def _length(reader: Reader) -> int | None:
    """The length of the next message, from its header; None when the input ends."""
    length: int | None = None
    while line := await reader.readline():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
        elif not line.strip() and length is not None:
            return length
    return None


async def _body(reader: Reader, length: int) -> bytes | bytearray:
    """The body of a message; a large one in pieces, since copying it as a whole takes long."""
    if length < LARGE_BYTES:
        return await reader.readexactly(length)
    # It grows in place: asking for all of the memory at once has the kernel fill it with zeros, 30 ms for 60 MB.
    body = bytearray()
    while len(body) < length:
        body += await reader.readexactly(min(PIECE_BYTES, length - len(body)))
        await asyncio.sleep(0)
    return body


async def serve_stdio(server: DetourServer, opening: Opening, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one client over two streams, of which the first message has been read already."""
    server.protocol.set_writer(StdoutWriter(stdout))
    server.protocol.answered = opening.answered
    if not _can_read_on_loop(stdin):
        with ThreadPoolExecutor(1, thread_name_prefix="detour-stdin") as pool:
            await serve_messages(server, _ThreadReader(opening.message, stdin, pool))
        return
    reader = asyncio.StreamReader(limit=HEADER_LIMIT)
    reader.feed_data(opening.message)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdin)
    await serve_messages(server, reader)


async def serve_tcp(server: DetourServer, host: str, port: int) -> None:
    """Listen, say where, and serve the first client that connects."""
    done = asyncio.Event()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.close()
        # A socket's writer has what pygls calls; only its declared type is another.
        server.protocol.set_writer(writer)  # pyright: ignore[reportArgumentType]
        try:
            await serve_messages(server, reader)
        finally:
            done.set()

    listener = await asyncio.start_server(connected, host, port, limit=HEADER_LIMIT)
    bound = listener.sockets[0].getsockname()[1]
    sys.stderr.write(f"detour server: listening on {host}:{bound}\n")
    sys.stderr.flush()
    await done.wait()


def _can_read_on_loop(stdin: BinaryIO) -> bool:
    """Whether the loop can wait for this input: a pipe, socket or terminal on anything but Windows."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(stdin.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


class _ThreadReader:
    """Reads an input that only blocks, on a thread of its own."""

    def __init__(self, first: bytes, stdin: BinaryIO, pool: ThreadPoolExecutor) -> None:
        self._first = BytesIO(first)
        self._stdin = stdin
        self._pool = pool

    async def readline(self) -> bytes:
        """A line of the first message, else of the input."""
        line = self._first.readline()
        return line or await asyncio.get_running_loop().run_in_executor(self._pool, self._stdin.readline)

    async def readexactly(self, n: int) -> bytes:
        """The body of the first message, else of the next."""
        body = self._first.read(n)
        body = body or await asyncio.get_running_loop().run_in_executor(self._pool, self._stdin.read, n)
        if len(body) < n:
            raise asyncio.IncompleteReadError(body, n)
        return body
