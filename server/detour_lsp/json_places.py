"""Where the values of a JSON text stand in it: for notebooks, whose texts are lines of a file that people look at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def skip(text: str, position: int) -> int:
    """Past the blanks at a position."""
    match = _SPACE.match(text, position)
    return match.end() if match is not None else position


def members(text: str, position: int) -> Iterator[tuple[str, int, int]]:
    """Key, start and end of the value of each member of the object at a position; ValueError for anything else."""
    position = skip(text, _expect(text, position, "{"))
    while text[position : position + 1] != "}":
        key, position = _DECODER.raw_decode(text, position)
        start = skip(text, _expect(text, skip(text, position), ":"))
        _, end = _DECODER.raw_decode(text, start)
        yield str(key), start, end
        position = _next(text, end, "}")


def elements(text: str, position: int) -> Iterator[tuple[int, int]]:
    """Start and end of each value in the array at a position; ValueError for anything else."""
    position = skip(text, _expect(text, position, "["))
    while text[position : position + 1] != "]":
        _, end = _DECODER.raw_decode(text, position)
        yield position, end
        position = _next(text, end, "]")


def _next(text: str, end: int, closing: str) -> int:
    position = skip(text, end)
    if text[position : position + 1] == ",":
        return skip(text, position + 1)
    _expect(text, position, closing)
    return position


def _expect(text: str, position: int, letter: str) -> int:
    if text[position : position + 1] != letter:
        raise ValueError(f"expected {letter!r} at character {position}")
    return position + 1
