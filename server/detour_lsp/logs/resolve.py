"""Finds the file of an incident's frame on this machine, and the frame's line in the file as it is now.

Logs come from other machines, containers and homes, so a path is followed from its end: the longest trailing part that
exists under the root wins. Files that have changed since the log was written still hold the frame's source text, on
another line; where they do not, the incident is stale.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from detour_lsp.logs import paths
from detour_lsp.logs.incident import Frame, Incident

#: Larger files are no source that a person wrote.
_MOST_BYTES = 5_000_000
#: A bare name (`train.py`) is searched for below the root, but not through whole data sets.
_MOST_FOLDERS = 2_000
_SKIPPED = frozenset(
    {".git", ".hg", ".venv", "venv", "node_modules", "__pycache__", "site-packages", ".tox", ".mypy_cache"}
)


def resolve(incident: Incident, root: Path | None) -> Incident:
    """The incident with `resolved`, `current_line` and `stale` filled in, as far as files under `root` tell."""
    frame = incident.user_frame
    if root is None or frame is None or frame.line <= 0 or frame.cell is not None:
        return incident
    found = find_file(frame.file, root)
    if found is None:
        return incident
    # Below the folder itself: the root may be named through a link, as homes on clusters and `/tmp` on a Mac are.
    relative = found.relative_to(root.resolve()).as_posix()
    line = _line_now(found, frame)
    if line is None:
        return replace(incident, resolved=relative, stale=True)
    return replace(incident, resolved=relative, current_line=line if line != frame.line else None)


def find_file(name: str, root: Path) -> Path | None:
    """The file under `root` that a path from a log means; never one outside of it."""
    path = paths.normalise(name)
    if not path or path.startswith("<"):
        return None
    parts = [part for part in path.split("/") if part not in ("", ".", "~")]
    if not parts or ".." in parts:
        parts = parts[len(parts) - parts[::-1].index("..") :] if ".." in parts else parts
    root = root.resolve()
    for start in range(len(parts)):
        if ":" in parts[start]:
            continue
        candidate = root.joinpath(*parts[start:])
        if _is_inside(candidate, root):
            return candidate.resolve()
        # The root itself may be the folder that the path goes through: `/home/u/project/train.py` for root `project`.
    return _search(parts, str(root), _stamp(root)) if parts else None


def _is_inside(candidate: Path, root: Path) -> bool:
    try:
        return candidate.is_file() and candidate.resolve().is_relative_to(root)
    except (OSError, ValueError):
        return False


def _stamp(root: Path) -> int:
    try:
        return root.stat().st_mtime_ns
    except OSError:
        return 0


def _search(parts: list[str], root: str, stamp: int) -> Path | None:
    """A file of that name below the root, when exactly one fits best."""
    name = parts[-1]
    best: list[tuple[int, Path]] = []
    for found in _files_below(root, stamp).get(name, ()):
        own = found.parts
        shared = 0
        while shared < min(len(own), len(parts)) and own[-1 - shared] == parts[-1 - shared]:
            shared += 1
        best.append((shared, found))
    if not best:
        return None
    most = max(shared for shared, _ in best)
    fitting = [found for shared, found in best if shared == most]
    if len(fitting) != 1:
        return None
    inside = Path(root)
    return fitting[0].resolve() if _is_inside(fitting[0], inside) else None


@lru_cache(maxsize=8)
def _files_below(root: str, stamp: int) -> dict[str, list[Path]]:
    """Python files below a root by their names; `stamp` is part of the key so that new top-level files are seen."""
    del stamp
    found: dict[str, list[Path]] = {}
    folders = deque([root])
    visited = 0
    while folders and visited < _MOST_FOLDERS:
        visited += 1
        try:
            # What `scandir` knows of an entry spares asking for each; a folder of data holds very many.
            with os.scandir(folders.popleft()) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listed:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED:
                    folders.append(entry.path)
            elif entry.name.endswith((".py", ".pyx", ".ipynb")) and not entry.is_symlink():
                found.setdefault(entry.name, []).append(Path(entry.path))
    return found


def _line_now(path: Path, frame: Frame) -> int | None:
    """The line of the frame's source text in the file now; the frame's own line when nothing speaks against it."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return frame.line
        with path.open(encoding="utf-8", errors="replace") as file:
            # The lines that Python counts; `splitlines` also ends them at form feeds and U+2028.
            lines = list(file)
    except OSError:
        return frame.line
    if not frame.source:
        return frame.line if frame.line <= len(lines) else None
    wanted = _squeezed(frame.source)
    if not wanted:
        return frame.line if frame.line <= len(lines) else None
    if 0 < frame.line <= len(lines) and _same(lines[frame.line - 1], wanted):
        return frame.line
    places = [number for number, text in enumerate(lines, 1) if _same(text, wanted)]
    if not places:
        return None
    return min(places, key=lambda number: (abs(number - frame.line), number))


def _same(text: str, wanted: str) -> bool:
    squeezed = _squeezed(text)
    # Boxes cut long lines at their border.
    return squeezed == wanted or (len(wanted) >= 20 and squeezed.startswith(wanted))


def _squeezed(text: str) -> str:
    return "".join(text.split())
