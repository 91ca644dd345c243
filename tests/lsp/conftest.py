"""Sessions with the real server: one per client profile that many tests share, and one of a test's own."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from .harness import Client, make_client, session
from .matrix import covered
from .profiles import PROFILES
from .scene import Scene, make_scene
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


@pytest.fixture(scope="session")
def cache(request: pytest.FixtureRequest) -> Path:
    """Where servers keep their compiled records, between runs of the tests too."""
    return Path(request.config.cache.mkdir("detour"))  # type: ignore[union-attr]


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=list(PROFILES))
async def running(
    request: pytest.FixtureRequest, cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Client, Path]]:
    """The server of a profile, and its workspace."""
    root = tmp_path_factory.mktemp(request.param) / "project"
    root.mkdir()
    client = make_client(request.param)
    await client.start(root, cache)
    yield client, root
    client.forget()
    await client.end()


@pytest_asyncio.fixture(loop_scope="session")
async def client(request: pytest.FixtureRequest, running: tuple[Client, Path]) -> AsyncIterator[Client]:
    """The editor of a profile, as if it had just been started; the test is run in each profile."""
    client, _root = running
    client.forget()
    yield client
    missing = covered(request.function, client.profile) - client.sent
    await client.tidy()
    assert not missing, f"the test says that it is about {missing}, which it never used"


@pytest.fixture
def folder(request: pytest.FixtureRequest, running: tuple[Client, Path]) -> Path:
    """A folder of the workspace that only this test uses."""
    folder = running[1] / re.sub(r"\W+", "_", request.function.__name__)
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def scene(request: pytest.FixtureRequest, folder: Path) -> Scene:
    """A program that failed, with names of its own."""
    return make_scene(folder, re.sub(r"\W+", "_", request.function.__name__.removeprefix("test_"))[:40])


@pytest.fixture
def own_session(workspace: Path, cache: Path) -> Callable[..., AbstractAsyncContextManager[Client]]:
    """Starts a server that the test has for itself: `async with own_session("vscode") as client`."""
    return partial(_session, workspace, cache)


def _session(root: Path, cache: Path, profile: str = "vscode", **params: Any) -> AbstractAsyncContextManager[Client]:
    return session(profile, root, cache, **params)


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
