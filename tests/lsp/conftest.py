"""Sessions with the real server, one per test, in each client profile."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from .harness import EXPECTED_OF_VSCODE, PROFILES, SERVER_COMMAND, Client, make_client
from .wire import Wire

SEEDS = Path(__file__).resolve().parents[2] / "seeds"
#: The stored run that the tests replay: a program that torch 2.13.0 told of its recompile limit.
LIMIT = SEEDS / "pytorch/compile-recompilation-limit"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a program that failed, and its log."""
    folder = tmp_path / "project"
    folder.mkdir()
    shutil.copy(LIMIT / "repro_dynamic_false.py", folder / "repro_dynamic_false.py")
    shutil.copy(LIMIT / "logs/dynamic-false-torch-2.13.0.txt", folder / "train.log")
    return folder


@pytest.fixture
def options() -> dict[str, object]:
    """Initialization options; a test module overrides this."""
    return {}


@pytest.fixture
def locale() -> str | None:
    """The editor's language; a test overrides this."""
    return None


@pytest_asyncio.fixture
async def client(
    request: pytest.FixtureRequest, workspace: Path, options: dict[str, object], locale: str | None, tmp_path: Path
) -> AsyncIterator[Client]:
    """An initialized client; indirect parameter: the profile's name."""
    profile = getattr(request, "param", "vscode")
    client = make_client()
    client.profile = profile
    if profile == "vscode":
        client.expected |= EXPECTED_OF_VSCODE
    cache = Path(request.config.cache.mkdir("detour"))  # type: ignore[union-attr]
    await client.start_io(*SERVER_COMMAND, env={**os.environ, "DETOUR_CACHE_DIR": str(cache)}, cwd=str(tmp_path))
    client.set_configuration({"detour": {}})
    await client.initialize_session(
        types.InitializeParams(
            capabilities=PROFILES[profile],
            root_uri=workspace.as_uri(),
            workspace_folders=[types.WorkspaceFolder(workspace.as_uri(), "project")] if profile == "vscode" else None,
            locale=locale,
            initialization_options=options or None,
        )
    )
    yield client
    await client.shutdown_session()
    await client.stop()
    client.check_messages()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    """A server process that nothing has been said to yet."""
    wire = Wire(tmp_path)
    yield wire
    wire.process.kill()
    wire.process.wait()
    for stream in (wire.process.stdin, wire.process.stdout, wire.process.stderr):
        assert stream
        stream.close()
