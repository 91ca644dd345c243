"""What the log side hands to everyone else: incidents and the frames of their tracebacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detour_lsp.knowledge.record import Level


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the original text; lines and columns count from 1, columns in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback: where the program was, as the log names it."""

    file: str
    line: int
    function: str | None = None
    #: The source text that the log prints for this frame, stripped; used to notice that a file has changed since.
    source: str | None = None
    #: Where the frame stands in the log, 1-based; 0 where it has no line of its own.
    log_line: int = 0
    #: Whether the frame is the user's own code (DESIGN section 4): not a library, frozen or generated file.
    user: bool = True
    #: For a notebook cell: the execution number that the log shows.
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Incident:
    """A signature seen in some text."""

    record: str
    #: Index into the record's `all_signatures` (see `knowledge.loading.signatures_of`).
    signature: int
    tier: str
    level: Level
    file: str
    span: Span
    #: The decisive line or lines, cleaned of escapes and prefixes.
    message: str
    captures: Mapping[str, str] = field(default_factory=dict[str, str])
    frames: tuple[Frame, ...] = ()
    user_frame: Frame | None = None
    #: `user_frame.file` relative to the root when it was found there, else None.
    resolved: str | None = None
    #: The line in the file as it is now, when it has moved since the log was written; None when unknown or unmoved.
    current_line: int | None = None
    #: Whether the resolved file no longer holds the frame's source text.
    stale: bool = False
    count: int = 1
    ranks: tuple[int, ...] = ()
    #: Fingerprint of the incident that this symptom points at, if any.
    cause_of: str | None = None
    truncated: bool = False
    fingerprint: str = ""
    #: Where the whole block (traceback and message) stands, for folding and hovers.
    block: Span | None = None
    #: The torch version that the text itself reveals, if any.
    torch_version: str | None = None
