"""Puts lines together again that a narrow console or window had cut at its right border.

A terminal breaks a long line after exactly its width, wherever that is, and copying from it leaves the breaks in. So
where several lines of a block have the same, greatest length and go on in the middle of something, that is the width.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.later import later
from detour_lsp.logs.prefix_grammar import opens

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
            joined[-1] = _grown(whole, unit)
        else:
            joined.append(unit)
        last = body
        open_width = len(body) == width
    return joined


def _grown(whole: Unit, unit: Unit, between: str = "") -> Unit:
    """`whole` with what stands in `unit` behind it."""
    start = len(whole.text) + len(between)
    text = whole.text + between + unit.text[unit.prefix :]
    grown = Unit(text, whole.line, whole.column, whole.columns, whole.prefix, whole.stream, whole.rank, whole.shape)
    grown.candidate = whole.candidate or unit.candidate
    grown.marked, grown.continued = whole.marked, whole.continued
    grown.parts = (*(whole.parts or ((0, whole),)), (start - unit.prefix, unit))
    grown.body = text[whole.prefix :].rstrip()
    return grown


def join_marked(units: Sequence[Unit]) -> list[Unit]:
    """The same for lines that bore a mark before they were cut, so that only their first part has it."""
    texts = [unit.text for unit in units]
    width = max(map(len, texts), default=0)
    if width not in _WIDTHS:
        return list(units)
    full = [index for index, text in enumerate(texts[:-1]) if len(text) == width]
    cut = {index for index in full if _goes_on(texts[index], texts[index + 1]) and not opens(texts[index + 1])}
    marked = {re.sub(r"\d+", "0", texts[index]) for index in cut if opens(texts[index])}
    if not marked or (width not in _USUAL and len(marked) < 2) or len(cut) * 2 <= len(full):
        return list(units)
    joined: list[Unit] = []
    for index, unit in enumerate(units):
        if index - 1 in cut and texts[index]:
            joined[-1] = _grown(joined[-1], unit)
        else:
            joined.append(unit)
    return joined


#: Wider than this nobody's window is whose lines were cut between words.
_WIDEST = 170
#: A paste is not longer.
_MOST_LINES = 600


def other_readings(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """The lines put together as if a window, or somebody's mailer, had cut them, though nothing proves it.

    Between words first, which leaves lines of any length; then within words, at the length of the longest line.
    """
    if not 2 <= len(units) <= _MOST_LINES:
        return
    width = max(len(unit.text) for unit in units)
    if not _WIDTHS.start <= width <= _WIDEST:
        return
    for between in (" ", ""):
        joined = _joined_at(units, width, between)
        if len(joined) < len(units):
            yield joined


def _joined_at(units: Sequence[Unit], width: int, between: str) -> list[Unit]:
    joined: list[Unit] = [units[0]]
    for before, unit in pairwise(units):
        body = unit.text[unit.prefix :]
        word = body.split(" ", 1)[0]
        if between:
            # The next word would not have fitted any more.
            cut = word != "" and len(before.text.rstrip()) + 1 + len(word) > width
        else:
            cut = body != "" and len(before.text) == width
        # A continuation bears its process's mark or none.
        follows = unit.stream == before.stream or not unit.shape
        if cut and follows and not opens(body) and _goes_on(before.body, body):
            # Some leave the blank in which they broke the line, some take it away.
            joined[-1] = _grown(joined[-1], unit, "" if joined[-1].text.endswith(" ") else between)
        else:
            joined.append(unit)
    return joined


def looks_cut(data: bytes) -> bool:
    """Whether lines of a block may have been cut: quick, and yes when in doubt."""
    # Characters, not bytes: the rule of a box has three bytes in each column.
    lines = data.decode("utf-8", "replace").replace("\r", "").split("\n")
    width = max(map(len, lines))
    if width < _WIDTHS.start or width > 2 * _WIDEST:
        return False
    if width in _USUAL and any(len(line) == width for line in lines[:-1]):
        return True
    for line, following in pairwise(lines):
        # Whatever is cut goes on at the left border; source lines are indented, exceptions begin with their name.
        if (
            following[:1].strip()
            and len(line) + 1 + len(following.split(" ", 1)[0]) > min(width, _WIDEST)
            and not following.startswith(("Traceback", "During", "The above"))
        ):
            return True
    return False


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
