"""The pieces that prefixes of log lines are built of, and what a prefix says: its kind, the rank, the process."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from detour_lsp.logs.later import later

LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|SUCCESS|WARN(?:ING)?|ERROR|CRITICAL|FATAL|SEVERE|Debug|Info|Warning|Error)"
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
        ("time", "[", rf"\[{_TIME}(?:[ ,|]+(?:{LEVEL}|[A-Z]{{2}}\d+))*\]:?"),
        ("time", "(", rf"\({_TIME}\):?"),
        ("time", "da", rf"{_TIME}(?:[ ]*[|,:;](?=\s)| -(?= ))?(?=[\s\[|(]|$)"),
        ("level", "[", rf"\[ *(?:{LEVEL}|[IWEFD]) *\]:?"),
        ("level", "<", rf"<{LEVEL}>:?"),
        ("basic", "[", rf"\[[A-Za-z][\w.-]*\] ?\[(?:{LEVEL}|[IWEFD])\]:?"),
        ("basic", "a", rf"{LEVEL}:[A-Za-z_][\w.]*:"),
        ("level", "a", rf"{LEVEL}(?: *[|:]| +-)?(?=\s|\[|$)"),
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
STRONG = frozenset({"glog", "rank", "time", "who"})
#: Pieces that alone may open a line when the next or last line opens so too.
NEEDS_NEIGHBOUR = frozenset({"ids", "service", "label", "quote"})
#: Pieces behind which those may stand that only follow others.
_LEADING = frozenset({"time", "level", "who", "rank", "source", "glog", "basic"})
#: Pieces that only follow others.
_FOLLOWS = frozenset({"source", "logger", "dash", "daemon"})

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
BARE_LABEL = ":"
_PROCESS = later(
    r"\([^()]*pid[=: ]\s?\d+[^()]*\)|\[[^\[\]]*pid[=: ]\s?\d+[^\[\]]*\]|^\s*(?:\d+\|)?[A-Za-z0-9][\w./-]*(?=\s*\|)"
)


@dataclass(frozen=True, slots=True)
class Form:
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
            return rank, number + BARE_LABEL
        name = prefix[slice(*self.name)].strip() if self.name else ""
        return rank, f"{'' if rank is None else rank}/{name}"


@lru_cache(maxsize=1_024)
def form_of(masked: bytes) -> Form:
    prefix = masked.decode()
    shape = mask(prefix)
    for pattern in _RANKS:
        match = pattern.search(prefix)
        if match:
            rank = match.span(1)
            break
    else:
        match = _LABEL.match(prefix)
        if match:
            return Form(shape, match.span(1), None, bare=True)
        rank = None
    process = _PROCESS.search(prefix)
    return Form(shape, rank, process.span() if process and process[0].strip() else None, bare=False)


def opens(text: str) -> bool:
    """Whether a line begins with something that is a prefix wherever it stands."""
    return not STRONG.isdisjoint(parsed(text)[0])


#: Lines of a log differ in their numbers, and no piece of a prefix depends on which digits there are.
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
#: Longer lines are not kept; few have a prefix that matters, and they would fill the memory.
_MOST_KEPT = 600


def parsed(text: str) -> tuple[tuple[str, ...], int]:
    """`_parse`, with lines that differ in digits only looked at once."""
    return _parse_again(without_digits(text)) if len(text) <= _MOST_KEPT else _parse(text)


def without_digits(text: str) -> bytes:
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
    if kinds and text[:1] in " \t" and kinds[0] not in STRONG:
        return (), 0
    # A lone level is part of the message for many tools ("ERROR: Unexpected bus error ...").
    if not kinds or (kinds == ["level"]):
        return (), 0
    if position < length and text[position] in " \t":
        position += 1
    return tuple(kinds), position


def mask(prefix: str) -> str:
    return re.sub(r"\d+", "0", prefix.strip())
