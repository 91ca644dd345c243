"""Tracebacks while they are read: a segment of lines with its frames, its message, and the builder that grows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from detour_lsp.logs import paths
from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.frames import FrameLine
from detour_lsp.logs.incident import Frame
from detour_lsp.logs.later import later

Link = Literal["none", "context", "embedded"]

#: A line that begins with the name of an exception.
EXCEPTION = later(r"^(?:[A-Za-z_]\w*\.)*[A-Z_]\w*(?:\[[^\]]*\])?(?::(?:\s|$)|$)|^[a-z_]\w*(?:\.\w+)+(?::\s|$)")
#: What stands for frames that were left out.
REPEATED = later(r"^\s*\[(?:Previous line repeated|\.\.\. skipping|Repeated )")
#: A traceback without a message may be interrupted by so many foreign lines.
MAX_GAP = 4


@dataclass(slots=True)
class Segment:
    """One traceback, as indexes into the lines that were given."""

    start: int
    end: int
    frames: list[Frame] = field(default_factory=list[Frame])
    #: First line of the message; -1 while there is none.
    message: int = -1
    link: Link = "none"
    headed: bool = False
    #: Whether the innermost frame stands first (faulthandler).
    reverse: bool = False
    style: str = "plain"
    #: Whether the frames say where the compiled or forward code was, so that they are more exact than the raising ones.
    precise: bool = False


@dataclass(slots=True)
class Parsed:
    """What `parse` found: segments in order, and for each line whether it quotes source code."""

    segments: list[Segment]
    code: list[bool]


def user_frame(segment: Segment) -> Frame | None:
    """The deepest frame of the user's own code."""
    ordered = segment.frames if segment.reverse else reversed(segment.frames)
    return next((frame for frame in ordered if frame.user and frame.line > 0), None) or next(
        (frame for frame in ordered if frame.user), None
    )


class SegmentBuilder:
    """Grows segments line by line; what kinds of lines there are is told by the layouts that build on it."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self.code = [False] * len(units)
        self.segments: list[Segment] = []
        self.current: Segment | None = None
        #: How the next segment belongs to the one before it.
        self.link: Link = "none"
        self.user_code = False
        self.in_box = False
        self.box_carry = ""
        self.indent = 0
        self.quoted = 0
        self.shape = ""

    def open(self, index: int, *, link: Link | None = None, headed: bool = False, style: str = "plain") -> Segment:
        self.close()
        chosen = self.link if link is None else link
        segment = Segment(index, index + 1, link=chosen, headed=headed, style=style, precise=self.user_code)
        self.link = "none"
        self.user_code = False
        self.segments.append(segment)
        self.current = segment
        self.shape = self.units[index].shape
        return segment

    def begin_at(self, start: int, *, message: bool) -> None:
        """The segment just opened began further up, in lines that seemed to belong to the one before it."""
        assert self.current is not None
        self.current.start = start
        if message:
            self.current.message = start
        if len(self.segments) > 1:
            self.segments[-2].end = min(self.segments[-2].end, start)

    def close(self) -> None:
        self.current = None
        self.in_box = False
        self.box_carry = ""

    def add(self, index: int, hit: FrameLine) -> None:
        assert self.current is not None
        self.current.frames.append(
            Frame(
                hit.file.strip(),
                hit.line,
                hit.function,
                None,
                self.units[index].line,
                paths.is_user(hit.file.strip()),
                hit.cell,
            )
        )
        self.current.end = index + 1
        self.indent = hit.indent
        self.quoted = 0

    def source(self, text: str, index: int) -> None:
        """`text` is the source line of the last frame."""
        self.code[index] = True
        if self.current and self.current.frames:
            last = self.current.frames[-1]
            if last.source is None and text.strip():
                self.current.frames[-1] = replace(last, source=text.strip())
            self.current.end = index + 1
        self.quoted += 1

    def open_if_done(self, index: int, style: str) -> None:
        if self.current is None or self.current.message >= 0:
            self.open(index, style=style)
