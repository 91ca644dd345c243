"""Where on each line of a block the program's own text begins, and which rank or process wrote it.

Loggers, launchers, cluster tools and web pages put things in front of lines, stacked and in any order. Three ways find
them, strongest first: the column at which a traceback's frames stand (whatever stands before them on neighbouring lines
of the same shape is a prefix, known or not); a grammar of the pieces that prefixes are built of; and words that
open three lines in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.later import later
from detour_lsp.logs.prefix_grammar import (
    BARE_LABEL,
    LEVEL,
    NEEDS_NEIGHBOUR,
    STRONG,
    form_of,
    mask,
    parsed,
    without_digits,
)

_FRAME = later(r'File "[^"\n]+", line \d+')
_HEADER = later(r"(?:Exception Group )?Traceback \(most recent call (?:last|first)\)")
_NOT_A_PREFIX = later(r'Traceback \(|File "|Stack trace|most recent call|Error: |Exception: ')
_GROUP_HEADER = later(r"(?:^|\S)(\s*)\+ Exception Group Traceback \(most recent call last\):")
#: So many lines of others may stand within an exception group.
_MOST_FOREIGN = 3
_GROUP_MARGIN = later(r"\s*(?:\+-[-+]*(?: (?:\d+|\.\.\.) -+)?$|\+-+$|\|(?: |$))")
_MARGIN_END = later(r"(?:^|(?<=\s))\s*(?:\||\+)\s?$")
_OPENING_WORDS = later(r"(?!\S*(?:Error|Exception|Warning)\b)[A-Za-z][\w ./()=-]{0,40}?(?:: |\| |> |\] )")
_TORN_RANKS = later(r"(?<=\S)(?=\[(?:rank|default)\d+\]:)")


def split_torn(units: Iterable[Unit]) -> list[Unit]:
    """Units in which a second rank begins to write in the middle are split there."""
    result: list[Unit] = []
    for unit in units:
        text = unit.text
        torn = text.find("[rank", 1) > 0 or text.find("[default", 1) > 0
        cuts = [match.start() for match in _TORN_RANKS.finditer(text)] if torn else []
        if not cuts:
            result.append(unit)
            continue
        for start, end in zip([0, *cuts], [*cuts, len(unit.text)], strict=True):
            columns = None if unit.columns is None else unit.columns[start:end]
            part = Unit(unit.text[start:end], unit.line, unit.column_at(start), columns, candidate=unit.candidate)
            part.continued = unit.continued or start > 0
            result.append(part)
    return result


def find(units: Sequence[Unit]) -> None:
    """Set `prefix`, `body`, `stream`, `rank` and `shape` of every unit of a block."""
    _drop_edge(units)
    learnt = _learn(units)
    parses = [parsed(unit.text) for unit in units]
    shared = _shared(units)
    last: Unit | None = None
    for index, unit in enumerate(units):
        text = unit.text
        width = 0
        for pattern in learnt:
            match = pattern.match(text)
            if match:
                width = max(width, match.end())
        if not width:
            kinds, end = parses[index]
            first = kinds[0] if kinds else ""
            if first and (
                first not in NEEDS_NEIGHBOUR
                or (len(kinds) > 1 and any(kind in STRONG for kind in kinds))
                or _alike(parses, index, first)
            ):
                width = end
            match = shared.match(text) if shared else None
            if match and match.end() > width:
                width = _beyond(text, match.end())
        _set(unit, width)
        if not width and unit.continued and last is not None and last.line == unit.line:
            # A part of the same line: whoever wrote its beginning wrote it.
            unit.rank, unit.stream = last.rank, last.stream
        last = unit
    _forget_counters(units)
    _follow_headers(units)
    for members in _by_stream(units).values():
        for unit, width in _opening_words(members):
            _cut(unit, _beyond(unit.body, width))
        _dedent(members)
        _strip_pytest_marks(members)
    _strip_group_margins(units)


def _forget_counters(units: Sequence[Unit]) -> None:
    """Bare numbers that are new on every line count lines, as `grep -n` does, not processes, as `srun --label` does."""
    marked = [unit for unit in units if unit.stream.endswith(BARE_LABEL)]
    names = {unit.stream for unit in marked}
    if len(names) > 4 and len(names) * 2 > len(marked) and not any(unit.rank == 0 for unit in marked):
        for unit in marked:
            unit.rank, unit.stream = None, ""


#: A traceback that was logged as one message has no more lines than these, as a rule.
_LONGEST_MESSAGE = 200
#: What stands between the tracebacks of a chain.
_LINKS = ("During handling of the above exception", "The above exception was the direct cause")


def _follow_headers(units: Sequence[Unit]) -> None:
    """A process that marks its messages, not their lines: what stands bare below a traceback's header is its own."""
    for index, unit in enumerate(units):
        if not unit.stream or "Traceback (most recent call" not in unit.body or _marks_frames(units, index):
            continue
        linked = False
        for at in range(index + 1, min(len(units), index + _LONGEST_MESSAGE)):
            below = units[at]
            linked = linked if not below.text.strip() else below.text.startswith(_LINKS)
            ends = not below.text.strip() and not linked and not (at + 1 < len(units) and _is_link(units[at + 1]))
            if below.prefix or ends:
                break
            below.rank, below.stream = unit.rank, unit.stream


