"""Repairs: as actions with their edits at once or when they are chosen, or as commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from lsprotocol import types

from .applying import applied, chosen, listed, usable
from .harness import Client
from .matrix import EVERY_PROFILE, MATRIX, feature
from .scene import BAD, LIMIT, Scene, make_scene

pytestmark = MATRIX
#: One thing that can be put right without a look, and one that cannot.
MIXED = "import torch\n\na, b = torch.meshgrid(torch.arange(3), torch.arange(2))\n" + BAD.split("\n\n")[1]
FIX_ALL = "source.fixAll.detour"


def offers(client: Client) -> bool:
    """Whether this client gets repairs at all."""
    return client.profile.fixes != "none"


@feature("textDocument/codeAction")
async def test_a_quick_fix_takes_the_dead_end_out_and_ignore_comes_last(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD, version=7)
    diagnostics = await client.findings(uri, 1)
    offered = usable(await listed(client, uri, 2, diagnostics=diagnostics))
    if not offers(client):
        assert offered == [], "it could neither make the edits nor have them made"
        return
    assert [item.title for item in offered] == [
        "Detour: Delete the limit of 0 (needs a look)",
        f"Detour: ignore {LIMIT} here",
    ]
    first, last = offered
    if isinstance(first, types.CodeAction) and isinstance(last, types.CodeAction):
        assert first.kind == last.kind == types.CodeActionKind.QuickFix
        assert [item.code for item in first.diagnostics or ()] == [LIMIT]
        assert (first.edit is None) == client.profile.lazy
        assert not first.is_preferred, "what needs a look is not the one to take unseen"
    (change,) = await chosen(client, first)
    assert (change.uri, change.version) == (uri, 7 if client.profile.versioned else None)
    assert applied(client, change) == BAD.replace("torch._dynamo.config.recompile_limit = 0\n", "")
    (comment,) = await chosen(client, last)
    assert applied(client, comment) == BAD.replace("= 0\n", f"= 0  # detour: ignore[{LIMIT}]\n")


@feature("textDocument/codeAction")
async def test_the_best_safe_repair_is_preferred(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "mixed.py", MIXED)
    await client.findings(uri, 2)
    offered = usable(await listed(client, uri, 2, 10))
    if not offers(client):
        assert offered == []
        return
    assert offered[0].title == 'Detour: Pass indexing="ij"'
    marked = [item.title for item in offered if getattr(item, "is_preferred", None)]
    assert marked == (['Detour: Pass indexing="ij"'] if client.profile.preferred else [])
    (change,) = await chosen(client, offered[0])
    assert 'torch.meshgrid(torch.arange(3), torch.arange(2), indexing="ij")' in applied(client, change)


@feature("textDocument/codeAction")
async def test_what_does_not_fit_is_shown_with_the_reason_or_not_at_all(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.limit), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    offered = await listed(client, uri, 0)
    reasons = [item.disabled.reason for item in offered if isinstance(item, types.CodeAction) and item.disabled]
    if client.profile.disabled:
        assert "The limit in the message is above 0." in reasons
        assert all(reasons)
    else:
        assert reasons == []
        assert all("Delete the limit" not in item.title for item in offered)
    # Those that fit come first.
    fits = [not getattr(item, "disabled", None) for item in offered]
    assert fits == sorted(fits, reverse=True)


@feature("textDocument/codeAction")
async def test_a_fix_offered_at_the_log_edits_the_program(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    offered = usable(await listed(client, uri, scene.FRAME))
    if not offers(client):
        assert offered == []
        return
    assert offered[0].title == "Detour: Set in_features to 10 (needs a look)"
    (change,) = await chosen(client, offered[0])
    assert (change.uri, change.version) == (scene.net.as_uri(), None), "it is not open"
    assert applied(client, change) == scene.net.read_text().replace("Linear(12, 2)", "Linear(10, 2)")


@feature("textDocument/codeAction")
@EVERY_PROFILE
async def test_a_fix_offered_at_the_line_that_raised_edits_another_file(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path, profile: str
) -> None:
    (workspace / "repro_dynamic_false.py").unlink()
    scene = make_scene(workspace, "other")
    async with own_session(profile) as client:
        net = client.open(scene.net)
        train = client.open(scene.train, version=4)
        client.run_in_terminal(scene.limit, cwd=workspace)
        (incident,) = await client.pushed(net, 1)
        assert (incident.code, incident.range.start.line) == (LIMIT, scene.COMPILED)
        offered = usable(await listed(client, net, scene.COMPILED))
        if not offers(client):
            assert offered == []
            return
        raises = next(item for item in offered if "Raise recompile_limit" in item.title)
        (change,) = await chosen(client, raises)
        assert (change.uri, change.version) == (train, 4 if client.profile.versioned else None)
        assert "torch._dynamo.config.recompile_limit = 256\n" in applied(client, change)


@feature("textDocument/codeAction")
async def test_fix_all_takes_safe_repairs_only(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "mixed.py", MIXED, version=3)
    await client.findings(uri, 2)
    # A client that runs it on save asks for the kind or for one above it.
    for only in ([FIX_ALL], ["source.fixAll"], ["source"]):
        offered = await listed(client, uri, 0, only=only)
        if client.profile.fixes != "actions":
            assert offered == [], "only actions have kinds"
            continue
        (action,) = offered
        assert isinstance(action, types.CodeAction)
        assert action.kind == FIX_ALL
        assert action.edit is not None, "it is made without being resolved"
        (change,) = await chosen(client, action)
        assert change.version == (3 if client.profile.versioned else None)
        assert applied(client, change) == MIXED.replace("arange(2))", 'arange(2), indexing="ij")')
    assert all(getattr(item, "kind", "") != FIX_ALL for item in await listed(client, uri, 2))
    assert await listed(client, uri, 2, only=["refactor"]) == []
    clean = client.open(scene.folder / "clean.py", BAD)
    await client.findings(clean, 1)
    assert await listed(client, clean, 2, only=[FIX_ALL]) == [], "nothing safe to repair"


@feature("codeAction/resolve")
async def test_an_action_is_resolved_on_the_text_as_it_is_then(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    data = {"uri": uri, "workaround": None, "deadEnd": 1}
    offered = usable(await listed(client, uri, 2))
    action = next((item for item in offered if isinstance(item, types.CodeAction)), None)
    if not client.profile.lazy or action is None:
        # It never has to ask; what it asks all the same is answered with what it sent.
        asked = types.CodeAction("mine", data={**data, "finding": "no such one"})
        assert (await client.code_action_resolve_async(asked)).edit is None
        return
    above = "# one\n# two\n"
    client.change(uri, 2, ((0, 0, 0, 0), above))
    client.opened[uri] = above + BAD
    (change,) = await chosen(client, action)
    assert change.version == (2 if client.profile.versioned else None)
    assert applied(client, change) == above + BAD.replace("torch._dynamo.config.recompile_limit = 0\n", "")
    client.change(uri, 3, "import torch\n")
    await client.findings(uri, 0)
    assert (await client.code_action_resolve_async(action)).edit is None, "what it was about is gone"


@feature("codeAction/resolve")
async def test_edits_fit_the_version_that_they_name_while_somebody_types(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path
) -> None:
    # Large enough to be checked and repaired on threads, during which the next edit comes.
    large = BAD + "".join(f"def step_{n}(model, batch):\n    return model(batch), {n}\n\n\n" for n in range(4_000))
    made = 0
    async with own_session("vscode") as client:
        for number in range(10):
            texts = {1: large}
            uri = client.open((workspace / f"large_{number}.py").as_uri(), large)
            await client.findings(uri, 1)
            action = usable(await listed(client, uri, 2))[0]
            resolved = asyncio.ensure_future(chosen(client, action))
            await asyncio.sleep(0.001 * (number % 3))
            texts[2] = f"# new\n{large}"
            client.change(uri, 2, ((0, 0, 0, 0), "# new\n"))
            for change in await resolved:
                made += 1
                assert change.version
                text = texts[change.version]
                assert applied(client, change, text) == text.replace("torch._dynamo.config.recompile_limit = 0\n", "")
            client.close(uri)
    assert made, "no edit at all was worked out"


@feature("detour.applyFix")
async def test_a_repair_can_be_had_as_a_command(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    assert await client.command("detour.applyFix") is False
    assert await client.command("detour.applyFix", {"uri": uri, "finding": "no such one"}) is False
    if client.profile.fixes == "commands":
        first = usable(await listed(client, uri, 2))[0]
        assert isinstance(first, types.Command)
        client.change(uri, 2, ((0, 0, 0, 0), "# one\n"))
        client.opened[uri] = "# one\n" + BAD
        (change,) = await chosen(client, first)
        assert "recompile_limit" not in applied(client, change), "made on the text as it is now"
