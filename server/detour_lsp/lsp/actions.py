"""Planned repairs as code actions, and back: an action carries what is needed to plan its repair again.

Titles are listed at once; edits are worked out when the person picks an action, on the text as it is then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from detour_lsp.lsp.edits import Texts, workspace_edit
from detour_lsp.lsp.features import FIX_ALL
from detour_lsp.lsp.parameters import text_of, value_of
from detour_lsp.lsp.repairs import ATTEMPTS
from detour_lsp.lsp.text_document import SyncedDocument
from detour_lsp.source.apply import overlaps
from detour_lsp.source.finding import FileEdit, Finding, PlannedRepair
from detour_lsp.source.ignoring import ignore_comment
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


async def for_finding(
    server: DetourServer, uri: str, finding: Finding, diagnostics: Sequence[types.Diagnostic]
) -> list[types.CodeAction]:
    """The repairs of a finding."""
    data = {"uri": uri, "finding": finding.fingerprint}
    mine = [item for item in diagnostics if item.code == finding.record and _is(item, "finding", finding.fingerprint)]
    return _actions(server, await server.repairs.of_finding(uri, finding), data, mine)


async def for_incident(
    server: DetourServer, uri: str, entry: Entry, diagnostics: Sequence[types.Diagnostic]
) -> list[types.CodeAction]:
    """The repairs of an incident; they may edit other files than the one that the cursor is in."""
    data = {"uri": uri, "key": entry.key}
    mine = [item for item in diagnostics if item.code == entry.incident.record and _is(item, "key", entry.key)]
    return _actions(server, await server.repairs.of_incident(entry), data, mine)


def _is(diagnostic: types.Diagnostic, name: str, value: str) -> bool:
    """Whether a diagnostic is this one; a client that keeps no data is believed by the code alone."""
    return diagnostic.data is None or text_of(diagnostic.data, name) in (value, None)


def _actions(
    server: DetourServer,
    planned: Sequence[PlannedRepair],
    data: dict[str, Any],
    diagnostics: list[types.Diagnostic],
) -> list[types.CodeAction]:
    listed: list[types.CodeAction] = []
    titles: set[str] = set()
    for repair in planned:
        # What does not fit stands behind what does: of one title the first says enough.
        if repair.disabled and (not server.abilities.disabled_actions or repair.title in titles):
            continue
        titles.add(repair.title)
        action = types.CodeAction(
            title=f"Detour: {repair.title}" + ("" if repair.applicability == "safe" else _note(server, repair)),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=diagnostics or None,
        )
        if repair.disabled:
            action.disabled = types.CodeActionDisabled(repair.disabled)
        elif server.abilities.resolve_edit or not server.abilities.code_action_literals:
            action.data = {**data, "workaround": repair.workaround, "deadEnd": repair.dead_end}
        else:
            action.edit = workspace_edit(server, repair.files)
        if repair.preferred and server.abilities.preferred_actions:
            action.is_preferred = True
        listed.append(action)
    return listed


def _note(server: DetourServer, repair: PlannedRepair) -> str:
    if repair.applicability != "unsafe":
        return ""
    return "（请检查）" if server.language == "zh" else " (needs a look)"


async def ignore(
    server: DetourServer, uri: str, finding: Finding, diagnostics: Sequence[types.Diagnostic]
) -> list[types.CodeAction]:
    """The action that silences a finding by a comment on its line."""
    current, document = await server.analysis.current(uri, finding.fingerprint), server.document(uri)
    if current is None or document is None:
        return []
    title = f"忽略此处的 {finding.record}" if server.language == "zh" else f"ignore {finding.record} here"
    return [
        types.CodeAction(
            title=f"Detour: {title}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[item for item in diagnostics if item.code == finding.record] or None,
            edit=_comment(server, uri, document, current),
            data=None if server.abilities.code_action_literals else {"uri": uri, "ignore": finding.fingerprint},
        )
    ]


def _comment(server: DetourServer, uri: str, document: SyncedDocument, finding: Finding) -> types.WorkspaceEdit:
    edit = ignore_comment(document.document.text, finding)
    return workspace_edit(server, [FileEdit(server.target_of(uri), (edit,))])


def as_commands(listed: Sequence[types.CodeAction]) -> list[types.Command]:
    """Actions for a client that knows commands only: each asks for its edits when it is chosen."""
    return [
        types.Command(title=action.title, command="detour.applyFix", arguments=[action.data])
        for action in listed
        if not action.disabled
    ]


async def fix_all(server: DetourServer, uri: str) -> list[types.CodeAction]:
    """All safe repairs of a document's findings, as far as they do not touch each other."""
    for _ in range(ATTEMPTS):
        texts = Texts(server)
        chosen = await _safe_repairs(server, uri, texts)
        if texts.are_current():
            break
    else:
        return []
    if not chosen:
        return []
    by_file: dict[str, list[Any]] = {}
    for files in chosen:
        for file in files:
            by_file.setdefault(file.path, []).extend(file.edits)
    merged = [FileEdit(path, tuple(sorted(edits, key=lambda e: (e.start, e.end)))) for path, edits in by_file.items()]
    title = "应用所有安全修复" if server.language == "zh" else "apply all safe repairs"
    return [types.CodeAction(title=f"Detour: {title}", kind=FIX_ALL, edit=workspace_edit(server, merged))]


async def _safe_repairs(server: DetourServer, uri: str, texts: Texts) -> list[tuple[FileEdit, ...]]:
    chosen: list[tuple[FileEdit, ...]] = []
    for finding in server.analysis.findings(uri):
        planned = await server.repairs.of_finding(uri, finding)
        best = next((repair for repair in planned if not repair.disabled and repair.applicability == "safe"), None)
        if best is not None and not any(overlaps(best.files, other) for other in chosen):
            chosen.append(best.files)
            for file in best.files:
                texts.read(file.path)
    return chosen


async def resolve(server: DetourServer, action: types.CodeAction) -> types.CodeAction:
    """Fill in the edit of an action; unchanged when what it was about is gone."""
    uri = text_of(action.data, "uri")
    if uri is None or action.edit is not None:
        return action
    ignored = text_of(action.data, "ignore")
    if ignored is not None:
        finding, document = await server.analysis.current(uri, ignored), server.document(uri)
        action.edit = _comment(server, uri, document, finding) if finding and document else None
        return action
    planned: list[PlannedRepair] = []
    fingerprint, key = text_of(action.data, "finding"), text_of(action.data, "key")
    if fingerprint is not None:
        finding = await server.analysis.current(uri, fingerprint)
        planned = await server.repairs.of_finding(uri, finding) if finding else []
    elif key is not None:
        entry = server.store.find(key)
        planned = await server.repairs.of_incident(entry) if entry else []
    wanted = (value_of(action.data, "workaround"), value_of(action.data, "deadEnd"))
    for repair in planned:
        if not repair.disabled and (repair.workaround, repair.dead_end) == wanted:
            action.edit = workspace_edit(server, repair.files)
            return action
    return action
