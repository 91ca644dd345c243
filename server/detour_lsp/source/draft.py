"""A file's text while a repair is worked out on it, one edit after the other.

Each edit of a repair sees the result of the one before, which makes a list of edits predictable. The draft keeps track
of where the frame's line and the finding have moved, and at the end tells the edits against the original text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from detour_lsp.source.apply import check
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.names import Module
from detour_lsp.source.parsing import Edit, SourceTree


@dataclass(frozen=True, slots=True)
class _Kept:
    """A stretch of the original text that still stands."""

    start: int
    end: int


class Draft:
    """The text of one file, being edited."""

    def __init__(self, path: str, text: str, module: Module | None = None) -> None:
        self.path = path
        self.original = text
        self.text = text
        self._pieces: list[_Kept | str] = [_Kept(0, len(text))]
        self._marks: dict[str, tuple[int, bool]] = {}
        self._module = module
        self._first = module

    @property
    def module(self) -> Module:
        """Names and tree of the text as it is now."""
        if self._module is None:
            self._module = Module(self.text, self.path, self._tree())
        return self._module

    @property
    def before(self) -> Module:
        """Names and tree of the original text."""
        if self._first is None:
            self._first = self._module if not self.changed and self._module else Module(self.original, self.path)
        return self._first

    @property
    def stretch(self) -> Edit:
        """All changes so far as one, from the first character that differs to the last."""
        edits = self.edits()
        if not edits:
            return Edit(0, 0, "")
        start, old_end = edits[0].start, edits[-1].end
        return Edit(start, old_end, self.text[start : old_end + len(self.text) - len(self.original)])

    def _tree(self) -> SourceTree | None:
        """The tree of the text from that of the original, which costs a tenth of parsing it; None where that is not
        known."""
        return self._first.tree.update(self.stretch) if self._first is not None and self.changed else None

    @property
    def newline(self) -> str:
        """The line ending that the file uses."""
        return "\r\n" if self.text.count("\r\n") * 2 > self.text.count("\n") else "\n"

    @property
    def changed(self) -> bool:
        """Whether the text differs from the original."""
        return self.text != self.original

    def mark(self, name: str, offset: int, *, end: bool = False) -> None:
        """Remember a place; text that is inserted right there goes before it (behind it for an `end`)."""
        self._marks[name] = (offset, end)

    def marked(self, name: str) -> int | None:
        """Where a remembered place is now."""
        found = self._marks.get(name)
        return None if found is None else found[0]

    def source(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.text[start:end]

    def change(self, edits: Iterable[TextEdit]) -> bool:
        """Apply edits that count in the text as it is now; False when they change nothing."""
        ordered = [
            edit
            for edit in sorted(map(self._with_newlines, edits), key=lambda e: (e.start, e.end))
            if edit.text != self.text[edit.start : edit.end]
        ]
        if not ordered:
            return False
        check(ordered, len(self.text))
        for edit in reversed(ordered):
            self._splice(edit)
        self._module = None
        return True

    def _with_newlines(self, edit: TextEdit) -> TextEdit:
        """The edit with the line endings of the file: records write `\\n`."""
        if "\n" not in edit.text or self.newline == "\n":
            return edit
        return TextEdit(edit.start, edit.end, re.sub(r"(?<!\r)\n", "\r\n", edit.text))

    def _splice(self, edit: TextEdit) -> None:
        pieces: list[_Kept | str] = []
        position = 0
        placed = False
        for piece in self._pieces:
            length = len(piece) if isinstance(piece, str) else piece.end - piece.start
            begin, stop = position, position + length
            position = stop
            left, right = min(max(edit.start - begin, 0), length), min(max(edit.end - begin, 0), length)
            _append(pieces, _cut(piece, 0, left))
            if not placed and stop >= edit.start:
                _append(pieces, edit.text)
                placed = True
            _append(pieces, _cut(piece, max(left, right), length))
        if not placed:
            _append(pieces, edit.text)
        self._pieces = pieces
        self.text = self.text[: edit.start] + edit.text + self.text[edit.end :]
        shift = len(edit.text) - (edit.end - edit.start)
        for name, (offset, end) in self._marks.items():
            if offset > edit.end or (offset == edit.end and not (end and edit.start == edit.end)):
                self._marks[name] = (offset + shift, end)
            elif edit.start < offset:
                self._marks[name] = (edit.start, end)

    def edits(self) -> tuple[TextEdit, ...]:
        """All changes so far, against the original text, as small as they can be."""
        found: list[TextEdit] = []
        last, inserted = 0, ""
        for piece in [*self._pieces, _Kept(len(self.original), len(self.original))]:
            if isinstance(piece, str):
                inserted += piece
                continue
            if inserted or piece.start > last:
                trimmed = _trim(self.original, TextEdit(last, piece.start, inserted))
                if trimmed is not None:
                    found.append(trimmed)
            last, inserted = piece.end, ""
        return tuple(found)


def _cut(piece: _Kept | str, start: int, end: int) -> _Kept | str:
    return piece[start:end] if isinstance(piece, str) else _Kept(piece.start + start, piece.start + end)


def _append(pieces: list[_Kept | str], piece: _Kept | str) -> None:
    if isinstance(piece, str):
        if piece:
            pieces.append(piece)
    elif piece.end > piece.start:
        pieces.append(piece)


def _trim(original: str, edit: TextEdit) -> TextEdit | None:
    old = original[edit.start : edit.end]
    new = edit.text
    if old == new:
        return None
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    # A "\r\n" must not be torn: half of it would stay in front of the other half of another edit.
    if head and old[head - 1] == "\r":
        head -= 1
    if tail and old[len(old) - tail] == "\n" and old[: len(old) - tail].endswith("\r"):
        tail -= 1
    return TextEdit(edit.start + head, edit.end - tail, new[head : len(new) - tail])
