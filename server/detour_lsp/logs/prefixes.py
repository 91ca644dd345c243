"""Where on each line of a block the program's own text begins, and which rank or process wrote it.

Loggers, launchers, cluster tools and web pages put things in front of lines, stacked and in any order. Three ways find
them, strongest first: the column at which a traceback's frames stand (whatever stands before them on neighbouring lines
of the same shape is a prefix, known or not); a grammar of the pieces that prefixes are built of; and words that
open three lines in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.later import later

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|SUCCESS|WARN(?:ING)?|ERROR|CRITICAL|FATAL|SEVERE|Debug|Info|Warning|Error)"
_DAY = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = r"\d{1,2}:\d{2}:\d{2}(?:[.,:]\d{1,9})?(?: ?[AP]M)?(?:Z| ?[+-]\d{2}:?\d{2}\b| UTC)?"
_TIME = (
    rf"(?:(?:{_DAY})?{_MONTH} +\d{{1,2}},? (?:\d{{4}} )?{_CLOCK}(?: \d{{4}})?|{_DAY}[T _]{_CLOCK}|{_CLOCK}"
    r"|\d{10}\.\d{2,9}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?=[ \]]))"
)
_SOURCE = r"(?:[\w.<>/\\:-]+\.(?:py|pyx|cpp|cc|cu|h|hpp|c|rs|go)|[\w.]*<\w+>):\d+"

#: Kind, the class of its first character (see `_class_of`; "*" for any), and how it looks.
_ATOMS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, opening, later(pattern))
    for kind, opening, pattern in (
        ("glog", "[a", rf"\[?[IWEFDV](?:\d{{3,4}}|\d{{8}})?[ ]{_CLOCK}(?: +\d+)? +(?:{_SOURCE}|[\w.]+:\d+)\](?= |$)"),
        ("glog", "[", r"\[[IWEF] [\w./]+:\d+\](?= |$)"),
        (
            "rank",
            "[",
            r"\[(?:rank|Rank|RANK|default|local_rank|worker|node|host|gpu|GPU|proc(?:ess)?|trainer|actor)[ _:=#-]?\d+"
            r"(?:[/,: |]+\w+[ =:]?\d+)*\]:?",
        ),
        ("rank", "a", r"(?:Rank|RANK|rank|GPU|gpu|Worker|worker)[ _:=#-]?\d{1,5}(?:[:|>]| -)(?= |$)"),
        ("rank", "[", r"\[\d+,(?:\d+|mpirank:\d+[\w,:-]*)\]<std(?:out|err|diag)>:?"),
        ("rank", "[", r"\[(?![\w.-]*\.(?:py|cpp|cc|cu|c|h|rs|go):)[A-Za-z][\w.-]*:\d+\]:?(?=\s|$|\[)"),
        ("time", "[", rf"\[{_TIME}(?:[ ,|]+(?:{_LEVEL}|[A-Z]{{2}}\d+))*\]:?"),
        ("time", "(", rf"\({_TIME}\):?"),
        ("time", "da", rf"{_TIME}(?:[ ]*[|,:;](?=\s)| -(?= ))?(?=[\s\[|(]|$)"),
        ("level", "[", rf"\[ *(?:{_LEVEL}|[IWEFD]) *\]:?"),
        ("level", "<", rf"<{_LEVEL}>:?"),
        ("basic", "[", rf"\[[A-Za-z][\w.-]*\] ?\[(?:{_LEVEL}|[IWEFD])\]:?"),
        ("basic", "a", rf"{_LEVEL}:[A-Za-z_][\w.]*:"),
        ("level", "a", rf"{_LEVEL}(?: *[|:]| +-)?(?=\s|\[|$)"),
        ("ids", "[", r"\[\d+(?:[/_.]\d+)*\](?!:?\s*$)(?=[ :]|\[)"),
        ("who", "(", r"\((?=[^()]{0,120}?(?:pid[=: ]|rank[=: ]?\d))[^()]{1,160}\)(?: *:(?= ))?"),
        ("who", "[", r"\[(?=[^\[\]]{0,120}?(?:pid[=: ]|rank[=: ]?\d))[^\[\]]{1,160}\]:?"),
        ("source", "[", rf"\[{_SOURCE}(?::\w+)?\]:?"),
        (
            "source",
            "*",
            rf"\(?{_SOURCE}[)\]]?(?: *[:|]| -)?(?= )(?!\s*$| in \S+$| [\w.]*(?:Error|Warning|Exception)\b)",
        ),
        ("source", "*", r"[\w.<>]+(?::[\w.<>]+)?:\d+(?: -| \|)(?= |$)"),
        ("logger", "[", r"\[[A-Za-z_][\w.]*(?:, ?\w+)*\](?: -|:)?(?= |$)"),
        (
            "logger",
            "a",
            r"(?![\w.]*\.(?:[A-Z]\w*|sh|py|cpp|cu|c|exe):|[\w.]*(?:Error|Exception|Warning|Exit|Interrupt):)"
            r"(?:[A-Za-z_]\w*(?:\.\w+)+:(?= )|__main__:(?= )|[A-Za-z_]\w*(?:\.\w+)*(?: -(?= )| +\|(?= |$)))",
        ),
        ("daemon", "da", r"[\w.-]+ [\w./@-]+(?:\[\d+\])?:(?= |$)"),
        ("service", "da", r"(?:\d+\|)?[A-Za-z0-9][\w./-]{0,60}\s*\|(?= |$)"),
        ("label", "d", r"\d{1,4}:(?= |$)"),
        ("quote", ">", r">(?: ?>)*(?= |$)"),
        ("dash", "*", r"[-|:](?= )"),
    )
)


def _class_of(character: str) -> str:
    if character.isdigit():
        return "d"
    if character.isalpha() or character == "_":
        return "a"
    return character if character in "[(<>" else "*"


_BY_CLASS = {
    opening: tuple((kind, pattern) for kind, classes, pattern in _ATOMS if opening in classes or classes == "*")
    for opening in "da[(<>*"
}
#: Pieces that are a prefix wherever they stand first; the others need one of these before them, or neighbours alike.
_STRONG = frozenset({"glog", "rank", "time", "who"})
#: Pieces that alone may open a line when the next or last line opens so too.
_NEEDS_NEIGHBOUR = frozenset({"ids", "service", "label", "quote"})
#: Pieces behind which those may stand that only follow others.
_LEADING = frozenset({"time", "level", "who", "rank", "source", "glog", "basic"})
#: Pieces that only follow others.
_FOLLOWS = frozenset({"source", "logger", "dash", "daemon"})

_FRAME = later(r'File "[^"\n]+", line \d+')
_HEADER = later(r"(?:Exception Group )?Traceback \(most recent call (?:last|first)\)")
_NOT_A_PREFIX = later(r'Traceback \(|File "|Stack trace|most recent call|Error: |Exception: ')
_GROUP_HEADER = later(r"(?:^|\S)(\s*)\+ Exception Group Traceback \(most recent call last\):")
#: So many lines of others may stand within an exception group.
_MOST_FOREIGN = 3
_GROUP_MARGIN = later(r"\s*(?:\+-[-+]*(?: (?:\d+|\.\.\.) -+)?$|\+-+$|\|(?: |$))")
_MARGIN_END = later(r"(?:^|(?<=\s))\s*(?:\||\+)\s?$")
_OPENING_WORDS = later(r"(?!\S*(?:Error|Exception|Warning)\b)[A-Za-z][\w ./()=-]{0,40}?(?:: |\| |> |\] )")
_RANKS = (
    later(r"(?:\b|_)(?:rank|Rank|RANK|local_rank)[ _:=#-]?(\d+)"),
    later(r"\[default(\d+)\]"),
    later(r"\[\d+,(?:mpirank:)?(\d+)[\w,:-]*\]<std"),
    later(r"(?:\b|_)TP(\d+)\b"),
    later(r"(?:worker|Worker|gpu|GPU|trainer|actor|proc|process)[ _:=#-]?(\d+)"),
    later(r"\[(?![\w.-]*\.(?:py|cpp|cc|cu|c|h|rs|go):)[A-Za-z][\w.-]*:(\d+)\]"),
)
_LABEL = later(r"\s*(\d{1,4}):")
#: Ends the names of processes that are known by a bare number only.
_BARE_LABEL = ":"
_PROCESS = later(
    r"\([^()]*pid[=: ]\s?\d+[^()]*\)|\[[^\[\]]*pid[=: ]\s?\d+[^\[\]]*\]|^\s*(?:\d+\|)?[A-Za-z0-9][\w./-]*(?=\s*\|)"
)
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
    parses = [_parsed(unit.text) for unit in units]
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
                first not in _NEEDS_NEIGHBOUR
                or (len(kinds) > 1 and any(kind in _STRONG for kind in kinds))
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
    for members in _by_stream(units).values():
        for unit, width in _opening_words(members):
            _cut(unit, _beyond(unit.body, width))
        _dedent(members)
        _strip_pytest_marks(members)
    _strip_group_margins(units)


def _forget_counters(units: Sequence[Unit]) -> None:
    """Bare numbers that are new on every line count lines, as `grep -n` does, not processes, as `srun --label` does."""
    marked = [unit for unit in units if unit.stream.endswith(_BARE_LABEL)]
    names = {unit.stream for unit in marked}
    if len(names) > 4 and len(names) * 2 > len(marked) and not any(unit.rank == 0 for unit in marked):
        for unit in marked:
            unit.rank, unit.stream = None, ""


def _beyond(text: str, width: int) -> int:
    """Where a prefix ends of which the first `width` characters are known by comparison: known pieces may follow."""
    kinds, end = _parsed(text[width:])
    return width + end if any(kind in _STRONG for kind in kinds) else width


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
    form = _form(_without_digits(prefix))
    unit.shape = form.shape
    unit.rank, unit.stream = form.writer(prefix)


@dataclass(frozen=True, slots=True)
class _Form:
    """What prefixes have in common that differ in digits only."""

    shape: str
    #: Where the number of the rank and the name of the process stand.
    rank: tuple[int, int] | None
    name: tuple[int, int] | None
    #: Whether the number is all that names the process.
    bare: bool

    def writer(self, prefix: str) -> tuple[int | None, str]:
        """The rank that a prefix names, and what keeps its writer apart from others."""
        if self.rank is None and self.name is None:
            return None, ""
        number = prefix[slice(*self.rank)] if self.rank else ""
        rank = int(number) if number else None
        if self.bare:
            return rank, number + _BARE_LABEL
        name = prefix[slice(*self.name)].strip() if self.name else ""
        return rank, f"{'' if rank is None else rank}/{name}"


@lru_cache(maxsize=1_024)
def _form(masked: bytes) -> _Form:
    prefix = masked.decode()
    shape = _mask(prefix)
    for pattern in _RANKS:
        match = pattern.search(prefix)
        if match:
            rank = match.span(1)
            break
    else:
        match = _LABEL.match(prefix)
        if match:
            return _Form(shape, match.span(1), None, bare=True)
        rank = None
    process = _PROCESS.search(prefix)
    return _Form(shape, rank, process.span() if process and process[0].strip() else None, bare=False)


def opens(text: str) -> bool:
    """Whether a line begins with something that is a prefix wherever it stands."""
    return not _STRONG.isdisjoint(_parsed(text)[0])


#: Lines of a log differ in their numbers, and no piece of a prefix depends on which digits there are.
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
#: Longer lines are not kept; few have a prefix that matters, and they would fill the memory.
_MOST_KEPT = 600


def _parsed(text: str) -> tuple[tuple[str, ...], int]:
    """`_parse`, with lines that differ in digits only looked at once."""
    return _parse_again(_without_digits(text)) if len(text) <= _MOST_KEPT else _parse(text)


def _without_digits(text: str) -> bytes:
    # Of all ways to do this, the one over bytes is the only quick one.
    return text.encode("utf-8", "replace").translate(_DIGITS)


@lru_cache(maxsize=4_096)
def _parse_again(text: bytes) -> tuple[tuple[str, ...], int]:
    return _parse(text.decode())


def _parse(text: str) -> tuple[tuple[str, ...], int]:
    """The known pieces that open a line, and where they end (with the one blank that sets the text off)."""
    kinds: list[str] = []
    position = 0
    length = len(text)
    while len(kinds) < 12:
        start = position
        while start < length and text[start] in " \t":
            start += 1
        if kinds and start - position > 1 and kinds[-1] not in ("time", "level", "who", "source", "service", "logger"):
            break
        if start >= length:
            break
        last = kinds[-1] if kinds else ""
        follows = not _LEADING.isdisjoint(kinds)
        # A logger's columns are padded behind its level and nowhere else; wider gaps indent the text.
        indented = (start - position > 1 or last == "glog") and last not in ("level", "time")
        for kind, pattern in _BY_CLASS[_class_of(text[start])]:
            if kind in _FOLLOWS and (not follows or (kind == "daemon" and last != "time")):
                continue
            if indented and kind in ("logger", "source", "dash"):
                continue
            if last and (kind == "quote" or (kind in ("label", "service") and kind == last)):
                continue
            match = pattern.match(text, start)
            if match and match.end() > start:
                kinds.append(kind)
                position = match.end()
                break
        else:
            break
    if kinds and text[:1] in " \t" and kinds[0] not in _STRONG:
        return (), 0
    # A lone level is part of the message for many tools ("ERROR: Unexpected bus error ...").
    if not kinds or (kinds == ["level"]):
        return (), 0
    if position < length and text[position] in " \t":
        position += 1
    return tuple(kinds), position


def _alike(parses: Sequence[tuple[tuple[str, ...], int]], index: int, kind: str) -> bool:
    return any(
        0 <= other < len(parses) and parses[other][0][:1] == (kind,)
        for other in (index - 1, index + 1, index - 2, index + 2)
    )


def _mask(prefix: str) -> str:
    return re.sub(r"\d+", "0", prefix.strip())


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
        shape = _mask(stripped)
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
    for text in {_without_digits(unit.text[:_MOST_SHARED]): None for unit in units}:
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


_PIECES = later(rf"{_LEVEL}\b(?P<pad> *)|(?P<number>\d+)|(?P<blank>\s+)|(?P<other>.)", re.DOTALL)


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
            parts.append(rf"{_LEVEL} *")
    trailing = len(prefix) - len(prefix.rstrip())
    end = rf"(?:[ \t]{{{trailing}}}|[ \t]*$)" if trailing else ""
    return re.compile("".join(parts) + end)


def _opening_words(units: Sequence[Unit]) -> list[tuple[Unit, int]]:
    """Lines opened by the same words three times in a row or more, with the width of those words."""
    found: list[tuple[Unit, int]] = []
    run: list[Unit] = []
    words = ""

    def keep() -> None:
        if len(run) < 3 or re.match(rf"{_LEVEL}: $", words):
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
