"""Follows files that grow: only what was appended is read, nothing twice, nothing lost.

`watchfiles` says when to look; what has happened is always judged from the files themselves, so a missed event (network
file systems have none) costs a moment and never a line. A file has generations: rotation, replacement, truncation and
return after deletion each begin a new one, and the old one is read to its end first.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from detour_lsp.logs.inputs import is_compressed, logs_in, rotated_base

#: So much is read at once: bounds memory when a file has grown by gigabytes.
READ_BYTES = 4_000_000
#: Whatever the watcher says, files are looked at this often.
TICK_SECONDS = 0.25
#: Folders are walked again this often; the watcher makes it sooner.
WALK_SECONDS = 2.0
#: A program keeps writing into a renamed file until it opens the new one; so long a quiet old file is kept open.
RETIRED_SECONDS = 10.0
#: Bytes before the place read up to; when they have changed, the file has been written anew.
_TAIL = 256
# An open file cannot be renamed or removed on Windows, so there it is opened anew each time.
_KEEP_OPEN = sys.platform != "win32"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes appended to one generation of one file; `final` when no more will come for this generation."""

    path: str
    generation: int
    data: bytes
    final: bool = False


Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a file was read, and the bytes before that place."""

    offset: int = 0
    tail: bytes = b""


class _Generation:
    """One file as long as it is the same file."""

    def __init__(self, path: str, number: int, file: BinaryIO, start: _Place) -> None:
        self.path = path
        self.number = number
        self._file: BinaryIO | None = file
        status = os.fstat(file.fileno())
        self.identity = (status.st_dev, status.st_ino)
        self._offset = start.offset
        self._tail = start.tail
        self._changed = -1
        self._grew = time.monotonic()
        if not _KEEP_OPEN:
            file.close()
            self._file = None

    def read(self) -> Iterator[bytes]:
        """What was appended; raises `_RewrittenError` when the file no longer holds what was read."""
        file = self._file
        if file is not None:
            yield from self._read(file)
            return
        with open(self.path, "rb", buffering=0) as opened:
            yield from self._read(opened)

    def _read(self, file: BinaryIO) -> Iterator[bytes]:
        status = os.fstat(file.fileno())
        if status.st_size == self._offset and status.st_mtime_ns == self._changed:
            return
        file.seek(max(0, self._offset - len(self._tail)))
        if status.st_size < self._offset or file.read(len(self._tail)) != self._tail:
            raise _RewrittenError
        self._changed = status.st_mtime_ns
        while data := file.read(READ_BYTES):
            self._offset += len(data)
            self._tail = (self._tail + data)[-_TAIL:]
            self._grew = time.monotonic()
            yield data

    @property
    def place(self) -> _Place:
        """Where to go on when the file turns up under another name."""
        return _Place(self._offset, self._tail)

    def quiet_for(self) -> float:
        """Seconds since it last grew."""
        return time.monotonic() - self._grew

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class _RewrittenError(Exception):
    """The file was truncated, or written anew in place."""


class _Followed:
    """One path and whatever file stands there now; old generations are kept for a while."""

    def __init__(self, path: str, identity: Identity | None = None, start: _Place | None = None) -> None:
        self.path = path
        self._expected = identity
        self._start = start or _Place()
        self._current: _Generation | None = None
        #: Files that were followed to their end under this name and may still be there under another.
        self.finished: dict[Identity, _Place] = {}
        self._retired: list[_Generation] = []
        self._count = 0

    def poll(self) -> Iterator[Chunk]:
        """Everything new since the last call, old generations first."""
        for old in list(self._retired):
            yield from self._last_words(old)
        try:
            status = os.stat(self.path)
        except OSError:
            # Gone, or a link into nowhere: it may come back.
            if self._current is not None:
                yield from self._retire()
            return
        if not stat.S_ISREG(status.st_mode):
            return
        if self._current is not None and (status.st_dev, status.st_ino) != self._current.identity:
            yield from self._retire()
        if self._current is None and not self._open():
            return
        yield from self._appended()

    def _open(self) -> bool:
        try:
            file = open(self.path, "rb", buffering=0)  # noqa: SIM115 - stays open as long as it is followed
        except OSError:
            # Between `stat` and here it went away, or may not be read now; the next look tells.
            return False
        self._current = _Generation(self.path, self._count, file, self._start)
        self._expected, self._start = None, _Place()
        self._count += 1
        return True

    def _appended(self, *, anew: bool = False) -> Iterator[Chunk]:
        current = self._current
        assert current is not None
        if anew:
            # Also when it is empty still: what was there is no more.
            yield Chunk(self.path, current.number, b"")
        try:
            for data in current.read():
                yield Chunk(self.path, current.number, data)
        except _RewrittenError:
            yield Chunk(self.path, current.number, b"", final=True)
            current.close()
            self._current = None
            if self._open():
                yield from self._appended(anew=True)
        except OSError:
            # A disk or a network that fails for a moment: nothing was counted as read.
            return

    def _retire(self) -> Iterator[Chunk]:
        current, self._current = self._current, None
        assert current is not None
        if _KEEP_OPEN:
            self._retired.append(current)
            yield from self._last_words(current)
        else:
            # Its name now belongs to another file, so there is no way back to what it still held.
            yield Chunk(self.path, current.number, b"", final=True)

    def _last_words(self, old: _Generation) -> Iterator[Chunk]:
        over = old.quiet_for() > RETIRED_SECONDS
        try:
            for data in old.read():
                over = False
                yield Chunk(self.path, old.number, data)
        except (_RewrittenError, OSError):
            over = True
        if over:
            self._retired.remove(old)
            self.finished[old.identity] = old.place
            old.close()
            yield Chunk(self.path, old.number, b"", final=True)

    def holds(self, identity: Identity) -> bool:
        """Whether this file is behind the path now, or was just before."""
        generations = [*self._retired, *([self._current] if self._current else [])]
        return identity == self._expected or any(generation.identity == identity for generation in generations)

    def close(self) -> Iterator[Chunk]:
        """Read what is left and end all generations."""
        yield from self.poll()
        for generation in (*self._retired, *([self._current] if self._current else [])):
            generation.close()
            yield Chunk(self.path, generation.number, b"", final=True)
        self._retired, self._current = [], None


class Follower:
    """Follows files, also ones that do not exist yet, and the logs that are or appear in folders."""

    def __init__(self, paths: Sequence[str | os.PathLike[str]]) -> None:
        self._paths = [os.fspath(path) for path in paths]
        self._followed: dict[str, _Followed] = {}
        self._unwanted: list[str] = []
        self._walked = float("-inf")

    def add(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        """Follow further paths, from the next walk on; may be called from any thread."""
        self._paths = [*self._paths, *(os.fspath(path) for path in paths)]

    def remove(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        """Follow some of the paths no more, from the next look on; may be called from any thread."""
        gone = {os.fspath(path) for path in paths}
        self._paths = [path for path in self._paths if path not in gone]
        self._unwanted = [*self._unwanted, *gone]

    def poll(self, *, walk: bool = True) -> Iterator[Chunk]:
        """Everything that is new, without waiting."""
        unwanted, self._unwanted = self._unwanted, []
        for path in unwanted:
            followed = self._followed.pop(path, None) if path not in self._paths else None
            if followed is not None:
                yield from followed.close()
        if walk:
            self._discover()
        for followed in list(self._followed.values()):
            yield from followed.poll()

    def close(self) -> Iterator[Chunk]:
        """The last bytes of everything, and the end of every generation."""
        for followed in self._followed.values():
            yield from followed.close()
        self._followed.clear()

    def run(self, stop: threading.Event | None = None) -> Iterator[list[Chunk]]:
        """What is new, as it comes, until `stop` is set; an empty list every now and then, to do other things."""
        stop = stop or threading.Event()
        yield from self._batches(walk=True)
        while not stop.is_set():
            folders, recursive = self._watched()
            for changes in _changes(folders, recursive, stop):
                yield from self._batches(walk=changes or time.monotonic() - self._walked > WALK_SECONDS)
                if stop.is_set() or self._watched() != (folders, recursive):
                    break
        for chunk in self.close():
            yield [chunk]

    def _batches(self, *, walk: bool) -> Iterator[list[Chunk]]:
        # One list per few chunks: a file that has grown by gigabytes must not be collected in memory.
        batch: list[Chunk] = []
        size = 0
        for chunk in self.poll(walk=walk):
            batch.append(chunk)
            size += len(chunk.data)
            if size >= READ_BYTES:
                yield batch
                batch, size = [], 0
        yield batch

    def _discover(self) -> None:
        self._walked = time.monotonic()
        for path in self._paths:
            if not os.path.isdir(path):
                # Two names of one file, and still one file tomorrow: only the first is followed.
                if path in self._followed or any(_same(path, other) for other in self._followed):
                    continue
                if os.path.exists(path):
                    self._add(path)
                else:
                    self._followed[path] = _Followed(path)
                continue
            found = list(logs_in(path))
            names = set(found)
            for file in found:
                if file in self._followed or is_compressed(file) or file.endswith(".ipynb"):
                    continue
                base = rotated_base(os.path.basename(file))
                # `train.log.1` beside `train.log` is what `train.log` was: read under that name, or past.
                original = os.path.join(os.path.dirname(file), base) if base else ""
                if original not in names and original not in self._followed:
                    self._add(file)

    def _add(self, file: str) -> None:
        try:
            status = os.stat(file)
        except OSError:
            # Went away between listing and looking.
            return
        identity = (status.st_dev, status.st_ino)
        # Another name (a rename, a link) of a file that is followed already would tell everything twice.
        if any(followed.holds(identity) for followed in self._followed.values()):
            return
        start = next((f.finished[identity] for f in self._followed.values() if identity in f.finished), None)
        self._followed[file] = _Followed(file, identity, start)

    def _watched(self) -> tuple[list[str], bool]:
        """The folders to watch and whether with all that is in them."""
        folders = sorted(path for path in self._paths if os.path.isdir(path))
        if folders:
            return folders, True
        parents: set[str] = set()
        for path in self._paths:
            # Events of a linked file happen where it really is, those of the link where the link is.
            parents |= {os.path.dirname(os.path.abspath(path)), os.path.dirname(os.path.realpath(path))}
        return sorted(parent for parent in parents if os.path.isdir(parent)), False


def _same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _changes(folders: list[str], recursive: bool, stop: threading.Event) -> Iterator[bool]:
    """Whether something has changed in the folders, again and again, at least every `TICK_SECONDS`."""
    from watchfiles import watch

    if not folders:
        stop.wait(TICK_SECONDS)
        yield False
        return
    try:
        for changes in watch(
            *folders,
            watch_filter=None,
            debounce=100,
            step=20,
            stop_event=stop,
            rust_timeout=round(TICK_SECONDS * 1000),
            yield_on_timeout=True,
            recursive=recursive,
            ignore_permission_denied=True,
        ):
            yield bool(changes)
    except OSError:
        # No watches left, or a folder went away: looking every now and then does as well.
        stop.wait(TICK_SECONDS)
        yield False
