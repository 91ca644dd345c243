"""Which traceback a line of a log belongs to: the lines of each process, their tracebacks, and the user's frame."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from detour_lsp.logs import repeats
from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.incident import Frame, Span
from detour_lsp.logs.segments import Segment, user_frame

#: A traceback this close below a message without one belongs to it.
NEAR_BELOW = 14


@dataclass(slots=True)
class ProcessLines:
    name: str
    #: Indexes into the block's units.
    members: list[int]
    #: How many lines each of them stands for, where a process repeated itself; empty where it did not.
    weights: list[int] = field(default_factory=list[int])
    segments: list[Segment] = field(default_factory=list[Segment])
    chains: list[int] = field(default_factory=list[int])

    def segment_at(self, place: int) -> int:
        """The index of the segment that holds the stream's line `place`, or -1."""
        index = bisect_right(self.segments, place, key=_start) - 1
        while index >= 0 and self.segments[index].end <= place:
            index -= 1
            if index >= 0 and place - self.segments[index].end > 200:
                return -1
        return index


def _start(segment: Segment) -> int:
    return segment.start


def by_process(units: Sequence[Unit]) -> list[ProcessLines]:
    members: dict[str, list[int]] = {}
    for index, unit in enumerate(units):
        members.setdefault(unit.stream, []).append(index)
    streams: list[ProcessLines] = []
    for name, indexes in members.items():
        weights: list[int] = []
        if len(indexes) >= repeats.WORTHWHILE:
            kept, weights = repeats.fold(
                [(units[at].shape, repeats.key_of(units[at].body)) for at in indexes],
                [units[at].candidate for at in indexes],
            )
            indexes = [indexes[at] for at in kept]
        streams.append(ProcessLines(name, indexes, weights))
    return streams


def frames_of(stream: ProcessLines, place: int, line: int) -> tuple[tuple[Frame, ...], Frame | None, Frame | None, int]:
    """Frames, user frame, the user frame above, and chain of a line of a stream."""
    index = stream.segment_at(place)
    chain = -1
    frames: tuple[Frame, ...] = ()
    above: Frame | None = None
    after = place
    following = next((at for at, segment in enumerate(stream.segments) if segment.start > place), len(stream.segments))
    if index >= 0:
        frames, chosen = _from_group(stream, index)
        chain = stream.chains[index]
        known = [frame for frame in _ordered(stream.segments[index]) if frame.log_line <= line and frame.user]
        above = known[-1] if known else None
        if chosen is not None:
            return frames, chosen, above, chain
        after = stream.segments[index].end
        following = index + 1
    # A report right above a traceback belongs to it.
    for at in range(following, len(stream.segments)):
        segment = stream.segments[at]
        if segment.start - after > NEAR_BELOW:
            break
        if segment.style == "warning" or stream.chains[at] == chain:
            continue
        more, chosen = _from_group(stream, at)
        if not frames or chosen is not None:
            frames = more
        if chain < 0:
            chain = stream.chains[at]
        if chosen is not None:
            return frames, chosen, above, chain
        after = segment.end
    return frames, None, above, chain


def _from_group(stream: ProcessLines, index: int) -> tuple[tuple[Frame, ...], Frame | None]:
    """The frames of a segment and of what it is linked to, and the user's deepest: embedded ones are the inner ones."""
    segments, chains = stream.segments, stream.chains
    own = segments[index]
    first = last = index
    while first > 0 and chains[first - 1] == chains[index]:
        first -= 1
    while last + 1 < len(segments) and chains[last + 1] == chains[index]:
        last += 1
    embedded: list[int] = []
    for at in range(index + 1, last + 1):
        if segments[at].link != "embedded":
            break
        embedded.append(at)
    # What an embedded one led to in its own process is embedded, too; what the program raised later begins in its code.
    while embedded and embedded[-1] < last and _goes_on(segments[embedded[-1] + 1]):
        embedded.append(embedded[-1] + 1)
    frames = tuple(_ordered(own)) + tuple(frame for at in embedded for frame in _ordered(segments[at]))
    inner = embedded[-1] if embedded else index
    outer = index
    while outer > first and segments[outer].link == "embedded":
        outer -= 1
    # Inner ones first; then what this one is part of; then what it led to, which is further out; then what led to it.
    candidates = [
        *reversed(embedded),
        *range(index, outer - 1, -1),
        *range(inner + 1, last + 1),
        *range(outer - 1, first - 1, -1),
    ]
    for at in candidates:
        chosen = user_frame(segments[at])
        if chosen is not None:
            if at != index and at not in embedded and not frames:
                frames = tuple(_ordered(segments[at]))
            return frames, chosen
    return frames, None


def _goes_on(segment: Segment) -> bool:
    return segment.link == "context" and bool(segment.frames) and not _ordered(segment)[0].user


def _ordered(segment: Segment) -> Sequence[Frame]:
    return list(reversed(segment.frames)) if segment.reverse else segment.frames


def frames_elsewhere(
    index: int, place_of: Mapping[int, tuple[ProcessLines, int]], units: Sequence[Unit]
) -> tuple[tuple[Frame, ...], Frame | None]:
    """Frames of another process's traceback right below: a launcher marks what it prints, a child may not."""
    rank = units[index].rank
    for below in range(index + 1, min(len(units), index + NEAR_BELOW)):
        if below not in place_of:
            continue
        stream, place = place_of[below]
        at = stream.segment_at(place)
        if (
            at >= 0
            and stream.segments[at].start == place
            and stream.segments[at].style != "warning"
            and (rank is None or units[below].rank in (None, rank))
        ):
            return _from_group(stream, at)
    return (), None


def frame_above(line: int, streams: Sequence[ProcessLines]) -> Frame | None:
    """The user frame of the last traceback above a report that some process has failed: that process's, most likely."""
    best: Frame | None = None
    for stream in streams:
        for segment in reversed(stream.segments):
            frame = user_frame(segment) if segment.style != "warning" else None
            if frame is not None and frame.log_line < line:
                if best is None or frame.log_line > best.log_line:
                    best = frame
                break
    return best


def in_summary(stream: ProcessLines, place: int, units: Sequence[Unit]) -> bool:
    """Whether the line is in the copy of a child's traceback that torchrun's box holds."""
    index = stream.segment_at(place)
    return (
        index >= 0
        and re.match(r"\s*traceback\s*: ", units[stream.members[stream.segments[index].start]].body) is not None
    )


def in_warning(stream: ProcessLines, place: int) -> bool:
    index = stream.segment_at(place)
    return index >= 0 and stream.segments[index].style == "warning"


def block_span(stream: ProcessLines, place: int, chain: int, units: Sequence[Unit], span: Span) -> Span:
    """From the first line of all that was told of this failure in one go to the last."""
    index = stream.segment_at(place)
    first = last = place
    if index >= 0:
        first, last = stream.segments[index].start, stream.segments[index].end - 1
    if chain >= 0:
        of_chain = range(bisect_left(stream.chains, chain), bisect_right(stream.chains, chain))
        for segment in (stream.segments[at] for at in of_chain):
            first, last = min(first, segment.start), max(last, segment.end - 1)
    top = units[stream.members[first]]
    bottom = units[stream.members[min(last, len(stream.members) - 1)]]
    start = top.place(top.prefix)
    end = bottom.place(len(bottom.text))
    return Span(*min(start, (span.line, span.column)), *max(end, (span.end_line, span.end_column)))
