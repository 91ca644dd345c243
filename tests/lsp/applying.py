"""What an editor does with repairs: list them, choose one, and make its edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from .harness import Client


@dataclass(frozen=True)
class Change:
    """What a repair does to a file."""

    uri: str
    #: The version of the open document that it is for; None for a file that is not open.
    version: int | None
    edits: tuple[types.TextEdit, ...]


async def listed(
    client: Client,
    uri: str,
    line: int,
    character: int = 3,
    *,
    only: Sequence[str] | None = None,
    diagnostics: Sequence[types.Diagnostic] = (),
) -> list[types.CodeAction | types.Command]:
    """What is offered at a place."""
    at = types.Position(line, character)
    context = types.CodeActionContext(list(diagnostics), list(only) if only else None)  # type: ignore[arg-type]
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(at, at), context)
    found = list(await client.text_document_code_action_async(params) or ())
    kind = {"actions": types.CodeAction, "commands": types.Command, "none": type(None)}[client.profile.fixes]
    assert all(isinstance(item, kind) for item in found), f"{client.profile.name} cannot read these: {found}"
    for item in found:
        assert client.profile.preferred or getattr(item, "is_preferred", None) is None, item
        assert client.profile.disabled or getattr(item, "disabled", None) is None, item
        assert client.profile.lazy or getattr(item, "data", None) is None, item
    return found


def usable(offered: Sequence[types.CodeAction | types.Command]) -> list[types.CodeAction | types.Command]:
    """Without those that are only shown with the reason why not."""
    return [item for item in offered if not getattr(item, "disabled", None)]


async def chosen(client: Client, item: types.CodeAction | types.Command) -> list[Change]:
    """What choosing an offer does, in the form in which this client must get it."""
    if isinstance(item, types.Command):
        client.expected.add(types.WORKSPACE_APPLY_EDIT)
        assert await client.command(item.command, *(item.arguments or ())) is True
        return _changes(client, client.edits.pop())
    if item.edit is None and client.profile.lazy:
        item = await client.code_action_resolve_async(item)
    return _changes(client, item.edit) if item.edit is not None else []


def _changes(client: Client, edit: types.WorkspaceEdit) -> list[Change]:
    """The changes of an edit, which says versions exactly where the client knows them."""
    if not client.profile.versioned:
        assert edit.document_changes is None
        return [Change(uri, None, tuple(edits)) for uri, edits in (edit.changes or {}).items()]
    assert edit.changes is None
    found: list[Change] = []
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        edits = tuple(item for item in change.edits if isinstance(item, types.TextEdit))
        found.append(Change(change.text_document.uri, change.text_document.version, edits))
    return found


def applied(client: Client, change: Change, text: str | None = None) -> str:
    """The text after a change, worked out with pygls' own counting of positions."""
    if text is None:
        text = client.opened.get(change.uri)
    if text is None:
        text = Path(types_path(change.uri)).read_text()
    codec = PositionCodec(types.PositionEncodingKind(client.profile.encoding))
    lines = text.splitlines(keepends=True)

    def offset(position: types.Position) -> int:
        exact = codec.position_from_client_units(lines, position) if position.line < len(lines) else position
        return sum(len(line) for line in lines[: exact.line]) + exact.character

    for edit in sorted(change.edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def types_path(uri: str) -> str:
    """The path of a file's URI."""
    from pygls.uris import to_fs_path

    path = to_fs_path(uri)
    assert path is not None
    return path
