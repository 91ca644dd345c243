"""How `detour run` tells open editors of a failure: one small file in a directory of the user's own.

A terminal without shell integration, a Neovim without an extension: the editor's server does not see what the terminal
shows. It watches this directory instead. Only the end of the output is handed over, only the user can read it, and it
is taken away soon after (DESIGN section 9).
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

#: So much of the output's end is handed over.
MOST_CHARACTERS = 2_000_000
#: Files older than this are taken away by the next `detour run` and by every server that starts.
KEPT_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A command that has failed, and the end of what it printed."""

    command: str
    folder: str
    status: int
    text: str


def directory() -> Path:
    """The directory of this user; made with access for nobody else. Raises OSError when it cannot be trusted."""
    named = os.environ.get("DETOUR_RUN_DIR")
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "user")
    path = Path(named) if named else base / f"detour-run-{user}"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.platform != "win32":
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
            raise PermissionError(f"{path} belongs to somebody else, or others may look into it")
    return path


def hand_over(failure: Failure) -> None:
    """Leave a failure for the servers of this user; raises OSError."""
    folder = directory()
    sweep(folder)
    shortened = Failure(failure.command, failure.folder, failure.status, failure.text[-MOST_CHARACTERS:])
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".new-", suffix=".tmp")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
        json.dump(asdict(shortened), file)
    os.replace(name, folder / f"{time.time_ns()}-{os.getpid()}.json")


def sweep(folder: Path) -> None:
    """Take away what every server has had time to read."""
    oldest = time.time() - KEPT_SECONDS
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except FileNotFoundError:
            continue  # Another process swept it.


def new_failures(folder: Path, seen: set[str]) -> Iterator[Failure]:
    """The failures in the directory that are not in `seen`, oldest first; they are then in it."""
    for path in sorted(folder.glob("*.json")):
        if path.name in seen:
            continue
        seen.add(path.name)
        failure = _read(path)
        if failure is not None:
            yield failure


def _read(path: Path) -> Failure | None:
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None  # Swept meanwhile, or not one of ours.
    if not isinstance(data, dict):
        return None
    fields = cast("dict[str, Any]", data)
    command, folder, text, status = (fields.get(name) for name in ("command", "folder", "text", "status"))
    if isinstance(command, str) and isinstance(folder, str) and isinstance(text, str) and isinstance(status, int):
        return Failure(command, folder, status, text)
    return None
