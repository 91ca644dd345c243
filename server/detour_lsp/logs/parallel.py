"""Shares the work out to processes: whole files, and the parts of one big file.

A big file is cut only where the scanner's blocks cannot reach across: in a run of lines so long and so quiet that a
block before it has ended and a block behind it does not reach back. Every part is then scanned as if it stood alone,
and what was seen in it is put into one ledger in the order of the text, which gives the result of a single scan.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from detour_lsp.logs import blocks
from detour_lsp.logs.decoding import detect
from detour_lsp.logs.files import FileResult, scan_file, whole_lines
from detour_lsp.logs.incident import Frame, Incident, Span
from detour_lsp.logs.matching import Matcher
from detour_lsp.logs.merging import Ledger
from detour_lsp.logs.reading import Sighting
from detour_lsp.logs.scan import Scanner, Stream

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge

#: Parts are at least this large: smaller ones cost more to hand over than to scan.
SMALLEST_PART = 8_000_000
LARGEST_PART = 64_000_000
#: How far a place to cut is looked for; a log without any is scanned in one piece.
_WINDOW = 4_000_000
_LOOK = 128_000
#: A line as long as this is no healthy place to cut.
_LONGEST_LINE = 8_192
#: Quiet lines before a cut, so that the block above has ended, and behind it, so that the block below keeps its margin.
_QUIET_BEFORE = blocks.GAP + 1
_QUIET_BEHIND = blocks.MARGIN + 2

#: Set in each process by `pool`.
_scanner: Scanner | None = None


def pool(knowledge: CompiledKnowledge, jobs: int) -> ProcessPoolExecutor:
    """Processes that have a scanner; with `fork` they take it over, elsewhere it travels to them."""
    # Forking while other threads hold locks can hang the child.
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forks else "spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(knowledge,))


def _begin(knowledge: CompiledKnowledge) -> None:
    global _scanner
    _scanner = Scanner(knowledge)


def scan_in_process(path: str) -> FileResult:
    """`scan_file` with the process's own scanner."""
    assert _scanner is not None
    return scan_file(path, _scanner)


def scan_shared(path: str, scanner: Scanner, processes: ProcessPoolExecutor, jobs: int) -> FileResult:
    """Scan one big file with all processes."""
    try:
        with open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if detect(file.read(64)) is not None:
                return scan_file(path, scanner)
            parts = iter(_parts(file, size, scanner.matcher, jobs))
            return FileResult(path, tuple(_scanned(path, parts, processes, jobs)))
    except OSError as error:
        return FileResult(path, (), error.strerror or str(error))


def _scanned(path: str, parts: Iterator[tuple[int, int]], processes: ProcessPoolExecutor, jobs: int) -> list[Incident]:
    ledger = Ledger(path)
    lines = chains = 0
    waiting: list[Future[tuple[list[Sighting], int, int]]] = []
    for start, end in parts:
        waiting.append(processes.submit(_scan_part, path, start, end))
        # Cuts are looked for while parts are scanned, but what was seen must not pile up.
        while len(waiting) > 2 * jobs:
            lines, chains = _take(waiting.pop(0), ledger, lines, chains)
    for future in waiting:
        lines, chains = _take(future, ledger, lines, chains)
    return ledger.incidents()


def _take(future: Future[tuple[list[Sighting], int, int]], ledger: Ledger, lines: int, chains: int) -> tuple[int, int]:
    sightings, more_lines, more_chains = future.result()
    for sighting in sightings:
        ledger.add(_moved(sighting, lines, chains))
    return lines + more_lines, chains + more_chains


class _Sightings(Ledger):
    """Keeps what a part's stream sees, instead of making incidents of it."""

    def __init__(self) -> None:
        super().__init__("")
        self.seen: list[Sighting] = []

    def add(self, sighting: Sighting) -> None:
        self.seen.append(sighting)

    def copy(self) -> Ledger:
        return _Sightings()

    def incidents(self) -> list[Incident]:
        return []


def _scan_part(path: str, start: int, end: int) -> tuple[list[Sighting], int, int]:
    """What is seen between two offsets, with lines counted from the first, and how many lines and chains there are."""
    assert _scanner is not None
    ledger = _Sightings()
    stream = Stream(_scanner, ledger)
    with open(path, "rb", buffering=0) as file:
        for data in whole_lines(file, start, end):
            stream.feed(data, told=False)
    stream.close()
    return ledger.seen, stream.lines, stream.chains


def _moved(sighting: Sighting, lines: int, chains: int) -> Sighting:
    """A part's sighting with the lines and chains of the whole file."""
    if not lines and not chains:
        return sighting
    return replace(
        sighting,
        span=_moved_span(sighting.span, lines),
        block=_moved_span(sighting.block, lines),
        frames=tuple(_moved_frame(frame, lines) for frame in sighting.frames),
        user_frame=_moved_frame(sighting.user_frame, lines) if sighting.user_frame else None,
        chain=sighting.chain + chains if sighting.chain >= 0 else sighting.chain,
    )


def _moved_span(span: Span, lines: int) -> Span:
    return Span(span.line + lines, span.column, span.end_line + lines, span.end_column)


def _moved_frame(frame: Frame, lines: int) -> Frame:
    return replace(frame, log_line=frame.log_line + lines) if frame.log_line else frame


def _parts(file: BinaryIO, size: int, matcher: Matcher, jobs: int) -> Iterator[tuple[int, int]]:
    """Where to cut: offsets of the parts, in order."""
    wanted = min(LARGEST_PART, max(SMALLEST_PART, size // (4 * jobs)))
    start = 0
    while size - start > wanted + wanted // 2:
        cut = _cut_behind(file, start + wanted, matcher)
        if cut is None:
            break
        yield start, cut
        start = cut
    yield start, size


def _cut_behind(file: BinaryIO, place: int, matcher: Matcher) -> int | None:
    """The first place behind `place` at which nothing on one side can have to do with the other."""
    file.seek(place)
    offset = place
    rest = b""
    quiet: list[int] = []
    whole = False
    while offset - place < _WINDOW and (data := file.read(_LOOK)):
        text = rest + data
        base = offset - len(rest)
        offset += len(data)
        end = text.rfind(b"\n") + 1
        rest = text[end:]
        named = {candidate.start for candidate in matcher.candidates(text[:end])}
        at = 0
        while at < end:
            following = text.index(b"\n", at) + 1
            # The first line is a part of one, of which nobody knows the beginning.
            if whole and at not in named and _is_quiet(text[at:following]):
                quiet.append(base + at)
                if len(quiet) == _QUIET_BEFORE + _QUIET_BEHIND:
                    return quiet[_QUIET_BEFORE]
            else:
                quiet.clear()
            whole = True
            at = following
    return None


def _is_quiet(line: bytes) -> bool:
    # A NUL or a byte order mark at the start of a part could be taken for another encoding.
    return len(line) < _LONGEST_LINE and b"\0" not in line and line[:1] < b"\xf5" and not blocks.loud(line[:4096])