def _is_link(unit: Unit) -> bool:
    return not unit.prefix and unit.text.startswith(_LINKS)


def _marks_frames(units: Sequence[Unit], header: int) -> bool:
    """Whether the frames of a traceback are marked as its header is, or are not right below it."""
    if header + 1 >= len(units) or units[header + 1].prefix or not units[header + 1].text.startswith('  File "'):
        return True
    own = (unit for unit in units[header + 1 : header + _LONGEST_MESSAGE] if unit.stream == units[header].stream)
    following = next(own, None)
    return following is not None and following.body.lstrip().startswith('File "')


def _beyond(text: str, width: int) -> int:
    """Where a prefix ends of which the first `width` characters are known by comparison: known pieces may follow."""
    kinds, end = parsed(text[width:])
    return width + end if any(kind in STRONG for kind in kinds) else width


def _by_stream(units: Sequence[Unit]) -> dict[str, list[Unit]]:
    members: dict[str, list[Unit]] = {}
    for unit in units:
        members.setdefault(unit.stream, []).append(unit)
    return members


def _set(unit: Unit, width: int) -> None:
    unit.prefix = width
    if not width:
        unit.body = unit.text.rstrip()
        unit.shape, unit.rank, unit.stream = "", None, ""
        return
    prefix = unit.text[:width]
    unit.body = unit.text[width:].rstrip()
    form = form_of(without_digits(prefix))
    unit.shape = form.shape
    unit.rank, unit.stream = form.writer(prefix)


def _alike(parses: Sequence[tuple[tuple[str, ...], int]], index: int, kind: str) -> bool:
    return any(
        0 <= other < len(parses) and parses[other][0][:1] == (kind,)
        for other in (index - 1, index + 1, index - 2, index + 2)
    )


def _learn(units: Sequence[Unit]) -> list[re.Pattern[str]]:
    """Patterns of what stands before the frames of tracebacks, wherever neighbouring lines bear it too."""
    patterns: dict[str, re.Pattern[str]] = {}
    grouped = any("Exception Group Traceback" in unit.text for unit in units)
    for index, unit in enumerate(units):
        text = unit.text
        match = _FRAME.search(text) if ", line " in text else None
        if match is None and "most recent call" in text:
            match = _HEADER.search(text)
        if match is None or match.start() == 0 or match.start() > 300:
            continue
        before = text[: match.start()]
        if not before.strip() or _NOT_A_PREFIX.search(before):
            continue
        # A frame stands two blanks to the right of its header; pages that eat blanks leave one or none.
        if match[0].startswith("File "):
            stripped = before[:-2] if before.endswith("  ") else before.rstrip(" ") + " " * (before[-1] == " ")
        else:
            stripped = before
        if grouped:
            stripped = _MARGIN_END.sub("", stripped)
        if not stripped.strip():
            continue
        shape = mask(stripped)
        if shape in patterns:
            continue
        pattern = _pattern(stripped)
        neighbours = [units[other] for other in range(max(0, index - 3), min(len(units), index + 4)) if other != index]
        if sum(bool(pattern.match(other.text)) for other in neighbours) >= min(2, max(1, len(neighbours) - 1)):
            patterns[shape] = pattern
    return list(patterns.values())


def _drop_edge(units: Sequence[Unit]) -> None:
    """Take off a bar down the left side of everything, as some task runners draw; a box has a right side, too."""
    texts = [unit.text.rstrip() for unit in units]
    if len(texts) < 3 or not all(text[:1] in "│┃║" and text for text in texts):
        return
    closed = sum(text[-1] in "│┃║" and len(text) > 1 for text in texts)
    if closed * 2 < len(texts) or any(re.match(r"[│┃║] ?[╭┌]", text) for text in texts):
        for unit in units:
            width = 2 if unit.text[1:2] == " " else 1
            unit.column = unit.column_at(width)
            unit.text = unit.text[width:]
            if unit.columns is not None:
                unit.columns = unit.columns[width:]


_ENDS = (later(r".*[^\w\s\"'(/\\.<-]", re.DOTALL), later(r".*\S(?=\s)", re.DOTALL))


#: No prefix is longer.
_MOST_SHARED = 200


