"""Whether a place may stand in a loop, told from the indentation above it, before anything is parsed."""

from __future__ import annotations

import re

from detour_lsp.source.quoted import Quoted

_LOOP = re.compile(rb"(?:async[ \t]+)?(?:for|while)\b")
_OUTERMOST = re.compile(rb"(?:async[ \t]+def|def|class|@)\b")
_FOR = re.compile(rb"\bfor\b")
#: So far up and down a comprehension may reach.
_STATEMENT = 600
#: Longer functions are not read to their beginning.
_HIGH = 60_000


def in_loop_possible(data: bytes, place: int, quoted: Quoted) -> bool:
    """Whether a `for` or `while` stands further out above the place, or a comprehension may be around it."""
    start = data.rfind(b"\n", 0, place) + 1
    indent = _indent(data, start)
    if _LOOP.match(data, start + indent) is not None:
        return True
    for match in _FOR.finditer(data, max(0, place - _STATEMENT), min(len(data), place + _STATEMENT)):
        if not _is_header(data, match.start()) and not quoted.covers(match.start()):
            return True
    position = start
    while position > 0 and indent > 0:
        if place - position > _HIGH:
            return True
        end = position - 1
        position = data.rfind(b"\n", 0, end) + 1
        width = _indent(data, position)
        if position + width >= end or width >= indent:
            continue
        if _LOOP.match(data, position + width) is not None:
            return True
        if width == 0 and _OUTERMOST.match(data, position) is not None:
            return False
    return False


def _is_header(data: bytes, place: int) -> bool:
    """Whether a `for` begins a loop statement, which the indentation tells about, and no clause of a comprehension."""
    start, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
    return data[start:place].strip() in (b"", b"async") and b":" in data[place : end if end >= 0 else len(data)]


def _indent(data: bytes, start: int) -> int:
    """How many bytes of white space a line begins with."""
    position = start
    while data[position : position + 1] in (b" ", b"\t", b"\f"):
        position += 1
    return position - start
