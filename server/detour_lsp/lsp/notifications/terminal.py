"""`detour/terminalData` and `detour/terminalEnd`: what a terminal, task, debug console or selection shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from detour_lsp.lsp.parameters import text_of
from detour_lsp.lsp.server import DetourServer
from detour_lsp.lsp.streams import Run
from detour_lsp.workspace.commands import command_identity
from detour_lsp.workspace.incidents import Source, SourceKind

#: How the extension marks what is no terminal (`terminalId`).
_KINDS = {"debug": "debug", "task": "task", "clipboard": "text", "selection": "text"}


def _key(params: Any) -> str:
    return f"{text_of(params, 'terminalId')}\x1f{text_of(params, 'executionId')}"


def _begin(ls: DetourServer, params: Any) -> Run:
    terminal = text_of(params, "terminalId") or ""
    command = text_of(params, "commandLine") or ""
    folder = text_of(params, "cwd")
    kind = cast("SourceKind", _KINDS.get(terminal.partition(":")[0], "terminal"))
    identity = command_identity(command, folder) if command else terminal
    source = Source(kind, command or terminal, f"{kind}\x1f{identity}")
    return ls.streams.begin(_key(params), source, folder=Path(folder) if folder else None)


async def terminal_data(ls: DetourServer, params: Any) -> None:
    """A further piece of output."""
    await ls.ready()
    run = ls.streams.run(_key(params)) or _begin(ls, params)
    data = text_of(params, "data")
    if data:
        ls.streams.feed(_key(params), run, data)


async def terminal_end(ls: DetourServer, params: Any) -> None:
    """The command is over."""
    await ls.ready()
    run = ls.streams.run(_key(params))
    if run is not None:
        ls.streams.end(_key(params), run)


HANDLERS = {"detour/terminalData": terminal_data, "detour/terminalEnd": terminal_end}
