"""The language server: over standard input and output, or over TCP for debugging."""

from __future__ import annotations

import argparse
import sys

from detour_lsp.cli.main import WRONG_USE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour server`."""
    parser.add_argument("--stdio", action="store_true", help="over standard input and output (the default)")
    parser.add_argument("--tcp", metavar="HOST:PORT", help="over TCP; port 0 takes a free one and prints it")
    parser.add_argument("--log-file", metavar="FILE", help="write the server's own log there (never log text)")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="info")


def run(options: argparse.Namespace) -> int:
    """Carry out `detour server`."""
    if options.tcp is None:
        from detour_lsp.lsp.main import serve_stdio

        return serve_stdio(log_file=options.log_file, log_level=options.log_level)
    host, _, port = str(options.tcp).rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        sys.stderr.write(f"detour server: --tcp {options.tcp}: give HOST:PORT, such as 127.0.0.1:4389\n")
        return WRONG_USE
    from detour_lsp.lsp.main import serve_tcp

    return serve_tcp(host or "127.0.0.1", int(port), log_file=options.log_file, log_level=options.log_level)
