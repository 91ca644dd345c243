"""What the source side hands to everyone else: findings, planned repairs and text edits."""

from __future__ import annotations

from dataclasses import dataclass

from detour_lsp.knowledge.record import Applicability, Severity


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace `start:end` of a file's text by `text`; offsets count code points from 0."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class FileEdit:
    """All edits of one repair to one file, sorted, never overlapping."""

    path: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class PlannedRepair:
    """A repair that was checked against the code and can be applied as it is, or the reason why it cannot."""

    title: str
    applicability: Applicability
    record: str
    #: Index of the workaround in the record, or None for a repair that only takes a dead end out.
    workaround: int | None
    dead_end: int | None
    files: tuple[FileEdit, ...] = ()
    preferred: bool = False
    #: Why the repair is not offered; empty for one that is.
    disabled: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A known-bad pattern at a place in a Python file; lines and columns as in `logs.incident.Span`."""

    record: str
    dead_end: int
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    message: str
    #: Code point offsets of the same stretch in the file's text.
    start: int
    end: int
    fingerprint: str
    repairs: tuple[PlannedRepair, ...] = ()
    #: Cell index for a notebook, else None; line and column then count inside the cell.
    cell: int | None = None
    tags: tuple[str, ...] = ()
