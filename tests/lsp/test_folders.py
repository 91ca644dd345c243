"""Workspaces of several folders: each has its own settings, `pyproject.toml` and records."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from .conftest import SEEDS
from .harness import Client, make_client
from .scene import BAD, LIMIT

#: A second record of another kind, so that ignoring one leaves the other.
EMPTY_CACHE = "import torch\n\ntorch.backends.cuda.matmul.allow_tf32 = True\n"


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """Three folders: one plain, one whose `pyproject.toml` ignores the record, one with a project inside."""
    made = {name: tmp_path / name for name in ("plain", "quiet", "nested")}
    for folder in made.values():
        folder.mkdir()
        (folder / "bad.py").write_text(BAD)
    (made["quiet"] / "pyproject.toml").write_text(f'[tool.detour]\nignore = ["{LIMIT}"]\n')
    inner = made["nested"] / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[tool.detour]\nper-file-ignores = { "bad.py" = ["*"] }\n')
    (inner / "bad.py").write_text(BAD)
    (inner / "good.py").write_text(BAD)
    return made


@pytest_asyncio.fixture
async def session(folders: dict[str, Path], cache: Path) -> AsyncIterator[Client]:
    """A client of several folders, whose settings can differ."""
    client = make_client()
    client.expected |= {"detour/incidents", "detour/status"}
    client.folders = [types.WorkspaceFolder(path.as_uri(), name) for name, path in folders.items()]
    await client.start(folders["plain"], cache, initialization_options={"clientCommands": True})
    yield client
    await client.end()


def change(client: Client, **settings: Path | Any) -> None:
    """Give folders new settings: `plain={...}` is what the folder `plain` has from now on."""
    for name, value in settings.items():
        root = next(folder.uri for folder in client.folders if folder.name == name)
        client.set_configuration({"detour": value}, scope_uri=root)
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))


async def test_each_folder_has_its_own_settings(session: Client, folders: dict[str, Path]) -> None:
    uris = {name: session.open(folder / "bad.py", BAD) for name, folder in folders.items()}
    await session.findings(uris["plain"], 1)
    await session.findings(uris["nested"], 1)
    assert await session.findings(uris["quiet"]) == [], "its pyproject.toml ignores the record"
    change(session, plain={"check": {"enable": False}})
    await session.findings(uris["plain"], 0)
    await session.findings(uris["nested"], 1)
    change(session, plain={}, nested={"ignore": [LIMIT]})
    await session.findings(uris["plain"], 1)
    await session.findings(uris["nested"], 0)
    session.warnings.append(r"detour\.check\.minTier")
    change(session, nested={"check": {"minTier": "perhaps"}})
    await session.findings(uris["nested"], 1)
    assert any("detour.check.minTier" in message.message for message in session.log_messages)


async def test_the_nearest_pyproject_counts(session: Client, folders: dict[str, Path]) -> None:
    inner = folders["nested"] / "inner"
    good, bad = session.open(inner / "good.py", BAD), session.open(inner / "bad.py", BAD)
    await session.findings(good, 1)
    assert await session.findings(bad) == []


async def test_the_torch_of_a_folder_decides_what_is_found(session: Client, folders: dict[str, Path]) -> None:
    """Torch 2.7 renamed `cache_size_limit` to `recompile_limit`: before, the name alone is an error."""
    change(session, plain={"torchVersion": "2.0.1"}, nested={"torchVersion": "2.13.0"})
    old = await session.findings(session.open(folders["plain"] / "bad.py", BAD), 2)
    assert any("2.7" in finding.message for finding in old)
    await session.findings(session.open(folders["nested"] / "bad.py", BAD), 1)


async def test_a_folder_that_comes_later_has_its_settings(
    session: Client, folders: dict[str, Path], tmp_path: Path
) -> None:
    late = tmp_path / "late"
    late.mkdir()
    (late / "pyproject.toml").write_text(f'[tool.detour]\nignore = ["{LIMIT}"]\n')
    uri = session.open(late / "bad.py", BAD)
    change(session, plain={"ignore": [LIMIT]})
    session.workspace_did_change_workspace_folders(
        types.DidChangeWorkspaceFoldersParams(
            types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(late.as_uri(), "late")], [])
        )
    )
    await session.findings(uri, 0)
    await session.findings(session.open(folders["plain"] / "bad.py", BAD), 0)


async def test_ignored_records_give_no_incidents_either(
    session: Client, folders: dict[str, Path], workspace: Path
) -> None:
    log = (workspace / "train.log").read_text()
    program = "repro_dynamic_false.py"
    for name in ("plain", "quiet"):
        (folders[name] / program).write_text((workspace / program).read_text())
        session.run_in_terminal(log, cwd=folders[name], command=f"python {folders[name] / program}", run=name)
    await session.pushed((folders["plain"] / program).as_uri(), 1)
    await session.pushed((folders["quiet"] / program).as_uri(), 0)

    async def listed() -> list[Any]:
        return [params.incidents for method, params in session.received if method == "detour/incidents"][-1]

    await session.until(listed, lambda items: len(items) == 1)
    change(session, plain={"ignore": [LIMIT.partition("/")[0]]})
    await session.pushed((folders["plain"] / program).as_uri(), 0)
    await session.until(listed, lambda items: items == [])
    change(session, plain={})
    await session.pushed((folders["plain"] / program).as_uri(), 1)


async def test_records_that_cannot_be_loaded_are_told_in_their_file_and_as_status(
    session: Client, folders: dict[str, Path]
) -> None:
    file = folders["plain"] / "ours" / "mine" / "record.json"
    file.parent.mkdir(parents=True)
    record = json.loads((SEEDS / LIMIT / "record.json").read_text())
    file.write_text(json.dumps({**record, "id": "ours/mine", "verification_tier": "certain"}, indent=1))
    session.warnings.append("record skipped: .*verification_tier")
    session.known.add(file.as_uri())
    change(session, plain={"knowledge": ["ours"]})

    def said() -> list[Any]:
        return [params for method, params in session.received if method == "detour/status"]

    async def last() -> Any:
        return said()[-1] if said() else None

    status = await session.until(last, lambda status: status is not None and status.state == "error")
    assert status.records > 100, "all others are loaded"
    assert "record.json" in status.message
    (found,) = session.diagnostics[file.as_uri()]
    assert found.severity == types.DiagnosticSeverity.Error
    assert '"certain"' in file.read_text().splitlines()[found.range.start.line]
    change(session, plain={})
    await session.until(last, lambda status: status.state == "ready")
    assert not session.diagnostics[file.as_uri()]


async def test_a_scan_of_the_workspace_reads_notebooks_and_respects_settings(
    session: Client, folders: dict[str, Path]
) -> None:
    change(session, nested={"ignore": [LIMIT]})
    cells = [{"cell_type": "markdown", "source": ["# Title"]}]
    cells.append({"cell_type": "code", "source": BAD.splitlines(keepends=True)})
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    (folders["plain"] / "a.ipynb").write_text(json.dumps(notebook, indent=1))
    (folders["plain"] / "broken.ipynb").write_text("{")
    session.expected |= {types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.PROGRESS}
    counts = await session.workspace_execute_command_async(types.ExecuteCommandParams("detour.scanWorkspace"))
    (finding,) = await session.pushed((folders["plain"] / "a.ipynb").as_uri(), 1)
    assert finding.message.startswith("cell 2, line 3: ")
    shown = (folders["plain"] / "a.ipynb").read_text().splitlines()[finding.range.start.line]
    assert "recompile_limit = 0" in shown
    await session.pushed((folders["plain"] / "bad.py").as_uri(), 1)
    assert not session.diagnostics.get((folders["quiet"] / "bad.py").as_uri())
    assert not session.diagnostics.get((folders["nested"] / "bad.py").as_uri())
    assert counts["findings"] == 2
    change(session, plain={"ignore": [LIMIT]})
    await session.pushed((folders["plain"] / "bad.py").as_uri(), 0)
