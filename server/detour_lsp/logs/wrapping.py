"""Puts lines together again that a narrow console or window had cut at its right border.

A terminal breaks a long line after exactly its width, wherever that is, and copying from it leaves the breaks in. So
where several lines of a block have the same, greatest length and go on in the middle of something, that is the width.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.later import later

#: Narrower and wider windows are unlikely, and equal lengths are then chance.
_WIDTHS = range(56, 400)
#: Usual widths of windows: one line that ends there is enough; elsewhere it takes two.
_USUAL = frozenset({80, 100, 120, 132, 160})
_RULER = later(r"^\W{0,3}[=\-_*~^. ─━]+(?:.{1,60}[=\-_*~─━ ]{6,})?\W{0,3}$")
_EDGE = later(r"[│┃|║╮╯┐┘+]\s*$")
#: A frame's line that is whole: what follows it is the frame's source, not the rest of the line.
_FRAME = later(r'^\s*File "[^"\n]+", line \d+, in [\w<>.]+$')
_NEW_LINE = later(
    r"\s*(?:File \"|Traceback \(|During handling|The above exception|\[rank\d|\d{4}-\d\d-\d\d"
    r"|[A-Z][a-z]+Error\b|(?:[a-z_]\w*\.)+[A-Z]\w+:)"
)


def join_wrapped(units: Sequence[Unit]) -> list[Unit]:
    """The units with those put together that were one line, if the block shows a width at which lines were cut."""
    bodies = [unit.text[unit.prefix :] for unit in units]
    width = _width(bodies)
    if not width:
        return list(units)
    joined: list[Unit] = []
    open_width = False
    last = ""
    for unit, body in zip(units, bodies, strict=True):
        whole = joined[-1] if joined else None
        if open_width and whole is not None and whole.stream == unit.stream and _goes_on(last, body):
            parts = whole.parts or ((0, whole),)
            start = len(whole.text)
            text = whole.text + body
            grown = Unit(
                text, whole.line, whole.column, whole.columns, whole.prefix, whole.stream, whole.rank, whole.shape
            )
            grown.candidate = whole.candidate or unit.candidate
            grown.marked, grown.continued = whole.marked, whole.continued
            grown.parts = (*parts, (start - unit.prefix, unit))
            grown.body = text[whole.prefix :].rstrip()
            joined[-1] = grown
        else:
            joined.append(unit)
        last = body
        open_width = len(body) == width
    return joined


def _width(bodies: Sequence[str]) -> int:
    """The width at which lines were cut, or 0."""
    longest = max(map(len, bodies), default=0)
    if longest not in _WIDTHS:
        return 0
    full = [index for index, body in enumerate(bodies[:-1]) if len(body) == longest]
    cut = [index for index in full if bodies[index + 1] and _goes_on(bodies[index], bodies[index + 1])]
    # Lines of the same wording have the same length, too.
    distinct = Counter(re.sub(r"\d+", "0", bodies[index]) for index in cut)
    least = 1 if longest in _USUAL else 2
    return longest if len(distinct) >= least and len(cut) * 2 > len(full) else 0


@lru_cache(maxsize=1_024)
def _goes_on(body: str, following: str) -> bool:
    """Whether a line of full width can go on in the next: rulers, boxes and whole frames do not."""
    if _NEW_LINE.match(following) or _RULER.match(body) or _EDGE.search(body):
        return False
    return not (following[:1].isspace() and _FRAME.match(body))
