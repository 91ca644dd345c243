"""Looks for changed configuration and pins itself, for clients that do not watch files: Neovim, and every small one."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.lsp.analysis import is_python
from detour_lsp.lsp.text_document import SyncedDocument

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: A handful of files: looking is cheaper than a watcher.
SECONDS = 1.0
#: The times of files may be behind the clock by so much.
CLOCK_NS = 50_000_000
NAMES = ("pyproject.toml", "uv.lock", "requirements.txt")

_Stamps = dict[Path, tuple[int, int] | None]


async def watch(server: DetourServer) -> None:
    """Look for as long as the server lives, in the folders around the open Python files."""
    seen: _Stamps = {}
    before = time.time_ns()
    while True:
        folders, begin = _folders(server), time.time_ns()
        now = await server.compute(lambda f=folders: _stamps(f))
        if any(_changed(path, stamp, seen, before) for path, stamp in now.items()):
            await server.files_changed()
        seen, before = now, begin
        await asyncio.sleep(SECONDS)


def _changed(path: Path, stamp: tuple[int, int] | None, seen: _Stamps, before: int) -> bool:
    """Whether a file is another one than at the last look; one of a new folder, whether it was written since then."""
    if path in seen:
        return seen[path] != stamp
    return stamp is not None and stamp[0] > before - CLOCK_NS


def _folders(server: DetourServer) -> set[Path]:
    """The workspace folders, and every folder between one of them and an open file."""
    found = set(server.folders)
    for document in server.documents.text_documents.values():
        home = server.home_of(document.uri) if isinstance(document, SyncedDocument) and is_python(document) else None
        if home is None:
            continue
        found.add(home.parent)
        root = server.folder_of(home)
        if root is not None:
            found.update(folder for folder in home.parents if folder.is_relative_to(root))
    return found


def _stamps(folders: set[Path]) -> _Stamps:
    return {folder / name: _stamp(folder / name) for folder in folders for name in NAMES}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
