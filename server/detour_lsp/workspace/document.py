"""The text of an open document with a line index that survives edits.

LSP ends lines at CRLF, LF and CR and at nothing else: form feeds, NEL and U+2028 stay inside a line, other than with
`str.splitlines` (PYGLS.md). An edit costs what it changes plus one copy of the text, so that a log of many megabytes
can be open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, count
from operator import add
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

#: The lines of about so much text are found at once, which takes a millisecond.
_PIECE_CHARACTERS = 250_000

#: About so much text is put together at once, and so many line starts are moved, for the same reason.
_JOINED_CHARACTERS = 1_000_000
_MOVED_LINES = 20_000

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit did: `start:old_end` (code point offsets in the old text) became `text`."""

    start: int
    old_end: int
    text: str
    #: 0-based line of `start`, and of `old_end`, in the old text.
    start_line: int
    old_end_line: int

    @property
    def lines_added(self) -> int:
        """How many lines the edit added; negative when it took lines away."""
        return len(_LINE_END.findall(self.text)) - (self.old_end_line - self.start_line)


def units(text: str, encoding: Encoding) -> int:
    """The length of a text in the code units of an encoding."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(1 for char in text if char > "\uffff")
    return len(text.encode("utf-8", "surrogatepass"))


def code_points(line: str, character: int, encoding: Encoding) -> int:
    """How many code points of `line` fit into `character` code units; a position inside a pair counts before it."""
    if encoding == "utf-32" or line.isascii():
        return min(character, len(line))
    if encoding == "utf-8":
        return len(line.encode("utf-8", "surrogatepass")[:character].decode("utf-8", "ignore"))
    used = 0
    for index, char in enumerate(line):
        used += 2 if char > "\uffff" else 1
        if used > character:
            return index
    return len(line)


def _appended(parts: list[str]) -> str:
    """The second text behind the first, emptying the list: the first must be referenced from nowhere else.

    CPython then lets it grow in place, where `+` would copy the 100 MB of a log at each line that comes.
    """
    piece = parts.pop()
    grown = parts.pop()
    grown += piece
    return grown


for _ in range(64):
    # Since 3.11 it does so only in code that has run some times.
    _appended(["a", "b"])


def _line_starts(text: str, *, lf_only: bool = False) -> list[int]:
    """Where each line starts, as LSP counts lines or, with `lf_only`, as logs do.

    A log of 50 MB has half a million: pieces without CR are split, which beats a regex.
    """
    starts = [0]
    begin = 0
    while begin < len(text):
        # A piece ends behind an LF, so no CRLF is torn.
        end = text.find("\n", begin + _PIECE_CHARACTERS) + 1 or len(text)
        piece = text[begin:end]
        if not lf_only and "\r" in piece:
            starts += [begin + match.end() for match in _LINE_END.finditer(piece)]
        else:
            lengths = map(len, piece.split("\n"))
            starts += map(add, accumulate(lengths), count(begin + 1))
            # Behind the last LF no line ends.
            starts.pop()
        begin = end
    return starts


@dataclass(frozen=True, slots=True)
class _Prepared:
    """The text after an edit; `fresh` where it is all new."""

    before: str
    start: int
    end: int
    text: str
    after: str
    fresh: Document | None = None

    def is_of(self, before: str, start: int, end: int, text: str) -> bool:
        """Whether it is that of this edit."""
        return self.before is before and (self.start, self.end) == (start, end) and self.text == text


class Document:
    """One open text. Lines count from 0 here, as in LSP; columns are code points or, with an encoding, code units."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = _line_starts(text)
        #: False where there is certainly no CR, so that logs count the same lines.
        self._some_cr = "\r" in text
        #: What the next change will make of the text, where somebody has put it together before.
        self._prepared: _Prepared | None = None
        # Found out here, where a large text is on a thread, and not at the first hover.
        self._log_starts: list[int] | None = None
        self._log_known = False
        self._find_log_lines()
        # The starts behind line `_pivot` are stored without `_shift`: typing in one line moves no list of 50,000.
        self._pivot = 0
        self._shift = 0

    def log_offset(self, line: int, column: int) -> int:
        """The offset of a line and column (from 0, code points) of a log, whose lines only LF ends.

        Editors end lines at a lone CR too; a progress bar that was saved to a file is full of them.
        """
        self._find_log_lines()
        starts = self._log_starts
        if starts is None:
            return min(self.line_start(line) + max(column, 0), len(self.text))
        start = starts[line] if line < len(starts) else len(self.text)
        return min(start + max(column, 0), len(self.text))

    def _find_log_lines(self) -> None:
        if not self._log_known:
            self._log_known = True
            starts = _line_starts(self.text, lf_only=True) if self._some_cr else self._starts
            self._log_starts = None if len(starts) == len(self._starts) else starts

    def log_line(self, line: int) -> int:
        """The line of a log, as `log_offset` counts them, in which a line of this document begins."""
        self.log_offset(0, 0)
        if self._log_starts is None:
            return line
        return bisect_right(self._log_starts, self.line_start(line)) - 1

    @property
    def line_count(self) -> int:
        """How many lines there are; a text that ends with a line end has an empty last line."""
        return len(self._starts)

    def line_start(self, line: int) -> int:
        """The offset at which a line starts; past the last line, the end of the text."""
        if line >= len(self._starts):
            return len(self.text)
        return self._starts[line] + (self._shift if line > self._pivot else 0)

    def line(self, line: int) -> str:
        """The text of a line without its line end; empty past the end."""
        if not 0 <= line < len(self._starts):
            return ""
        text = self.text[self.line_start(line) : self.line_start(line + 1)]
        if text.endswith("\r\n"):
            return text[:-2]
        return text[:-1] if text.endswith(("\n", "\r")) else text

    def line_at(self, offset: int) -> int:
        """The line that holds an offset."""
        if self._shift:
            self._move_pivot(len(self._starts))
        return bisect_right(self._starts, offset) - 1

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset of a position; clamped to the line and to the text, as LSP asks."""
        if line >= len(self._starts):
            return len(self.text)
        if line < 0:
            return 0
        return self.line_start(line) + code_points(self.line(line), max(character, 0), encoding)

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """The line, and the column in code units, of an offset."""
        line = self.line_at(min(max(offset, 0), len(self.text)))
        return line, units(self.text[self.line_start(line) : offset], encoding)

    def column(self, line: int, code_point: int, encoding: Encoding) -> int:
        """The column in code units of a column in code points (from 0)."""
        return units(self.line(line)[:code_point], encoding)

    def prepare(self, first: int, last: int, text: str) -> Iterator[None]:
        """Put together, step by step, what `replace_offsets(first, last, text)` will make of a large text.

        A step takes a millisecond; the edit itself then copies nothing.
        """
        # Bringing the starts of lines up to date from the last place to this one is work as well.
        target = min(len(self._starts) - 1, self._line_near(last) + 1)
        while self._shift and self._pivot != target:
            self._move_pivot(min(max(target, self._pivot - _MOVED_LINES), self._pivot + _MOVED_LINES))
            yield
        before, joined = self.text, ""
        for start, end, source in ((0, first, before), (0, len(text), text), (last, len(before), before)):
            for begin in range(start, end, _JOINED_CHARACTERS):
                joined += source[begin : min(begin + _JOINED_CHARACTERS, end)]
                yield
        self._prepared = _Prepared(before, first, last, text, joined)

    def prepare_all(self, fresh: Document) -> None:
        """Note what `replace_all(fresh.text)` will make of the text: `fresh` may be made on another thread."""
        self._prepared = _Prepared(self.text, 0, len(self.text), fresh.text, fresh.text, fresh)

    def replace_all(self, text: str) -> Change:
        """Put a new text in place of the old one."""
        change = Change(0, len(self.text), text, 0, len(self._starts) - 1)
        prepared, self._prepared = self._prepared, None
        if prepared is not None and prepared.after is text and (fresh := prepared.fresh) is not None:
            self.text, self._starts, self._some_cr = text, fresh._starts, fresh._some_cr
            self._log_starts, self._log_known = fresh._log_starts, True
            self._pivot = self._shift = 0
        else:
            self.__init__(text)
        return change

    def replace(self, start: tuple[int, int], end: tuple[int, int], text: str, encoding: Encoding) -> Change:
        """Put `text` in place of the stretch between two positions (line, code unit)."""
        first, last = self.offset(*start, encoding), self.offset(*end, encoding)
        if last < first:
            first, last = last, first
        return self.replace_offsets(first, last, text)

    def replace_offsets(self, first: int, last: int, text: str) -> Change:
        """Put `text` in place of `first:last`."""
        start_line, end_line = self._line_near(first), self._line_near(last)
        # A line end may be joined (CR before an inserted LF) or split at either edge: look at one line more each side.
        low, high = max(0, start_line - 1), min(len(self._starts) - 1, end_line + 1)
        window_start, window_end = self.line_start(low), self.line_start(high + 1)
        delta = len(text) - (last - first)
        self._some_cr = self._some_cr or "\r" in text
        self._log_known = False
        self._move_pivot(high)
        prepared, self._prepared = self._prepared, None
        if prepared is not None and prepared.is_of(self.text, first, last, text):
            self.text = prepared.after
        elif first == len(self.text):
            parts, self.text = [self.text, text], ""
            self.text = _appended(parts)
        else:
            self.text = "".join((self.text[:first], text, self.text[last:]))
        window = self.text[window_start : window_end + delta]
        starts = [window_start, *(window_start + match.end() for match in _LINE_END.finditer(window))]
        at_end = high == len(self._starts) - 1
        if not at_end:
            # The window ends with a line end, whose following line is already in the list.
            starts.pop()
        self._starts[low : high + 1] = starts
        self._pivot = low + len(starts) - 1
        self._shift += delta
        if at_end:
            self._shift = 0
        return Change(first, last, text, start_line, end_line)

    def _line_near(self, offset: int) -> int:
        """As `line_at`, by bisecting around the pivot, so that the list need not be brought up to date."""
        pivot_end = self.line_start(self._pivot + 1)
        if offset < pivot_end or self._pivot + 1 >= len(self._starts):
            return bisect_right(self._starts, offset, 0, self._pivot + 1) - 1
        return bisect_right(self._starts, offset - self._shift, self._pivot + 1) - 1

    def _move_pivot(self, line: int) -> None:
        """Make `line` the last one whose start is stored as it is."""
        line = min(line, len(self._starts) - 1)
        if self._shift:
            if line > self._pivot:
                self._starts[self._pivot + 1 : line + 1] = [
                    start + self._shift for start in self._starts[self._pivot + 1 : line + 1]
                ]
            else:
                self._starts[line + 1 : self._pivot + 1] = [
                    start - self._shift for start in self._starts[line + 1 : self._pivot + 1]
                ]
        self._pivot = line
        if line == len(self._starts) - 1:
            self._shift = 0
