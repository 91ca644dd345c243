"""Commands, and the requests of our own behind them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from lsprotocol import types

from .harness import Client
from .matrix import EVERY_PROFILE, MATRIX, feature
from .profiles import PROFILES
from .scene import BAD, LIMIT, MISMATCH, Scene, make_scene

pytestmark = MATRIX
MESSAGE = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x10 and 12x2)"


async def key_of(client: Client, uri: str) -> str:
    """The key of a log's first incident; the lens tells it to every client."""
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    (lens,) = await client.text_document_code_lens_async(params) or ()
    assert lens.command is not None
    assert lens.command.arguments
    return lens.command.arguments[0]["key"]


@feature("detour.clear")
async def test_clear_ends_one_incident_or_all(client: Client, scene: Scene) -> None:
    log = client.open(scene.log(scene.mismatch + scene.limit), language="log")
    await client.pushed(scene.net.as_uri(), 2)
    await client.pushed(log, 2)
    await client.command("detour.clear", {"key": await key_of(client, log)})
    (left,) = await client.pushed(scene.net.as_uri(), 1)
    assert left.code == LIMIT
    await client.command("detour.clear", "no such key")
    await client.pushed(log, 1)
    await client.command("detour.clear")
    await client.pushed(scene.net.as_uri(), 0)
    await client.pushed(log, 0)


@feature("detour.clear", "detour/terminalData")
async def test_what_was_printed_before_a_clear_does_not_come_back(client: Client, scene: Scene) -> None:
    client.known.add(scene.net.as_uri())
    filler = "step 1 loss 0.5\n" * 2_000
    client.run_in_terminal(f"{filler}{scene.mismatch}", cwd=scene.folder)
    await client.command("detour.clear")
    told = len(client.received)
    for _ in range(20):
        await client.ask("detour/card", {"record": "cuda/out-of-memory"})
    assert client.received[told:] == []
    assert not client.diagnostics.get(scene.net.as_uri())


@feature("detour.showCard", "detour/card")
async def test_a_card_is_had_by_record_and_by_incident(client: Client, scene: Scene) -> None:
    log = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(log, 1)
    await client.pushed(scene.net.as_uri(), 1)
    by_record = await client.command("detour.showCard", {"record": MISMATCH})
    assert by_record == await client.command("detour.showCard", MISMATCH)
    assert by_record == (await client.ask("detour/card", {"record": MISMATCH})).markdown
    assert f"`{MISMATCH}`" in by_record, "a card is Markdown whatever the client shows on hover"
    key = await key_of(client, log)
    mine = await client.command("detour.showCard", {"key": key})
    assert MISMATCH in mine
    assert "features `10`, expected `12`" in mine, "the card of an incident tells what it captured"
    assert mine == (await client.ask("detour/card", {"key": key})).markdown
    assert "行不通的做法" in (await client.ask("detour/card", {"record": LIMIT, "locale": "zh-CN"})).markdown
    assert await client.command("detour.showCard", {"record": "no/such"}) is None
    assert await client.command("detour.showCard") is None


@feature("detour.incidentText", "detour/incidentText")
async def test_the_original_text_and_a_prompt_can_be_copied(client: Client, scene: Scene) -> None:
    log = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(log, 1)
    await client.pushed(scene.net.as_uri(), 1)
    key = await key_of(client, log)
    assert await client.command("detour.incidentText", {"key": key, "form": "message"}) == MESSAGE
    assert (await client.ask("detour/incidentText", {"key": key})).text == MESSAGE
    prompt = await client.command("detour.incidentText", {"key": key, "form": "prompt"})
    assert prompt == (await client.ask("detour/incidentText", {"key": key, "form": "prompt"})).text
    for part in (MESSAGE, "## My code", "return self.head(x)", "(line 11 raised it)", "What is known about this error"):
        assert part in prompt
    assert await client.command("detour.incidentText", {"key": "gone"}) is None
    assert await client.command("detour.incidentText") is None


@feature("detour/matchLines")
async def test_lines_of_a_terminal_that_a_record_knows(client: Client) -> None:
    lines = ["fine", "𝒳 " + MESSAGE, 7, "File x.py"]
    (match,) = (await client.ask("detour/matchLines", {"lines": lines})).matches
    assert (match.line, match.record) == (1, MISMATCH)
    assert lines[1][match.start : match.end] == MESSAGE.removeprefix("RuntimeError: ")  # type: ignore[index]


def fill(workspace: Path) -> None:
    """A workspace of a program, a bad file, a notebook, a notebook that is none, and two logs."""
    scene = make_scene(workspace, "scanned")
    scene.log(scene.mismatch)
    (workspace / "bad.py").write_text(BAD)
    (workspace / "broken.ipynb").write_text("{")
    cell = {"cell_type": "code", "source": BAD.splitlines(keepends=True), "outputs": [], "metadata": {}}
    notebook = {"cells": [cell], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    (workspace / "a.ipynb").write_text(json.dumps({**notebook, "cells": [cell]}, indent=1))


@feature("detour.scanWorkspace")
@EVERY_PROFILE
async def test_a_scan_of_the_workspace_with_and_without_progress(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path, profile: str
) -> None:
    fill(workspace)
    uris = {name: (workspace / name).as_uri() for name in ("bad.py", "a.ipynb", "scanned_net.py", "train.log")}
    async with own_session(profile) as client:
        if PROFILES[profile].progress:
            client.expected |= {types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.PROGRESS}
        client.known |= {(workspace / name).as_uri() for name in ("scanned_train-run.log", "repro_dynamic_false.py")}
        counts = await client.command("detour.scanWorkspace")
        assert counts == {"files": 8, "findings": 2, "incidents": 2}
        (finding,) = await client.pushed(uris["bad.py"], 1)
        assert (finding.code, finding.range.start.line) == (LIMIT, 2)
        (cell,) = await client.pushed(uris["a.ipynb"], 1)
        assert cell.message.startswith("cell 1, line 3: ")
        (incident,) = await client.pushed(uris["scanned_net.py"], 1)
        assert incident.code == MISMATCH
        await client.pushed(uris["train.log"], 1)
        reports = list(client.progress_reports.values())
        if PROFILES[profile].progress:
            ((begin, *between, end),) = reports
            assert begin.kind == "begin"
            assert begin.cancellable is True
            assert between
            assert all(report.kind == "report" for report in between)
            assert end.kind == "end"
        else:
            assert reports == []
        # Open files are told by what is on the screen.
        client.open(workspace / "bad.py", "import torch\n")
        await client.findings(uris["bad.py"], 0)


@feature("detour.scanWorkspace", "window/workDoneProgress/cancel")
@pytest.mark.parametrize("profile", [profile.name for profile in PROFILES.values() if profile.progress])
async def test_a_scan_can_be_cancelled(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path, profile: str
) -> None:
    for number in range(300):
        (workspace / f"module_{number}.py").write_text(BAD)
    async with own_session(profile) as client:
        client.known |= {path.as_uri() for path in workspace.iterdir()}
        client.expected |= {types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.PROGRESS}
        client.cancels_progress = True
        counts = await client.command("detour.scanWorkspace")
        assert counts["findings"] < 300
        ((*_, end),) = client.progress_reports.values()
        assert end.kind == "end", "the bar goes away"
        # The server goes on as if nothing had been.
        uri = client.open(workspace / "bad.py", BAD)
        await client.findings(uri, 1)
