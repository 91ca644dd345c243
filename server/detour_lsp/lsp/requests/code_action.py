"""`textDocument/codeAction`: the repairs of what stands at a range, best first, "ignore here" last."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from detour_lsp.lsp import actions
from detour_lsp.lsp.features import FIX_ALL, QUICK_FIX
from detour_lsp.lsp.places import findings_at, incidents_at
from detour_lsp.lsp.server import DetourServer


async def handle(ls: DetourServer, params: types.CodeActionParams) -> list[types.CodeAction | types.Command] | None:
    """Answer with quick fixes for findings and incidents, and with `source.fixAll.detour` when it is asked for."""
    await ls.ready()
    uri = params.text_document.uri
    await ls.analysis.settled(uri)
    if not ls.abilities.code_action_literals and not ls.abilities.apply_edit:
        # It takes neither edits nor commands that make them.
        return []
    found: list[types.CodeAction] = []
    if _wanted(params.context.only, QUICK_FIX):
        ignores: list[types.CodeAction] = []
        for finding in findings_at(ls, uri, params.range):
            found += await actions.for_finding(ls, uri, finding, params.context.diagnostics)
            ignores += await actions.ignore(ls, uri, finding, params.context.diagnostics)
        for entry in incidents_at(ls, uri, params.range):
            found += await actions.for_incident(ls, uri, entry, params.context.diagnostics)
        found += ignores
    if not ls.abilities.code_action_literals:
        return list(actions.as_commands(found))
    if params.context.only and _wanted(params.context.only, FIX_ALL):
        found += await actions.fix_all(ls, uri)
    return list(found)


def _wanted(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a kind was asked for: a client that asks for `source` also wants `source.fixAll.detour`."""
    asked = [str(getattr(item, "value", item)) for item in only or ()]
    return not asked or any(kind == item or kind.startswith(f"{item}.") for item in asked)
