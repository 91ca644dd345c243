"""One block of a log -> the sightings in it: which signatures, where, in which traceback, of which rank.

The signatures are searched in three readings of the block, because a message may be whole in only one of them: each
process's own lines without prefixes, all lines in order without prefixes, and all lines as they stand. Lines that quote
source code are blank in all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from detour_lsp.knowledge.pattern import Pattern
from detour_lsp.logs import harmless, tracebacks, wrapping
from detour_lsp.logs.attribution import (
    ProcessLines,
    block_span,
    by_process,
    frame_above,
    frames_elsewhere,
    frames_of,
    in_summary,
    in_warning,
)
from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.incident import Frame, Span
from detour_lsp.logs.later import later
from detour_lsp.logs.matching import Match, Matcher

if TYPE_CHECKING:
    from detour_lsp.knowledge.record import Level

#: Longer messages are cut; nobody reads further, and cards quote them.
MOST_MESSAGE = 4_000
_SPOKEN = later(r"[\s|│┃>]*(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning): \S")
_MESSAGE_START = later(
    r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Unsupported|Exceeded|Missing"
    r"|Failed)\w*(?:\[[^\]]*\])?: *$"
)
_WARNED = later(r"(?:^|[\s.:])(?:[A-Z]\w*)?Warning: [^\n]{0,200}$")
#: pytest's list of failures at the end.
_RETOLD = later(r"(?:^|\s)(?:FAILED|ERROR) \S+\.py::|^\s*(?:FAILED|ERROR) \S+\.py - ")
_RANK_IN_TEXT = later(r"\[(?:PG \S+ )?(?:PG ID \S+ PG GUID \S+ )?Rank (\d+)\]|^\s*rank\s*:\s*(\d+)")
_VERSION_SIGN = later(r"orch(?:[ _-]?[Vv]ersion)?[-:= ]+v?\d")
_VERSION = later(
    r"\b(?:torch|[Pp]y[Tt]orch)(?:[ _-]?[Vv]ersion)?(?:==|[-:= ]+v?)(\d+\.\d+(?:\.\d+)?(?:\+\w+)?)(?![\w.]*-?py)"
    r"|torch-(\d+\.\d+\.\d+)(?:\+\w+)?(?:\.dist-info|-cp|-py)"
)


@dataclass(slots=True)
class Sighting:
    """A signature seen in a block, before sightings of the same failure are put together."""

    pattern: Pattern
    level: Level
    span: Span
    message: str
    #: The matched words, for telling whether two sightings say the same.
    words: str
    captures: Mapping[str, str]
    frames: tuple[Frame, ...]
    user_frame: Frame | None
    block: Span
    stream: str
    #: Tracebacks chained to each other bear the same number; -1 outside of any.
    chain: int
    ranks: tuple[int, ...]
    truncated: bool
    torch_version: str | None
    #: The rest of the decisive line and the user frame above it: what is known as soon as the line is there.
    line_words: str
    frame_above: Frame | None
    #: Whether the line only sums up what was told in full elsewhere.
    retold: bool
    #: Whether it is all there is: Python's warnings say in one line what is wrong and where.
    whole: bool
    #: As many times the process printed the same in a row; only the first and the last are sightings of their own.
    times: int


@dataclass(frozen=True, slots=True)
class _View:
    text: str
    #: Offset in `text` at which each line begins, and the unit that it comes from.
    starts: Sequence[int]
    units: Sequence[int]
    kind: Literal["stream", "order", "raw"]

    @property
    def prefixed(self) -> bool:
        """Whether prefixes are part of the text."""
        return self.kind == "raw"


class BlockReader:
    """Reads blocks with one set of signatures."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def read(self, units: Sequence[Unit], signature_indexes: Iterable[int], first_chain: int) -> list[Sighting]:
        """The sightings in a block, in order of their places; chains are numbered from `first_chain`."""
        indexes = sorted(set(signature_indexes))
        code = [False] * len(units)
        streams = by_process(units)
        place_of: dict[int, tuple[ProcessLines, int]] = {}
        chain = first_chain
        for stream in streams:
            parsed = tracebacks.parse([units[index] for index in stream.members])
            stream.segments = parsed.segments
            for segment in parsed.segments:
                chain += segment.link == "none" or not stream.chains
                stream.chains.append(chain)
            for place, index in enumerate(stream.members):
                code[index] = parsed.code[place]
                place_of[index] = (stream, place)
        sightings: list[Sighting] = []
        taken: dict[str, list[tuple[int, int]]] = {}
        for view in _views(units, streams, code):
            for match in self._distinct(self._matcher.confirm(view.text, indexes), view):
                rows = _rows(match, view)
                if view.kind != "stream" and not _adds(match, rows, view, units):
                    continue
                sighting = self._sighting(match, view, units, place_of, streams)
                if sighting is None:
                    continue
                lines = [units[view.units[row]].line for row in rows]
                first, last = min(lines), max(lines)
                record = sighting.pattern.record
                if view.kind != "stream" and any(
                    first <= end and start <= last for start, end in taken.get(record, ())
                ):
                    continue
                taken.setdefault(record, []).append((min(first, sighting.span.line), max(last, sighting.span.end_line)))
                sightings.append(sighting)
        if sightings:
            # Versions are printed once, in a banner or a path, and hold for all of the block.
            version = _torch_version("\n".join(units[index].body for index in place_of))
            for sighting in sightings:
                sighting.torch_version = version
        sightings.sort(key=lambda item: (item.span.line, item.span.column, item.pattern.signature))
        return sightings

    def read_otherwise(
        self, lines: Sequence[Unit], units: Sequence[Unit], sightings: Sequence[Sighting], first_chain: int
    ) -> list[Sighting]:
        """The sightings, and what is only seen when lines are put together that may have been cut.

        `units` are the lines with those put together that were cut for certain: their words may not have been met yet.
        """
        found = list(sightings)
        if any(sighting.times > 1 for sighting in sightings):
            # A storm, of which most was left out on purpose.
            return found
        certain = [units] if any(unit.parts for unit in units) else []
        for joined in (*certain, *wrapping.other_readings(lines)):
            text = "\n".join(unit.body for unit in joined).encode("utf-8", "replace")
            indexes = {index for line in self._matcher.candidates(text) for index in line.signature_indexes}
            for sighting in self.read(joined, indexes, first_chain) if indexes else ():
                old = next((other for other in found if _same_place(other, sighting)), None)
                if old is None:
                    found.append(sighting)
                elif old.user_frame is None and sighting.user_frame is not None:
                    found[found.index(old)] = sighting
        found.sort(key=lambda item: (item.span.line, item.span.column, item.pattern.signature))
        return found

    def _distinct(self, matches: Sequence[Match], view: _View) -> list[Match]:
        """One match where several signatures of a record match the same text: the first signature is the most exact.

        What the others captured is kept.
        """
        groups: dict[str, list[list[Match]]] = {}
        reach: dict[str, tuple[int, int]] = {}
        for match in sorted(matches, key=lambda item: item.start):
            record = self._matcher.patterns[match.signature].record
            row = bisect_right(view.starts, match.start)
            end, last_row = reach.get(record, (-1, -1))
            if match.start < end or row == last_row:
                groups[record][-1].append(match)
            else:
                groups.setdefault(record, []).append([match])
            reach[record] = (max(end, match.end), row)
        distinct: list[Match] = []
        for group in (group for groups_of_record in groups.values() for group in groups_of_record):
            best = min(group, key=lambda item: self._matcher.patterns[item.signature].signature)
            captures = {name: text for other in group for name, text in other.groups.items()} | dict(best.groups)
            distinct.append(replace(best, groups=captures))
        return sorted(distinct, key=lambda item: (item.at, item.signature))

    def _sighting(
        self,
        match: Match,
        view: _View,
        units: Sequence[Unit],
        place_of: Mapping[int, tuple[ProcessLines, int]],
        streams: Sequence[ProcessLines],
    ) -> Sighting | None:
        at = match.at
        row = bisect_right(view.starts, at) - 1
        unit = units[view.units[row]]
        line_start = view.starts[row]
        line_end = view.text.find("\n", at)
        if line_end < 0:
            line_end = len(view.text)
        line = view.text[line_start:line_end]
        inside = match.start if match.start >= line_start else at
        if harmless.is_harmless(
            line, inside - line_start, min(match.end, line_end) - line_start
        ) or harmless.is_anothers(unit.text[: unit.prefix]):
            return None
        span = _span(view, units, at, match.end)
        stream, place = place_of[view.units[row]]
        frames, chosen, above, chain = frames_of(stream, place, unit.line)
        if chosen is None and not frames:
            frames, chosen = frames_elsewhere(view.units[row], place_of, units)
        pattern = self._matcher.patterns[match.signature]
        if chosen is None and pattern.level == "symptom":
            chosen = frame_above(unit.line, streams)
        ranks = {rank for rank in [unit.rank] if rank is not None}
        ranks.update(int(found[1] or found[2]) for found in _RANK_IN_TEXT.finditer(line))
        message = _message(view.text, match, line_end)
        # What Python's `warnings` prints went on: an error's words there are a warning.
        warned = pattern.level == "error" and _WARNED.search(line[: max(0, inside - line_start)]) is not None
        return Sighting(
            pattern,
            "warning" if warned else pattern.level,
            span,
            message[:MOST_MESSAGE],
            view.text[at : min(line_end, max(match.end, at))].strip() or line.strip(),
            dict(match.groups),
            frames,
            chosen,
            block_span(stream, place, chain, units, span),
            stream.name,
            chain,
            tuple(sorted(ranks)),
            len(message) > MOST_MESSAGE,
            None,
            _from_its_name(line, at - line_start),
            above,
            _RETOLD.search(units[view.units[row]].text) is not None or in_summary(stream, place, units),
            in_warning(stream, place),
            stream.weights[place] if stream.weights else 1,
        )


