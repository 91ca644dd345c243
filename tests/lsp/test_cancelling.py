"""Requests that the client takes back."""

from __future__ import annotations

from lsprotocol import types

from .harness import Client
from .matrix import MATRIX, feature
from .scene import BAD, MISMATCH, Scene

pytestmark = MATRIX
#: Large enough to be read on a thread, so that what is asked about it has to wait.
LARGE = BAD + "".join(f"def step_{n}(model, batch):\n    return model(batch), {n}\n\n\n" for n in range(4_000))


@feature("$/cancelRequest", "textDocument/codeAction")
async def test_a_request_that_still_waits_can_be_taken_back(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "large.py", LARGE)
    at = types.Range(types.Position(2, 3), types.Position(2, 3))
    context = types.CodeActionContext(diagnostics=[])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), at, context)
    code = await client.cancelled(types.TEXT_DOCUMENT_CODE_ACTION, params)
    assert code == types.LSPErrorCodes.RequestCancelled
    # What it waited for was not taken back with it.
    await client.findings(uri, 1)
    assert await client.hover(uri, 2, 10) is not None


@feature("$/cancelRequest", "detour/card")
async def test_taking_back_what_is_answered_or_unknown_changes_nothing(client: Client) -> None:
    client.cancel_request(types.CancelParams("never sent"))
    client.cancel_request(types.CancelParams(7))
    assert MISMATCH in (await client.ask("detour/card", {"record": MISMATCH})).markdown
    # A request that is answered at once is answered all the same, or taken back; the server goes on either way.
    code = await client.cancelled("detour/card", {"record": MISMATCH})
    assert code in (None, types.LSPErrorCodes.RequestCancelled)
    assert MISMATCH in (await client.ask("detour/card", {"record": MISMATCH})).markdown


@feature("$/cancelRequest", "detour.scanWorkspace")
async def test_a_command_can_be_taken_back(client: Client, scene: Scene) -> None:
    """By its request, also in a client that shows no progress and so has nothing to press."""
    client.expected |= {types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.PROGRESS}
    for number in range(100):
        (scene.folder / f"module_{number}.py").write_text(BAD)
    scan = types.ExecuteCommandParams("detour.scanWorkspace")
    code = await client.cancelled(types.WORKSPACE_EXECUTE_COMMAND, scan)
    assert code == types.LSPErrorCodes.RequestCancelled
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)


@feature("textDocument/didChange")
async def test_edits_of_a_document_that_is_not_open_are_dropped(client: Client, scene: Scene) -> None:
    uri = (scene.folder / "never.py").as_uri()
    client.change(uri, 2, ((0, 0, 0, 0), BAD))
    client.close(uri)
    opened = client.open(scene.folder / "bad.py", BAD)
    await client.findings(opened, 1)
