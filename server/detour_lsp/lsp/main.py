"""Starts the server over standard input and output, or over TCP."""

from __future__ import annotations

import logging
import sys

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def serve_stdio(*, log_file: str | None = None, log_level: str = "info") -> int:
    """Serve one client over standard input and output until it says exit."""
    _start_log(log_file, log_level)
    # Whatever a library prints must not end up in the protocol.
    protocol_out = sys.stdout.buffer
    sys.stdout = sys.stderr
    from detour_lsp.lsp.features import make_server

    server = make_server()
    try:
        server.serve(sys.stdin.buffer, protocol_out)
    except KeyboardInterrupt:
        return 130
    except SystemExit as end:
        # How pygls ends on `exit`: 0 after `shutdown`, 1 without.
        return int(end.code or 0)
    return 0


def serve_tcp(host: str, port: int, *, log_file: str | None = None, log_level: str = "info") -> int:
    """Serve one client over TCP; port 0 takes a free port. The address is printed when the server listens."""
    _start_log(log_file, log_level)
    import socket

    from detour_lsp.lsp.features import make_server

    server = make_server()
    if port == 0:
        with socket.socket() as probe:
            probe.bind((host, 0))
            port = probe.getsockname()[1]
    sys.stderr.write(f"detour server: listening on {host}:{port}\n")
    sys.stderr.flush()
    try:
        server.start_tcp(host, port)
    except OSError as error:
        sys.stderr.write(f"detour server: cannot listen on {host}:{port}: {error.strerror or error}\n")
        return 2
    return 0


def _start_log(log_file: str | None, log_level: str) -> None:
    handler: logging.Handler = logging.FileHandler(log_file, encoding="utf-8") if log_file else logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=_LEVELS[log_level], handlers=[handler])
    # pygls logs whole messages, which is slow and would write log text to disk (DESIGN section 9), and a traceback for
    # each message that it cannot read; `DetourServer.complain` says what is needed of that.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
