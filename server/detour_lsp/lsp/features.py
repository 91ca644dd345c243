"""The table of everything that the server answers: adding a request is one new module and one line here.

What is announced to a client stands in the same lines, as plain data: `initialize` is answered from them before any
library is imported (`greeting.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Request(NamedTuple):
    """A request; `handle` of its module in `requests/` answers it."""

    method: str
    module: str
    #: The server capability that announces it, and its value; None for our own methods, which need no announcement.
    provider: str | None = None
    options: Any = True


QUICK_FIX, FIX_ALL = "quickfix", "source.fixAll.detour"

REQUESTS = (
    Request("textDocument/hover", "hover", "hoverProvider"),
    Request("textDocument/definition", "definition", "definitionProvider"),
    Request("textDocument/documentSymbol", "document_symbol", "documentSymbolProvider"),
    Request(
        "textDocument/codeAction",
        "code_action",
        "codeActionProvider",
        {"codeActionKinds": [QUICK_FIX, FIX_ALL], "resolveProvider": True},
    ),
    Request("codeAction/resolve", "code_action_resolve"),
    Request("textDocument/codeLens", "code_lens", "codeLensProvider", {"resolveProvider": False}),
    Request("textDocument/documentLink", "document_link", "documentLinkProvider", {"resolveProvider": False}),
    Request("textDocument/foldingRange", "folding_range", "foldingRangeProvider"),
    Request(
        "textDocument/diagnostic",
        "document_diagnostic",
        "diagnosticProvider",
        {"identifier": "detour", "interFileDependencies": False, "workspaceDiagnostics": False},
    ),
    Request("detour/card", "card"),
    Request("detour/incidentText", "incident_text"),
    Request("detour/matchLines", "match_lines"),
    Request("detour/watchLog", "watch_log"),
)
#: Modules in `notifications/`; each has `HANDLERS`: method -> handler.
NOTIFICATIONS = ("configuration", "initialize", "notebooks", "outputs", "sync", "terminal", "watched_files")
#: Command -> module in `commands/`, whose `execute` carries it out.
COMMANDS = {
    "detour.applyFix": "apply_fix",
    "detour.clear": "clear",
    "detour.incidentText": "copy_text",
    "detour.scanWorkspace": "scan_workspace",
    "detour.showCard": "show_card",
}
