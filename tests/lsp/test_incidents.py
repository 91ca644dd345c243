"""The life of an incident: where it comes from, where it moves, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from lsprotocol import types

from .harness import Client
from .matrix import EVERY_PROFILE, MATRIX, feature
from .scene import LIMIT, MISMATCH, Scene, make_scene

pytestmark = MATRIX


@feature("detour/terminalData", "detour/terminalEnd")
async def test_a_second_run_of_the_command_clears_the_first(client: Client, scene: Scene) -> None:
    uri = scene.net.as_uri()
    command = f"python {scene.train.name}"
    client.run_in_terminal(scene.mismatch, cwd=scene.folder, command=command, run="1")
    await client.pushed(uri, 1)
    client.run_in_terminal("all well\n", cwd=scene.folder, command=command, run="2")
    await client.pushed(uri, 0)


@feature("detour/terminalData", "detour/terminalEnd")
async def test_the_same_failure_is_never_shown_twice(client: Client, scene: Scene) -> None:
    uri = scene.net.as_uri()
    for run, arguments in enumerate(("--lr 3", "--lr 4")):
        command = f"python {scene.train.name} {arguments}"
        client.run_in_terminal(scene.mismatch, cwd=scene.folder, run=str(run), command=command)
    # Another command, another terminal, and the same failure printed by every rank.
    ranks = "".join(f"[rank{rank}]: {line}\n" for rank in range(4) for line in scene.mismatch.splitlines())
    client.run_in_terminal(ranks, cwd=scene.folder, terminal="t2", command=f"torchrun {scene.train.name}")
    client.run_in_terminal(scene.limit, cwd=scene.folder, terminal="t3", command="make")
    found = await client.pushed(uri, 2)
    assert sorted(str(item.code) for item in found) == [LIMIT, MISMATCH]
    told = [params for method, params in client.received if method == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]
    assert max(len(params.diagnostics) for params in told if params.uri == uri) == 2


@feature("detour/terminalData")
async def test_a_failure_is_told_while_the_command_still_runs(client: Client, scene: Scene) -> None:
    client.run_in_terminal(scene.mismatch + "going on\n" * 5, cwd=scene.folder, end=False)
    await client.pushed(scene.net.as_uri(), 1)
    client.run_in_terminal("", cwd=scene.folder)


@feature("textDocument/didChange", "detour/terminalData")
async def test_an_incident_moves_with_its_line_and_ends_when_that_is_edited_away(client: Client, scene: Scene) -> None:
    uri = client.open(scene.net)
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.pushed(uri, 1)
    client.change(uri, 2, ((0, 0, 0, 0), "# one\n# two\n"))

    async def lines() -> list[int]:
        return [item.range.start.line for item in client.diagnostics[uri]]

    await client.until(lines, lambda found: found == [scene.RAISED + 2])
    line = scene.RAISED + 2
    client.change(uri, 3, ((line, 0, line, 200), "        return x"))
    await client.until(lines, lambda found: found == [])


@feature("textDocument/didChange")
async def test_an_incident_ends_when_its_line_of_the_log_is_edited_away(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    client.change(uri, 2, ((scene.BEGIN, 0, scene.DECISIVE + 1, 0), ""))
    await client.pushed(uri, 0)
    await client.pushed(scene.net.as_uri(), 0)


@feature("textDocument/didClose")
async def test_what_a_log_told_ends_when_it_is_closed(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(scene.net.as_uri(), 1)
    client.close(uri)
    await client.pushed(scene.net.as_uri(), 0)


@feature("textDocument/didClose")
async def test_a_file_that_is_deleted_or_renamed_takes_its_incidents_along(client: Client, scene: Scene) -> None:
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.pushed(scene.net.as_uri(), 1)
    client.open(scene.net)
    scene.net.rename(scene.net.with_suffix(".bak"))
    client.close(scene.net.as_uri())
    await client.pushed(scene.net.as_uri(), 0)


@feature("detour/watchLog")
async def test_logs_that_grow_are_followed(client: Client, scene: Scene) -> None:
    path = scene.log("epoch 1\n", "growing.log")
    client.known.add(path.as_uri())
    answer = await client.ask("detour/watchLog", {"path": str(path)})
    assert answer.watching is True
    with path.open("a") as log:
        log.write(scene.mismatch)
    (incident,) = await client.pushed(scene.net.as_uri(), 1)
    assert incident.code == MISMATCH
    # Begun anew, as by the next run.
    path.write_text("epoch 1\n")
    await client.pushed(scene.net.as_uri(), 0)
    for bad, reason in (("relative.log", "the path must be absolute"), (f"{path}.gone", "no such file")):
        refused = await client.ask("detour/watchLog", {"path": bad})
        assert (refused.watching, refused.reason) == (False, reason)


@feature("detour/notebookOutput")
async def test_the_error_of_a_cell_may_stand_in_a_module(client: Client, scene: Scene) -> None:
    cell = client.open(
        f"{(scene.folder / 'a.ipynb').as_uri()}#c1".replace("file:", "vscode-notebook-cell:"), "main()\n"
    )
    outputs = [{"mime": "application/vnd.code.notebook.error", "text": scene.mismatch}]
    ids = {"notebookUri": (scene.folder / "a.ipynb").as_uri(), "cellUri": cell}
    client.notify("detour/notebookOutput", {**ids, "executionId": "1", "outputs": outputs})
    await client.pushed(scene.net.as_uri(), 1)
    client.notify("detour/notebookOutput", {**ids, "executionId": "2", "outputs": []})
    await client.pushed(scene.net.as_uri(), 0)


@feature("detour/terminalData")
@EVERY_PROFILE
async def test_clients_that_ask_are_told_the_list_of_incidents_and_the_status(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path, profile: str
) -> None:
    scene = make_scene(workspace, "listed")
    async with own_session(profile, initialization_options={"clientCommands": True}) as client:
        client.expected |= {"detour/incidents", "detour/status"}

        async def told() -> list[Any]:
            lists = [params.incidents for method, params in client.received if method == "detour/incidents"]
            return lists[-1] if lists else []

        for terminal, kind in (("t1", "terminal"), ("debug:1", "debug"), ("task:1", "task"), ("selection:1", "text")):
            client.run_in_terminal(scene.mismatch, cwd=workspace, terminal=terminal, command="")
            await client.pushed(scene.net.as_uri(), 1)
            incident = (await client.until(told, lambda found, kind=kind: found and found[-1].source.kind == kind))[-1]
            assert incident.record == MISMATCH
            assert (incident.frame.uri, incident.frame.line) == (scene.net.as_uri(), scene.RAISED + 1)
        await client.command("detour.clear", incident.key)
        await client.until(told, lambda found: [item.source.kind for item in found] == ["terminal", "debug", "task"])
        states = [params.state for method, params in client.received if method == "detour/status"]
        assert states[-1] == "ready"


@feature("detour/terminalData", "detour/terminalEnd", "detour/notebookOutput", "detour/card", "detour/incidentText")
async def test_hostile_parameters_of_our_own_messages_change_nothing(client: Client, scene: Scene) -> None:
    surrogate = "\ud800\x00"
    for params in ({}, {"terminalId": 7, "data": ["x"]}, {"terminalId": "t", "executionId": None, "data": surrogate}):
        client.notify("detour/terminalData", params)
        client.notify("detour/terminalEnd", params)
    client.notify("detour/notebookOutput", {"outputs": [1, None, {}]})
    assert (await client.ask("detour/card", {"record": "../../etc/passwd"})).markdown is None
    assert (await client.ask("detour/incidentText", {"key": 3})).text is None
    assert (await client.ask("detour/matchLines", {"lines": "no list"})).matches == []
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.pushed(scene.net.as_uri(), 1)
