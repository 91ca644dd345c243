"""Starts the server over standard input and output, or over TCP."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from detour_lsp.lsp.greeting import greet

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


SWITCH_SECONDS = 0.0005
GARBAGE = (20_000, 20, 50)


def serve_stdio(*, log_file: str | None = None, log_level: str = "info") -> int:
    """Serve one client over standard input and output until it says exit."""
    # Whatever a library prints must not end up in the protocol.
    protocol_out = sys.stdout.buffer
    sys.stdout = sys.stderr
    # Answered before anything large is imported: the editor goes on while the rest of the server starts.
    opening = greet(sys.stdin.fileno(), protocol_out.fileno())
    if not opening.message:
        return 0
    server = _server(log_file, log_level)
    from detour_lsp.lsp import transport
    from detour_lsp.lsp.client_output import ClientOutput

    return server.run(transport.serve_stdio(server, opening, sys.stdin.buffer, ClientOutput(protocol_out.fileno())))


def serve_tcp(host: str, port: int, *, log_file: str | None = None, log_level: str = "info") -> int:
    """Serve one client over TCP; port 0 takes a free port. The address is printed when the server listens."""
    server = _server(log_file, log_level)
    from detour_lsp.lsp import transport

    try:
        return server.run(transport.serve_tcp(server, host, port))
    except OSError as error:
        sys.stderr.write(f"detour server: cannot listen on {host}:{port}: {error.strerror or error}\n")
        return 2


def _server(log_file: str | None, log_level: str) -> DetourServer:
    import logging

    # A thread that reads a log lets go of the interpreter after this many seconds when the loop asks for it.
    sys.setswitchinterval(SWITCH_SECONDS)
    handler: logging.Handler = logging.FileHandler(log_file, encoding="utf-8") if log_file else logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=log_level.upper(), handlers=[handler])
    # pygls logs whole messages, which is slow and would write log text to disk (DESIGN section 9), and a traceback for
    # each message that it cannot read; `DetourServer.complain` says what is needed of that.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    from detour_lsp.lsp.assembly import make_server

    server = make_server()
    # Modules and tables live as long as the process: going through them for garbage would stop the loop for 50 ms and
    # more. What comes later is looked at less often, for the same reason.
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    return server
