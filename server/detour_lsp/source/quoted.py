"""Where strings and comments stand in a file's bytes, told without a parser.

A name in a docstring is no use of it, and most places where `torch.load` is written are docstrings. Triple quotes are
searched, not read up to, so a file costs what its long strings cost; the quotes of one line are read when somebody
asks about that line. What is not clear is no string: this only ever rules a place out.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_ONE_LINE = re.compile(rb"#[^\n]*|\"\"\"|'''|\"(?:[^\"\\\n]|\\(?s:.))*\"|'(?:[^'\\\n]|\\(?s:.))*'")
_FORMATTED = frozenset(b"fFtT")
_TRIPLES = (b'"""', b"'''")


class Quoted:
    """The strings and comments of a file's bytes, found when first asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts: list[int] | None = None
        self._ends: list[int] = []
        #: From here on it is not clear what is a string.
        self._clear_until = len(data)

    def covers(self, offset: int) -> bool:
        """Whether the offset certainly stands in a comment or in a string without code in it."""
        starts = self._starts
        if starts is None:
            starts = self._starts = self._long_strings()
        if offset >= self._clear_until:
            return False
        index = bisect_right(starts, offset) - 1
        end = self._ends[index] if index >= 0 else 0
        if offset < end:
            return not self._is_formatted(starts[index])
        data = self._data
        line_start = max(data.rfind(b"\n", 0, offset) + 1, end)
        if data[line_start - 2 : line_start] == b"\\\n":
            # A string may go on from the line above.
            return False
        line_end = data.find(b"\n", offset)
        for match in _ONE_LINE.finditer(data, line_start, line_end if line_end >= 0 else len(data)):
            if match.start() > offset:
                return False
            if offset < match.end():
                return not self._is_formatted(match.start())
        return False

    def _is_formatted(self, start: int) -> bool:
        """Whether a string that begins there may hold code: `f"{torch.load(x)}"`."""
        return not _FORMATTED.isdisjoint(self._data[max(0, start - 2) : start])

    def _long_strings(self) -> list[int]:
        """Where triple-quoted strings begin; `_ends` gets where they end."""
        data, starts, position = self._data, list[int](), 0
        following = [data.find(quote) for quote in _TRIPLES]
        while True:
            for number, quote in enumerate(_TRIPLES):
                if 0 <= following[number] < position:
                    following[number] = data.find(quote, position)
            there = [place for place in following if place >= 0]
            if not there:
                return starts
            start = min(there)
            quote = data[start : start + 3]
            after = self._inside_line(start, position)
            if after is None:
                self._clear_until = data.rfind(b"\n", 0, start) + 1
                return starts
            if after > start:
                # In a comment or in a string of one line.
                position = after
                continue
            end = _closing(data, quote, start + 3)
            if end < 0:
                # A quote is missing, and any of those above may be the one: nothing is certain.
                self._clear_until = 0
                return starts
            starts.append(start)
            self._ends.append(end)
            position = end

    def _inside_line(self, start: int, position: int) -> int | None:
        """Where the comment or short string around a triple quote ends, `start` when there is none, None if unclear."""
        data = self._data
        line_start = max(data.rfind(b"\n", 0, start) + 1, position)
        before = data[line_start:start]
        if not (b"#" in before or b'"' in before or b"'" in before):
            return start
        if data[line_start - 2 : line_start] == b"\\\n":
            return None
        line_end = data.find(b"\n", start)
        for match in _ONE_LINE.finditer(data, line_start, line_end if line_end >= 0 else len(data)):
            if match.start() >= start:
                return start
            if match.end() > start:
                return match.end()
        return start


def _closing(data: bytes, quote: bytes, position: int) -> int:
    """Behind the triple quote that ends a string, -1 when none does."""
    while True:
        found = data.find(quote, position)
        if found < 0:
            return -1
        slashes = found
        while data[slashes - 1 : slashes] == b"\\" and slashes > position:
            slashes -= 1
        if (found - slashes) % 2 == 0:
            return found + 3
        position = found + 1
