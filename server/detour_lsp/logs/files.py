"""Scans files, folders and standard input: in order, on all cores, with bounded memory whatever the input.

Whatever is done to be fast, the result is that of one `Scanner.scan` per file, file after file (`parallel.py` says how
one big file is shared out).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING, Any, BinaryIO

from detour_lsp.logs.incident import Incident
from detour_lsp.logs.inputs import is_compressed, logs_in
from detour_lsp.logs.scan import LONG, Scanner

if TYPE_CHECKING:
    from concurrent.futures import Future

    from detour_lsp.knowledge.compiled import CompiledKnowledge

#: Pieces that are long enough to pass by when they are healthy (`scan.LONG`), whatever cutting them to lines takes off.
READ_BYTES = LONG + 200_000
_LAST_BYTES = 8_192
#: Starting processes pays from this much work on.
_BYTES_FOR_PROCESSES = 24_000_000
#: From this size on, one file is worth sharing.
_BYTES_FOR_SHARING = 64_000_000
_FILES_FOR_PROCESSES = 64
#: Names of standard input.
STDIN = ("-", "<stdin>")


@dataclass(frozen=True, slots=True)
class FileResult:
    """The incidents of one file, or why it could not be read."""

    path: str
    incidents: tuple[Incident, ...] = ()
    error: str = ""


def scan_paths(
    paths: Sequence[str | os.PathLike[str]], knowledge: CompiledKnowledge, jobs: int | None = None
) -> Iterator[FileResult]:
    """Scan files, folders (walked for logs) and `-` (standard input), in order; one result per file."""
    scanner = Scanner(knowledge)
    jobs = max(1, jobs or _cores())
    files = _expanded(paths)
    if jobs == 1:
        for file in files:
            yield scan_file(file, scanner)
        return
    # One file more than is scanned here and now tells whether processes pay; a folder may hold a million.
    few: list[str] = []
    size = 0
    for file in files:
        few.append(file)
        size += _size(file)
        if size > _BYTES_FOR_SHARING or (len(few) > 1 and size > _BYTES_FOR_PROCESSES):
            break
        if len(few) > _FILES_FOR_PROCESSES:
            break
    else:
        for file in few:
            yield scan_file(file, scanner)
        return
    yield from _with_processes(_chained(few, files), knowledge, scanner, jobs)


def _chained(few: list[str], rest: Iterator[str]) -> Iterator[str]:
    yield from few
    yield from rest


def scan_file(path: str, scanner: Scanner) -> FileResult:
    """Scan one file from start to end in this process."""
    name = STDIN[1] if path == STDIN[0] else path
    if path.lower().endswith(".ipynb"):
        result = _scan_notebook(path, scanner)
        if result is not None:
            return result
    stream = scanner.stream(name)
    try:
        with _opened(path) as file:
            for data in _pieces(file):
                stream.feed(data, told=False)
    except (OSError, EOFError, _UnreadableError) as error:
        stream.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        # What was read before it broke still counts: a truncated archive may hold the error in its first half.
        return FileResult(name, tuple(stream.incidents()), reason or type(error).__name__)
    stream.close()
    return FileResult(name, tuple(stream.incidents()))


def _scan_notebook(path: str, scanner: Scanner) -> FileResult | None:
    """The outputs of a notebook's cells; None for a file that is none, and is read like any other text."""
    from detour_lsp.logs.notebooks import scan_notebook

    try:
        with open(path, "rb") as file:
            found = scan_notebook(file.read(), path, scanner)
    except OSError as error:
        return FileResult(path, (), error.strerror or str(error))
    return None if found is None else FileResult(path, tuple(found))


def _pieces(file: Any) -> Iterator[bytes]:
    if isinstance(file, FileIO) and file.seekable():
        yield from whole_lines(file, 0, None)
        return
    # `read1` hands on what is there, so that a pipe is scanned while its other end still writes.
    read = getattr(file, "read1", file.read)
    while data := read(READ_BYTES):
        yield data


def whole_lines(file: FileIO, start: int, end: int | None) -> Iterator[bytes]:
    """The bytes from `start` to `end` in pieces that end with a line, wherever lines are not too long for that."""
    position = start
    while True:
        wanted = READ_BYTES if end is None else min(READ_BYTES, end - position)
        if wanted > 2 * _LAST_BYTES:
            # Looking at the last bytes first spares copying everything to cut it.
            file.seek(position + wanted - _LAST_BYTES)
            last = file.read(_LAST_BYTES)
            line_end = last.rfind(b"\n") if len(last) == _LAST_BYTES else -1
            if line_end >= 0:
                wanted -= _LAST_BYTES - line_end - 1
        file.seek(position)
        data = file.read(wanted)
        if not data:
            return
        yield data
        position += len(data)


class _UnreadableError(Exception):
    """A kind of file that this Python cannot read."""


def _opened(path: str) -> Any:
    if path == STDIN[0]:
        # None where whoever started us closed it.
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise _UnreadableError("standard input is closed")
        return _Borrowed(sys.stdin.buffer)
    if path.lower().endswith(".gz"):
        import gzip

        return gzip.open(path, "rb")
    if path.lower().endswith((".zst", ".zstd")):
        return _open_zstd(path)
    return open(path, "rb", buffering=0)


def _open_zstd(path: str) -> Any:
    try:
        from compression import zstd  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
    except ImportError:
        try:
            from backports import zstd  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
        except ImportError:
            raise _UnreadableError("zstd files need Python 3.14 or `pip install backports.zstd`") from None
    return zstd.open(path, "rb")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


class _Borrowed:
    """Standard input as a context manager that leaves it open."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __enter__(self) -> BinaryIO:
        return self._file

    def __exit__(self, *_: object) -> None:
        return None


def _expanded(paths: Sequence[str | os.PathLike[str]]) -> Iterator[str]:
    seen: set[str] = set()
    for item in paths:
        path = str(os.fspath(item))
        for file in logs_in(path) if path != STDIN[0] and os.path.isdir(path) else (path,):
            # A file that is named and also lies in a named folder is one file.
            if file not in seen:
                seen.add(file)
                yield file


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size if file != STDIN[0] else 0
    except OSError:
        return 0


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _with_processes(
    files: Iterator[str], knowledge: CompiledKnowledge, scanner: Scanner, jobs: int
) -> Iterator[FileResult]:
    """Files one after the other into the hands of processes; results in the order of the files."""
    from detour_lsp.logs.parallel import pool, scan_in_process, scan_shared

    with pool(knowledge, jobs) as processes:
        waiting: list[Future[FileResult] | FileResult] = []
        for file in files:
            if file == STDIN[0]:
                waiting.append(scan_file(file, scanner))
            elif _size(file) > _BYTES_FOR_SHARING and not is_compressed(file) and not file.lower().endswith(".ipynb"):
                waiting.append(scan_shared(file, scanner, processes, jobs))
            else:
                waiting.append(processes.submit(scan_in_process, file))
            # Enough to keep everybody busy, few enough to hold in memory.
            while len(waiting) > 8 * jobs or (waiting and _done(waiting[0])):
                yield _result(waiting.pop(0))
        for item in waiting:
            yield _result(item)


def _done(item: Future[FileResult] | FileResult) -> bool:
    return isinstance(item, FileResult) or item.done()


def _result(item: Future[FileResult] | FileResult) -> FileResult:
    return item if isinstance(item, FileResult) else item.result()