def _same_place(one: Sighting, other: Sighting) -> bool:
    """Whether two readings of the same lines saw the same."""
    return (
        one.pattern.record == other.pattern.record
        and one.span.line <= other.span.end_line
        and other.span.line <= one.span.end_line
    )


def _views(units: Sequence[Unit], streams: Sequence[ProcessLines], code: Sequence[bool]) -> Iterable[_View]:
    for stream in streams:
        yield _view(units, stream.members, code, "stream")
    everything = sorted(index for stream in streams for index in stream.members)
    if len(streams) > 1:
        yield _view(units, everything, code, "order")
    if _prefixes_matter(units, everything):
        yield _view(units, everything, code, "raw")


#: A match begins at most so many lines above the one that holds its signature's word.
_LINES_BEFORE_WORD = 6


def _prefixes_matter(units: Sequence[Unit], members: Sequence[int]) -> bool:
    """Whether a match could begin in what was taken for a prefix."""
    reach = 0
    for index in reversed(members):
        unit = units[index]
        reach = _LINES_BEFORE_WORD if unit.candidate else reach - 1
        if reach >= 0 and unit.prefix:
            return True
    return False


def _view(
    units: Sequence[Unit], members: Sequence[int], code: Sequence[bool], kind: Literal["stream", "order", "raw"]
) -> _View:
    parts: list[str] = []
    starts: list[int] = []
    offset = 0
    for index in members:
        unit = units[index]
        # What reads like an exception is searched even where it seems to be source: processes mix their lines.
        quoted = code[index] and not _SPOKEN.match(unit.body)
        text = "" if quoted else units[index].text.rstrip() if kind == "raw" else units[index].body
        starts.append(offset)
        parts.append(text)
        offset += len(text) + 1
    return _View("\n".join(parts), starts, members, kind)


