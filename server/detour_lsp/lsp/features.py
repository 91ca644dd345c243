"""The table of everything that the server answers: adding a request is one new module and one line here."""

from __future__ import annotations

from types import ModuleType

from detour_lsp.lsp.commands import clear, copy_text, scan_workspace, show_card
from detour_lsp.lsp.notifications import (
    configuration,
    initialize,
    notebooks,
    outputs,
    sync,
    terminal,
    watched_files,
)
from detour_lsp.lsp.requests import (
    card,
    code_action,
    code_action_resolve,
    code_lens,
    definition,
    document_diagnostic,
    document_link,
    document_symbol,
    folding_range,
    hover,
    incident_text,
    match_lines,
    watch_log,
)
from detour_lsp.lsp.server import DetourServer

#: Each module has `METHOD`, `handle` and perhaps `OPTIONS`.
REQUESTS: tuple[ModuleType, ...] = (
    card,
    code_action,
    code_action_resolve,
    code_lens,
    definition,
    document_diagnostic,
    document_link,
    document_symbol,
    folding_range,
    hover,
    incident_text,
    match_lines,
    watch_log,
)
#: Each module has `HANDLERS`: method -> handler.
NOTIFICATIONS: tuple[ModuleType, ...] = (
    configuration,
    initialize,
    notebooks,
    outputs,
    sync,
    terminal,
    watched_files,
)
#: Each module has `COMMAND` and `execute`.
COMMANDS: tuple[ModuleType, ...] = (clear, copy_text, scan_workspace, show_card)


def make_server() -> DetourServer:
    """A server with every feature registered."""
    server = DetourServer()
    for module in REQUESTS:
        server.feature(module.METHOD, getattr(module, "OPTIONS", None))(module.handle)
    for module in NOTIFICATIONS:
        for method, handler in module.HANDLERS.items():
            server.feature(method)(handler)
    for module in COMMANDS:
        server.command(module.COMMAND)(module.execute)
    return server
