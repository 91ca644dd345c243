"""Puts the server together from the table in `features.py`."""

from __future__ import annotations

from importlib import import_module

from detour_lsp.lsp.features import COMMANDS, NOTIFICATIONS, REQUESTS
from detour_lsp.lsp.server import DetourServer


def make_server() -> DetourServer:
    """A server with every feature registered."""
    server = DetourServer()
    for request in REQUESTS:
        server.feature(request.method)(import_module(f"detour_lsp.lsp.requests.{request.module}").handle)
    for name in NOTIFICATIONS:
        for method, handler in import_module(f"detour_lsp.lsp.notifications.{name}").HANDLERS.items():
            server.feature(method)(handler)
    for command, name in COMMANDS.items():
        server.command(command)(import_module(f"detour_lsp.lsp.commands.{name}").execute)
    return server
