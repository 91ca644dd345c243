"""The files that the patterns of `logs.patterns` find: looked for again and again, so nothing is walked in vain.

Unlike `Path.glob`, folders that hold no logs of the user's (`.git`, environments, `node_modules`) are not walked, and
links to folders are not followed, so there are no circles.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from detour_lsp.logs.inputs import SKIPPED_FOLDERS


def matching(places: Iterable[tuple[Path, str]], most: int) -> list[Path]:
    """The files that patterns find in their folders; where there are more than so many, those last written to."""
    found: dict[str, None] = {}
    for folder, pattern in places:
        parts = PurePosixPath(pattern.replace("\\", "/").lstrip("/")).parts
        if parts and ".." not in parts:  # A pattern that leaves the folder finds nothing.
            found.update(dict.fromkeys(sorted(_below(str(folder), parts))))
    paths = list(found)
    if len(paths) > most:
        # The next run of a program is the one that somebody waits for, whatever its log is called.
        paths = heapq.nlargest(most, paths, key=_written)
    return [Path(path) for path in paths]


def _written(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0  # Gone since it was listed.


def _below(folder: str, parts: tuple[str, ...]) -> Iterator[str]:
    head, rest = parts[0], parts[1:] or (("*",) if parts[0] == "**" else ())
    if head == "**":
        yield from _below(folder, rest)
    try:
        with os.scandir(folder) as listing:
            entries = list(listing)
        below = [entry.path for entry in entries if (_walked(entry) if head == "**" else _named(entry, head, rest))]
    except OSError:
        return  # Gone, or not ours to read.
    for path in below:
        if rest:
            yield from _below(path, parts if head == "**" else rest)
        else:
            yield path


def _walked(entry: os.DirEntry[str]) -> bool:
    """Whether `**` goes into this."""
    name = entry.name
    return not name.startswith(".") and name not in SKIPPED_FOLDERS and entry.is_dir(follow_symlinks=False)


def _named(entry: os.DirEntry[str], head: str, rest: tuple[str, ...]) -> bool:
    """Whether this is what a part of a pattern names: a folder on the way (also a link to one), at its end a file."""
    if not fnmatch(entry.name, head) or (entry.name.startswith(".") and not head.startswith(".")):
        return False
    return entry.is_dir() if rest else entry.is_file()