def _rows(match: Match, view: _View) -> range:
    first = bisect_right(view.starts, match.start) - 1
    last = bisect_right(view.starts, max(match.start, match.end - 1)) - 1
    return range(first, last + 1)


def _adds(match: Match, rows: range, view: _View, units: Sequence[Unit]) -> bool:
    """Whether a match in one of the wider readings is more than lines of different processes side by side."""
    streams = {units[view.units[row]].stream for row in rows}
    if view.kind == "order":
        # A first line with a mark and unmarked ones below: one message, of a logger that marks only the first.
        return "" in streams and len(streams) == 2
    return len(streams) == 1 and match.start < view.starts[rows[0]] + units[view.units[rows[0]]].prefix


def _position(view: _View, units: Sequence[Unit], offset: int, *, end: bool) -> tuple[int, int]:
    row = bisect_right(view.starts, max(0, offset - 1) if end else offset) - 1
    unit = units[view.units[row]]
    index = offset - view.starts[row] + (0 if view.prefixed else unit.prefix)
    if end:
        line, column = unit.place(max(0, index - 1))
        return line, column + 1
    return unit.place(index)


def _span(view: _View, units: Sequence[Unit], start: int, end: int) -> Span:
    while end > start + 1 and view.text[end - 1] in "\n ":
        end -= 1
    line, column = _position(view, units, start, end=False)
    end_line, end_column = _position(view, units, max(end, start + 1), end=True)
    if end_line < line:
        end_line, end_column = line, column + 1
    return Span(line, column, end_line, end_column)


#: So many characters before a match may belong to its message.
MOST_BEFORE = 500


def _name_start(before: str) -> int:
    """Where a message begins, of which `before` stands left of the matched words: at the exception's name."""
    named = _MESSAGE_START.search(before)
    if named:
        return named.start()
    return 0 if len(before) <= 120 and not re.search(r"\d%|it/s", before) else len(before)


def _from_its_name(line: str, at: int) -> str:
    """The decisive line from the exception's name on: the same for whichever signature matched in it."""
    near = max(0, at - MOST_BEFORE)
    return line[near + _name_start(line[near:at]) :]


def _message(text: str, match: Match, line_end: int) -> str:
    """The message that a match is in: whole lines, but without what a progress bar left before it."""
    first = min(match.start, match.at)
    while text[first] == "\n" and first < match.at:
        first += 1
    line_start = text.rfind("\n", 0, first) + 1
    # A line may have megabytes: the name of an exception stands right before its message.
    near = max(line_start, first - MOST_BEFORE)
    first = near + _name_start(text[near:first])
    end = text.find("\n", max(match.end - 1, 0)) if match.end > line_end else line_end
    return text[first : end if end >= 0 else len(text)].strip()


def _torch_version(text: str) -> str | None:
    # A regex that begins with plain letters is quick.
    match = _VERSION.search(text) if _VERSION_SIGN.search(text) else None
    return (match[1] or match[2]) if match else None