def _shared(units: Sequence[Unit]) -> re.Pattern[str] | None:
    """What every line of the block begins with, numbers aside, if that can be a prefix."""
    if len(units) < 3:
        return None
    common: str | None = None
    for text in {without_digits(unit.text[:_MOST_SHARED]): None for unit in units}:
        # Counters are set right; how far is no difference.
        masked = re.sub(r"\d+", "0", re.sub(r"^ +(?=\d)", "", text.decode()))
        if common is None:
            common = masked
        elif not masked.startswith(common):
            if len(masked) < len(common) and common.startswith(masked) and not common[len(masked) :].strip():
                continue
            length = 0
            for mine, other in zip(common, masked, strict=False):
                if mine != other:
                    break
                length += 1
            common = common[:length]
        if not common:
            return None
    assert common is not None
    # Back to where a prefix can end: one blank, a tab, or a mark.
    ends = [match.end() for pattern in _ENDS if (match := pattern.match(common))]
    if not ends or max(ends) > 120:
        return None
    opening = common[: max(ends)]
    if opening[-1] in "│┃║" or re.search(r"[:\])>] ?[|\s]*$", opening):
        # The edge of a box is not part of the prefix before it.
        opening = opening.rstrip("│┃║| ")
        if not opening:
            return None
    rest = common[len(opening) :]
    if rest[:1] in (" ", "\t"):
        opening += rest[0]
    if (
        not re.search(r"\w", opening)
        or _NOT_A_PREFIX.search(opening)
        or re.search(r"Error|Exception|Warning|rror:", opening)
    ):
        return None
    pattern = _pattern(" " + opening if opening[0].isdigit() else opening)
    bodies = [unit.text[found.end() :].strip() for unit in units if (found := pattern.match(unit.text))]
    return pattern if sum(map(bool, bodies)) * 2 >= len(units) and len(set(bodies)) > 2 else None


_PIECES = later(rf"{LEVEL}\b(?P<pad> *)|(?P<number>\d+)|(?P<blank>\s+)|(?P<other>.)", re.DOTALL)


def _pattern(prefix: str) -> re.Pattern[str]:
    """A pattern for prefixes like this one: other numbers, other levels, and blanks missing at a line's end."""
    parts: list[str] = []
    for match in _PIECES.finditer(prefix):
        if match["number"]:
            parts.append(r"\d+")
        elif match["blank"]:
            parts.append(r"\s*" if match.start() == 0 else r"\s+" if match.end() < len(prefix) else "")
        elif match["other"]:
            parts.append(re.escape(match["other"]))
        else:
            parts.append(rf"{LEVEL} *")
    trailing = len(prefix) - len(prefix.rstrip())
    end = rf"(?:[ \t]{{{trailing}}}|[ \t]*$)" if trailing else ""
    return re.compile("".join(parts) + end)


def _opening_words(units: Sequence[Unit]) -> list[tuple[Unit, int]]:
    """Lines opened by the same words three times in a row or more, with the width of those words."""
    found: list[tuple[Unit, int]] = []
    run: list[Unit] = []
    words = ""

    def keep() -> None:
        if len(run) < 3 or re.match(rf"{LEVEL}: $", words):
            return
        if len({unit.body[len(words) :] for unit in run}) > 1:
            found.extend((unit, min(len(words), len(unit.body))) for unit in run)

    for unit in units:
        match = _OPENING_WORDS.match(unit.body)
        opening = match[0] if match else ""
        if words and (opening == words or unit.body == words.rstrip()):
            run.append(unit)
        else:
            keep()
            run, words = ([unit], opening) if opening else ([], "")
    keep()
    return found


def _dedent(units: Sequence[Unit]) -> None:
    """A process whose lines are all indented was quoted; its own indentation begins where the leftmost stands."""
    margins = [len(unit.body) - len(unit.body.lstrip()) for unit in units if unit.body.strip()]
    margin = min(margins, default=0)
    if margin:
        for unit in units:
            _cut(unit, min(margin, len(unit.body)))


def _strip_pytest_marks(units: Sequence[Unit]) -> None:
    """pytest marks the lines of a message with an E, and empty ones among them with a lone E."""
    before = False
    for unit in units:
        if unit.body.startswith("E   "):
            _cut(unit, 4)
            unit.marked = before = True
        elif unit.body == "E" and before:
            _cut(unit, 1)
            unit.marked = True
        else:
            before = False


def _strip_group_margins(units: Sequence[Unit]) -> None:
    """Exception groups draw a margin of bars down their left side."""
    #: For each process inside a group: how many lines in a row had no margin.
    foreign: dict[str, int] = {}
    for unit in units:
        header = _GROUP_HEADER.search(unit.body) if "+ Exception Group" in unit.body else None
        if header:
            foreign[unit.stream] = 0
            _cut(unit, header.end(1) + 2)
        elif unit.stream in foreign:
            width = 0
            while True:
                match = _GROUP_MARGIN.match(unit.body, width)
                if not match or match.end() == width:
                    break
                width = match.end()
                if unit.body[match.start() : match.end()].lstrip().startswith("+"):
                    break
            if width:
                _cut(unit, width)
                foreign[unit.stream] = 0
            elif unit.body.strip():
                foreign[unit.stream] += 1
                if foreign[unit.stream] > _MOST_FOREIGN:
                    del foreign[unit.stream]


def _cut(unit: Unit, width: int) -> None:
    unit.prefix += width
    unit.body = unit.body[width:]
