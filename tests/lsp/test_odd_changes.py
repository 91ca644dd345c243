"""Edits as some clients tell them: of documents that are not open yet, and without any change."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from lsprotocol import types

from .harness import Client

BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\n"
Session = Callable[..., AbstractAsyncContextManager[Client]]


async def test_edits_of_a_document_that_is_not_open_are_none_of_ours(own_session: Session, workspace: Path) -> None:
    # Helix tells what was typed while the server started, and then opens the document with the result.
    async with own_session("helix") as client:
        uri = (workspace / "bad.py").as_uri()
        client.change(uri, 1, ((0, 0, 0, 0), "x"))
        client.open(workspace / "bad.py", BAD, version=2)
        (finding,) = await client.findings(uri, 1)
        assert finding.range.start.line == 2


async def test_a_version_without_a_change_counts(own_session: Session, workspace: Path) -> None:
    async with own_session("vscode") as client:
        uri = client.open(workspace / "bad.py", BAD)
        await client.findings(uri, 1)
        client.change(uri, 5)
        where = types.Range(types.Position(2, 3), types.Position(2, 3))
        context = types.CodeActionContext(diagnostics=[])
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        actions = await client.text_document_code_action_async(params)
        assert actions
        last = actions[-1]
        assert isinstance(last, types.CodeAction)
        assert last.edit
        assert last.edit.document_changes
        (edit,) = last.edit.document_changes
        assert isinstance(edit, types.TextDocumentEdit)
        assert edit.text_document.version == 5
