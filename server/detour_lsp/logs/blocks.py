"""Which stretch of a log is looked at closely: the lines around candidates that could have to do with them.

A log may be gigabytes of healthy lines; only blocks are cleaned, decoded and parsed. A block grows from a candidate in
both directions as long as lines with signs of a traceback follow each other closely. What a block is depends on the
bytes alone and not on how they were cut into chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from detour_lsp.logs import prefixes, wrapping
from detour_lsp.logs.cleaning import Unit, clean, is_clean, unescape
from detour_lsp.logs.later import later
from detour_lsp.logs.noise import without_noise

#: A sign that a line belongs to a traceback or to another report of an error.
_CUE = later(
    rb"""File ["']|Traceback|, line \d|\.py:\d+(?::? in |, in |: [A-Z]\w+(?:Error|Exception|Warning)|: *\r?$)"""
    rb"""|\xe2\x94\x82|\xe2\x95\xad|\xe2\x95\xb0|exception occurred|direct cause|most recent call|\(most recent"""
    rb"""|[\^~]{3}|-{2,}> \d|In ?\[\d+\]|^E {3}|\bE {6}|_ _ _ _ _|_{8} |py in """
    rb"""|(?:Error|Exception|Interrupt|Unsupported): |frame #\d+: |user code|[sS]tack trace|exitcode|Root Cause"""
)
#: So many quiet lines end a block.
GAP = 24
#: How far a block reaches back from its first candidate (an endless recursion prints a thousand frames of up to four
#: lines), and how large it may grow.
MOST_LINES_BACK = 6_000
MOST_BYTES_BACK = 700_000
MOST_LINES = 8_000
MOST_BYTES = 1_500_000
#: Lines kept around the outermost sign: messages go on below it, assertions and banners stand above.
MARGIN = 10
#: As long as they are not longer than this together: lines of megabytes are data, not banners.
MARGIN_BYTES = 32_768
#: A line of the original is cut into pieces of about this size, at carriage returns where it has some.
PIECE = 262_144


#: One of these is in every cue; looking for them first spares most lines the regex.
_CUE_WORDS = (
    b"File", b"Traceback", b", line", b".py", b"\xe2\x94\x82", b"\xe2\x95", b"exception", b"direct cause",
    b"most recent", b"^^^", b"~~~", b"-> ", b"In[", b"In [", b"E  ", b"Error", b"Exception", b"Interrupt",
    b"Unsupported", b"frame #", b"user code", b"tack trace", b"exitcode", b"Root", b"py in ", b"_ _", b"____",
)  # fmt: skip


@lru_cache(maxsize=1_024)
def loud(line: bytes) -> bool:
    """Whether a line shows signs of an error report."""
    if b"\x1b" in line:
        line = without_noise(line)
    # A loop, since a generator would double the time of what is done for most lines.
    for word in _CUE_WORDS:
        if word in line:
            return _CUE.search(line) is not None
    return False


def reach_back(buffer: bytes | bytearray, start: int, floor: int) -> int:
    """Where the block of a candidate line that begins at `start` begins; never before `floor`."""
    floor = max(floor, start - MOST_BYTES_BACK)
    quiet = 0
    lines = 0
    position = start
    begin = sign = start
    margin = 0
    while position > floor and quiet < GAP and lines < MOST_LINES_BACK:
        previous = buffer.rfind(b"\n", floor, position - 1) + 1
        if previous == 0:
            # No line end down to the floor: whole line only if the floor is one.
            if position - 1 >= floor and (floor == 0 or buffer[floor - 1 : floor] == b"\n"):
                previous = floor
            else:
                break
        lines += 1
        if loud(bytes(buffer[previous : min(position, previous + 4096)])):
            quiet = 0
            begin = sign = previous
            margin = 0
        else:
            quiet += 1
            if margin < MARGIN and sign - previous <= MARGIN_BYTES:
                margin += 1
                begin = previous
        position = previous
    return begin


def pieces(raw: bytes, column: int = 1) -> Iterator[tuple[bytes, int]]:
    """The parts, at most about `2 * PIECE` bytes long, that one line of the original is read in, with their columns."""
    start = 0
    while True:
        end = piece_end(raw, start)
        part = raw[start:end]
        yield part, column
        if end >= len(raw):
            return
        column += len(part.decode("utf-8", "replace"))
        start = end


def piece_end(raw: bytes | bytearray, start: int) -> int:
    """Where the piece that begins at `start` ends; a function of the line's bytes from there on."""
    if len(raw) - start <= 2 * PIECE:
        return len(raw)
    end = raw.find(b"\r", start + PIECE, start + 2 * PIECE)
    if end >= 0:
        return end + 1
    end = start + 2 * PIECE
    # Not inside a character.
    for back in range(4):
        if raw[end - back] & 0xC0 != 0x80:
            return end - back
    return end


#: A line with more parts between carriage returns than this is a progress bar, of which few parts matter.
_MANY_PARTS = 40
_PART_CUE = later(rb"rror|xception|Traceback|arning|Killed|abort|fault|failed|File \"|assert", re.IGNORECASE)


def units_of(raw: bytes, line: int, column: int, *, candidate: bool) -> list[Unit]:
    """The clean units of one line of the original (without its line feed)."""
    if raw.endswith(b"\r"):
        raw = raw.rstrip(b"\r")
    if len(raw) <= 2 * PIECE and b"\\" not in raw and is_clean(raw):
        # Most lines.
        return [Unit(raw.decode("utf-8", "replace"), line, column, candidate=candidate, continued=column > 1)]
    result: list[Unit] = []
    for part, place in pieces(raw, column):
        if part.count(b"\r") > _MANY_PARTS:
            found = _units_of_bar(part, line, place)
        else:
            found, _ = clean(part, line, place)
        for unit in found:
            unit.candidate = candidate
            unit.continued = unit.continued or place > 1
            result.extend(unescape(unit))
    return result


def _units_of_bar(part: bytes, line: int, column: int) -> list[Unit]:
    segments = part.split(b"\r")
    keep = {0, *range(len(segments) - 3, len(segments))}
    for index, segment in enumerate(segments):
        if _PART_CUE.search(segment):
            keep.update((index - 1, index, index + 1))
    result: list[Unit] = []
    for index, segment in enumerate(segments):
        if index in keep and segment:
            units, length = clean(segment, line, column)
            for unit in units:
                unit.continued = index > 0
            result.extend(units)
        else:
            length = len(segment.decode("utf-8", "replace"))
        column += length + 1
    return result


def read(data: bytes, line: int, column: int, candidate_starts: set[int], base: int) -> list[Unit]:
    """The units of a block; `candidate_starts` are offsets of candidate lines, `base` that of the block itself."""
    units: list[Unit] = []
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            end = len(data)
        units.extend(units_of(data[start:end], line, column, candidate=base + start in candidate_starts))
        start = end + 1
        line += 1
        column = 1
    units = wrapping.join_marked(prefixes.split_torn(units))
    prefixes.find(units)
    return units
