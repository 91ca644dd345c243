"""Cuts Python text into logical lines without trusting that brackets and quotes are closed.

Python's own tokenizer gives up where this one must go on: a bracket that is still open in front of a line that is not
indented deeper than its statement was forgotten, and so was a triple quote that swallows code to the end of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARK = re.compile(r"[()\[\]{}\n#\\]|\"\"\"|'''|[\"']")
_BLANK = re.compile(r"[ \t\f\r]*(?:#[^\n]*)?(?:\n|$)")
_INDENT = re.compile(r"[ \t\f]*")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_COMPOUND = re.compile(r"(?:async\s+)?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b")
#: A line that is surely a statement, and no continuation and no prose.
_CODE = re.compile(
    r"(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[(:]|import\s+\w|from\s+[\w.]+\s+import\b|@\w|return\b|raise\b"
    r"|(?:if|elif|for|while|with|except)\b[^\n]*:\s*(?:#[^\n]*)?$|(?:else|try|finally):\s*$|\w[\w.]*\s*=\s*\S)",
    re.MULTILINE,
)
#: Words that begin a statement and never stand in an expression.
_HARD = re.compile(
    r"(?:(?:async\s+)?def\s+\w|class\s+\w|import\s+\w|from\s+[\w.]+\s+import\b|while\s|with\s|try:|except\b|finally:"
    r"|(?:return|raise|pass|break|continue|global|nonlocal|del|assert)\b(?!\s*=))"
)
_MOST_FORGOTTEN = 8


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement, or the header of one, with the offsets of its text from its first character to its last."""

    start: int
    end: int
    indent: int
    #: Brackets that are open at its end, outermost first.
    open: str = ""
    #: Whether a string is not closed in it.
    torn: bool = False


def logical_lines(text: str) -> list[LogicalLine]:
    """The logical lines of a text in order; blank lines and comments between them belong to none."""
    forgotten: set[int] = set()
    for _ in range(_MOST_FORGOTTEN):
        lines, culprit = _cut(text, forgotten)
        if culprit is None:
            return lines
        forgotten.add(culprit)
    return _cut(text, forgotten)[0]


def _cut(text: str, forgotten: set[int]) -> tuple[list[LogicalLine], int | None]:
    """The lines, and the offset of a triple quote that should not be taken for one (None: all is well)."""
    lines: list[LogicalLine] = []
    triples: list[tuple[int, int, int]] = []
    position, size = 0, len(text)
    while position < size:
        blank = _BLANK.match(text, position)
        if blank is not None and blank.end() > position:
            position = blank.end()
            continue
        indent_match = _INDENT.match(text, position)
        start = indent_match.end() if indent_match is not None else position
        indent = _width(text[position:start])
        line, position, runaway = _one(text, start, indent, forgotten, triples)
        lines.append(line)
        if runaway is not None:
            return lines, _culprit(text, triples, runaway)
    return lines, None


def _one(
    text: str, start: int, indent: int, forgotten: set[int], triples: list[tuple[int, int, int]]
) -> tuple[LogicalLine, int, int | None]:
    """One logical line from `start`, where the next begins, and an unclosed triple quote."""
    stack: list[str] = []
    position, torn = start, False
    compound = _COMPOUND.match(text, start) is not None
    while True:
        mark = _MARK.search(text, position)
        if mark is None:
            return LogicalLine(start, len(text), indent, "".join(stack), torn), len(text), None
        what, position = mark[0], mark.end()
        if what in _CLOSERS:
            stack.append(what)
        elif what in ")]}":
            if stack:
                stack.pop()
        elif what == "\\":
            # Joins lines in front of a line ending, and means nothing elsewhere outside of strings.
            if text.startswith("\n", position):
                position += 1
        elif what == "#":
            end = text.find("\n", position)
            position = end if end >= 0 else len(text)
        elif what == "\n":
            if not stack or _ends_here(text, mark.start(), position, indent, compound=compound, start=start):
                return LogicalLine(start, mark.start(), indent, "".join(stack), torn), position, None
        elif len(what) == 3 and mark.start() not in forgotten:
            end = _closing(text, what, position)
            if end < 0:
                return LogicalLine(start, len(text), indent, "".join(stack), True), len(text), mark.start()
            triples.append((mark.start(), end, indent))
            position = end
        else:
            position, closed = _string_end(text, what[0], position - len(what) + 1)
            torn = torn or not closed


def _closing(text: str, quote: str, position: int) -> int:
    """The offset behind the closing triple quote, -1 without one."""
    while True:
        end = text.find(quote, position)
        if end < 0:
            return -1
        backslashes = end - len(text[position:end].rstrip("\\")) - position
        if backslashes % 2 == 0:
            return end + 3
        position = end + 1


def _string_end(text: str, quote: str, position: int) -> tuple[int, bool]:
    """The offset behind a one-line string that begins at `position`, or its line's end when it is not closed."""
    while position < len(text):
        letter = text[position]
        if letter == "\\":
            position += 2
        elif letter == quote:
            return position + 1, True
        elif letter == "\n":
            return position, False
        else:
            position += 1
    return len(text), False


def _ends_here(text: str, newline: int, following: int, indent: int, *, compound: bool, start: int) -> bool:
    """Whether a line ends although a bracket is open."""
    if compound and text[start:newline].rstrip().endswith(":"):
        return True
    position = following
    while True:
        blank = _BLANK.match(text, position)
        if blank is None or blank.end() == position:
            break
        position = blank.end()
    if position >= len(text):
        return True
    indent_match = _INDENT.match(text, position)
    first = indent_match.end() if indent_match is not None else position
    if text[first] in ")]}":
        return False
    return _width(text[position:first]) <= indent or _HARD.match(text, first) is not None


def _culprit(text: str, triples: list[tuple[int, int, int]], runaway: int) -> int:
    """Which triple quote was forgotten to close: the first that swallows code, else the last."""
    for start, end, indent in triples:
        if _swallows_code(text[start + 3 : end - 3], indent):
            return start
    return runaway


def _swallows_code(content: str, indent: int) -> bool:
    position = content.find("\n") + 1
    while position > 0:
        indent_match = _INDENT.match(content, position)
        first = indent_match.end() if indent_match is not None else position
        if _width(content[position:first]) <= indent and _CODE.match(content, first):
            return True
        position = content.find("\n", first) + 1
    return False


def _width(blanks: str) -> int:
    return len(blanks.expandtabs(8))
