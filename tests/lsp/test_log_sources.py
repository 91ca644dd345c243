"""One log in several ways at once: open, followed on disk, no longer wanted, read with other records."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from .conftest import SEEDS
from .harness import Client
from .scene import LIMIT, MISMATCH, make_scene

Session = Callable[..., AbstractAsyncContextManager[Client]]


def own_record(folder: Path, says: str) -> None:
    """A record of the user's own that knows one sentence."""
    record: dict[str, Any] = json.loads((SEEDS / MISMATCH / "record.json").read_text())
    for name in ("evidence", "sources"):
        del record[name]
    record |= {"id": "mine/own", "domain": "mine", "regex": says, "signature": says, "workarounds": []}
    record |= {"workarounds_zh": [], "signatures": [{"regex": says, "example": says, "level": "error"}]}
    record["transition_graph"] = {"leads_to": [], "preceded_by": [], "frequently_confused_with": []}
    record["dead_ends"] = [{"action": "x", "why_fails": "y", "fail_rate": 0.5, "detect": [{"call": "torch.compile"}]}]
    (folder / "mine/own").mkdir(parents=True)
    (folder / "mine/own/record.json").write_text(json.dumps(record))


async def codes(client: Client, uri: str, wanted: list[str]) -> None:
    async def get() -> list[Any]:
        return sorted(str(item.code) for item in client.diagnostics.get(uri, []))

    client.known.add(uri)
    await client.until(get, lambda found: found == sorted(wanted))


async def test_a_followed_log_goes_on_when_its_document_is_closed(own_session: Session, workspace: Path) -> None:
    scene = make_scene(workspace, "both")
    log = scene.log(scene.mismatch)
    uri, net = log.as_uri(), scene.net.as_uri()
    async with own_session() as client:
        client.known.add(scene.net.as_uri())
        client.use_settings({"logs": {"patterns": [f"{scene.train.stem}*.log"]}})
        await codes(client, uri, [MISMATCH])
        client.open(log, language="log")
        await codes(client, net, [MISMATCH])
        with log.open("a") as file:
            file.write(scene.limit)
        client.change(uri, 2, scene.mismatch + scene.limit)
        await codes(client, uri, [MISMATCH, LIMIT])
        client.close(uri)
        await codes(client, uri, [MISMATCH, LIMIT])
        await codes(client, net, [MISMATCH, LIMIT])
        client.open(log, language="log")
        await client.command("detour.clear")
        client.close(uri)
        await codes(client, uri, [])


async def test_a_log_that_is_emptied_or_followed_no_more_tells_nothing(own_session: Session, workspace: Path) -> None:
    scene = make_scene(workspace, "emptied")
    log = scene.log(scene.mismatch)
    async with own_session() as client:
        client.known.add(scene.net.as_uri())
        client.use_settings({"logs": {"patterns": [f"{scene.train.stem}*.log"]}})
        await codes(client, log.as_uri(), [MISMATCH])
        # `python train.py > run.log`, before the program prints anything.
        log.write_text("")
        await codes(client, log.as_uri(), [])
        log.write_text(scene.mismatch)
        await codes(client, scene.net.as_uri(), [MISMATCH])
        client.use_settings({})
        await codes(client, scene.net.as_uri(), [])


async def test_an_open_log_that_is_not_scanned_is_told_from_disk(own_session: Session, workspace: Path) -> None:
    scene = make_scene(workspace, "unscanned")
    uri = scene.log(scene.mismatch).as_uri()
    settings = {"logs": {"patterns": [f"{scene.train.stem}*.log"], "scanOpenDocuments": False}}
    async with own_session() as client:
        client.known.add(scene.net.as_uri())
        client.use_settings(settings)
        client.open(scene.log(scene.mismatch), language="log")
        await codes(client, uri, [MISMATCH])


async def test_scanning_can_be_switched_while_a_log_is_open(own_session: Session, workspace: Path) -> None:
    scene = make_scene(workspace, "switched")
    async with own_session() as client:
        client.known.add(scene.net.as_uri())
        uri = client.open(scene.log(scene.mismatch), language="log")
        await codes(client, uri, [MISMATCH])
        client.use_settings({"logs": {"scanOpenDocuments": False}})
        await codes(client, uri, [])
        client.use_settings({})
        await codes(client, uri, [MISMATCH])


async def test_open_logs_are_read_again_with_other_records(own_session: Session, workspace: Path) -> None:
    scene = make_scene(workspace, "records")
    own_record(workspace / "own", "these shapes were never meant to meet")
    text = scene.mismatch.replace("mat1 and mat2 shapes cannot be multiplied", "these shapes were never meant to meet")
    async with own_session() as client:
        client.known.add(scene.net.as_uri())
        uri = client.open(scene.log(text), language="log")
        program = client.open(scene.train)
        await codes(client, uri, [])
        client.use_settings({"knowledge": ["own"]})
        await codes(client, uri, ["mine/own"])
        client.run_in_terminal(text, cwd=workspace, end=False)
        await codes(client, scene.net.as_uri(), ["mine/own"])
        assert "mine/own" in {item.code for item in await client.findings(program)}
        client.use_settings({})
        # What ran meanwhile is still read with the records that are gone.
        client.run_in_terminal("again\n" + text, cwd=workspace)
        await codes(client, uri, [])
        await codes(client, scene.net.as_uri(), [])
        await client.findings(program, 0)


async def test_records_that_cannot_be_looked_for_leave_those_of_detour(own_session: Session, workspace: Path) -> None:
    scene = make_scene(workspace, "unreadable")
    for name in ("x" * 300, "~nobody-of-this-name/records", "\x00"):
        async with own_session() as client:
            client.known.add(scene.net.as_uri())
            client.warnings.append("record skipped: .*no such file, folder or installed package")
            client.use_settings({"knowledge": [name]})
            uri = client.open(scene.log(scene.mismatch), language="log")
            await codes(client, uri, [MISMATCH])


async def test_a_workspace_that_is_a_link(own_session: Session, workspace: Path) -> None:
    real = workspace.rename(workspace.parent / "disk")
    workspace.symlink_to(real, target_is_directory=True)
    scene = make_scene(workspace, "linked")
    (workspace / "pyproject.toml").write_text(
        f'[tool.detour]\nper-file-ignores = {{ "quiet/*.py" = ["{LIMIT}"] }}\n', encoding="utf-8"
    )
    (workspace / "quiet").mkdir()
    bad = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\n"
    async with own_session() as client:
        client.known.add(scene.net.as_uri())
        # A shell tells where it really stands.
        client.run_in_terminal(scene.mismatch, cwd=real)
        await codes(client, scene.net.as_uri(), [MISMATCH])
        log = client.open(scene.log(scene.limit), language="log")
        await codes(client, log, [LIMIT])
        await client.findings(client.open((workspace / "loud.py").as_uri(), bad), 1)
        await client.findings(client.open((workspace / "quiet/a.py").as_uri(), bad), 0)
