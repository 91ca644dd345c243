"""Raw bytes of one piece of a line -> the text a person would have read, with the way back to the original column.

Everything later (prefixes, tracebacks, signatures) works on clean text; everything shown to people stands at a line and
column of the original. So each removal keeps, for every character that stays, the column it came from.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from detour_lsp.logs.later import later

#: Bytes that make a line need more than decoding: controls other than tab, C1 and other marks in UTF-8, entities,
#: escapes written out.
_DIRTY_BYTES = later(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\xa0]|\xe2\x80[\x8b-\x8f\x98-\x9f\xa8\xa9]|&(?:quot|lt|gt|amp|nbsp|apos"
    rb"|#\d+|#x[0-9a-fA-F]+);|\xe2\x81\xa0|\xef\xbb\xbf|\[[0-9;]*m|\^\[|\\(?:x1b|u001b|033|e\[)"
)

#: The control characters of `_DIRTY_BYTES`.
_CONTROLS = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])

_STRING_END = r"(?:\x07|\x1b\\|\x9c)"
_ESCAPE = later(
    # OSC (titles, hyperlinks, shell marks) and DCS, SOS, PM, APC: a string up to its terminator. One that never ends
    # swallows nothing but its introducer and a leading number: losing a real message would be worse than a leftover.
    rf"(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]{{0,4096}}{_STRING_END}"
    r"|(?P<cursor>(?:\x1b\[|\x9b)[0-9;?]*[ABEFGHdf])"
    r"|(?:\x1b\[|\x9b)(?P<forward>[0-9]{0,4})C"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]P^_][0-9]{0,4};?"
    r"|\x1b[()*+\-./%#][0-~]|\x1b [A-Z]"
    r"|\x1b[0-~]?"
    # The same written out, as web pages, JSON and `cat -v` leave it.
    r"|(?:\^\[|\\x1[bB]|\\u001[bB]|\\033|\\e)\[[0-9;?]*[A-Za-z]"
    r"|\[(?:[0-9]{1,3}(?:;[0-9]{1,3}){0,5})?m(?![\w\]])"
    # Entities and typographic quotes, as forums and web pages write them.
    r"|(?P<entity>&(?:quot|lt|gt|amp|nbsp|apos|#\d{1,6}|#x[0-9a-fA-F]{1,5});)|(?P<quote>[\u2018-\u201f])"
    r"|(?P<blank>[\x0b\x0c\x85\xa0\u2028\u2029])"
    r"|[\x00-\x07\x0e-\x1f\x7f\x80-\x9f\u200b-\u200f\u2060\ufeff]"
)
#: A forward movement stands for blanks (the Windows console sends it instead of them); nobody has wider screens.
_MAX_FORWARD = 500


@dataclass(slots=True)
class Unit:
    """One clean line of text: a whole line of the original, or the part of one between carriage returns."""

    text: str
    #: Line of the original, from 1.
    line: int
    #: Column of the original (from 1) at which `text[0]` stands when nothing was removed from within.
    column: int
    #: For each character of `text`, its column; None when they follow each other without a gap.
    columns: Sequence[int] | None = None
    #: Length of the prefix that `prefixes` found at the start of `text`.
    prefix: int = 0
    #: Which rank or process wrote it; empty for unmarked lines.
    stream: str = ""
    rank: int | None = None
    #: The kind of prefix, equal for lines of the same kind.
    shape: str = ""
    candidate: bool = False
    #: Whether pytest marked the line as part of a message.
    marked: bool = False
    #: Whether the unit begins in the middle of a line of the original.
    continued: bool = False
    #: Where `wrapping` has put units together: the offset in `text` at which each begins, and the unit.
    parts: tuple[tuple[int, Unit], ...] = ()
    #: Body without margins (set by `prefixes`).
    body: str = field(default="")

    def place(self, index: int) -> tuple[int, int]:
        """The original line and column of `text[index]`."""
        for start, part in reversed(self.parts):
            if index >= start + (part.prefix if start else 0):
                return part.line, part.column_at(index - start)
        return self.line, self.column_at(index)

    def column_at(self, index: int) -> int:
        """The original column of `text[index]`; one past the last character for an index at the end."""
        if self.columns is None:
            return self.column + index
        if not self.columns:
            return self.column
        if index >= len(self.columns):
            return self.columns[-1] + 1 + (index - len(self.columns))
        return self.columns[index]


def is_clean(raw: bytes) -> bool:
    """Whether nothing needs cleaning: a few searches at memory speed tell, also for lines of megabytes."""
    suspect = b"[" in raw or b"&" in raw or b"\\" in raw
    if not suspect and raw.isascii() and len(raw.translate(None, _CONTROLS)) == len(raw):
        return True
    return not _DIRTY_BYTES.search(raw)


def clean(raw: bytes, line: int, column: int) -> tuple[list[Unit], int]:
    """The units that `raw` (no line feed in it) shows, and how many code points it holds."""
    text = raw.decode("utf-8", "replace")
    if is_clean(raw):
        return [Unit(text, line, column)], len(text)
    units: list[Unit] = []
    start = 0
    length = len(text)
    while start <= length:
        end = text.find("\r", start)
        if end < 0:
            end = length
        if end > start:
            units.extend(_clean_part(text, start, end, line, column))
        start = end + 1
    return units or [Unit("", line, column)], length


def _clean_part(text: str, start: int, end: int, line: int, column: int) -> list[Unit]:
    """Clean `text[start:end]`, a stretch without carriage returns; a cursor movement begins a new unit."""
    units: list[Unit] = []
    characters: list[str] = []
    columns: list[int] = []

    def flush() -> None:
        if characters:
            shown, places = (
                _overstrike(characters, columns) if "\b" in characters else ("".join(characters), columns[:])
            )
            if shown:
                units.append(Unit(shown, line, places[0], places, continued=start > 0 or bool(units)))
            characters.clear()
            columns.clear()

    position = start
    for match in _ESCAPE.finditer(text, start, end):
        characters.extend(text[position : match.start()])
        columns.extend(range(column + position, column + match.start()))
        position = match.end()
        if match["blank"] is not None:
            if characters:
                characters.append(" ")
                columns.append(column + match.start())
        elif match["quote"] is not None:
            characters.append("'" if match["quote"] in "\u2018\u2019\u201a\u201b" else '"')
            columns.append(column + match.start())
        elif match["entity"] is not None:
            # Rare, and its table of names takes a while to load.
            import html

            shown = html.unescape(match["entity"]).replace("\xa0", " ")
            characters.extend(shown)
            columns.extend([column + match.start()] * len(shown))
        elif match["forward"] is not None:
            width = min(int(match["forward"] or 1), _MAX_FORWARD)
            characters.extend(" " * width)
            columns.extend([column + match.start()] * width)
        elif match["cursor"] is not None:
            flush()
    characters.extend(text[position:end])
    columns.extend(range(column + position, column + end))
    flush()
    return units


def _overstrike(characters: list[str], columns: list[int]) -> tuple[str, list[int]]:
    """What a terminal shows of text with backspaces: the cursor goes back, what follows is written over."""
    shown: list[str] = []
    places: list[int] = []
    cursor = 0
    for character, place in zip(characters, columns, strict=True):
        if character == "\b":
            cursor = max(0, cursor - 1)
        elif cursor < len(shown):
            shown[cursor] = character
            places[cursor] = place
            cursor += 1
        else:
            shown.append(character)
            places.append(place)
            cursor += 1
    return "".join(shown), places


_BACKSLASH = {"n": "\n", "t": "\t", '"': '"', "'": "'", "\\": "\\", "/": "/", "r": ""}
_ESCAPED = later(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))")
#: Docker's own log files: one line of the program per line, as JSON.
_DOCKER = later(r'\{"log": ?"((?:[^"\\]|\\.)*)"')
_LOOKS_LIKE_TRACE = later(r"(?:File |Error|Exception|Traceback|Warning|function: |\\n\s*raise )")


def unescape(unit: Unit) -> list[Unit]:
    r"""Split a line that holds other lines, written as `\n`, into them; any other line comes back alone.

    Loggers that print `repr` or JSON put whole tracebacks into one line. The backslashes of Windows paths are doubled
    there too, so they are read as one.
    """
    text = unit.text
    if "\\" not in text:
        return [unit]
    boxed = _DOCKER.match(text)
    if boxed:
        text = text[: boxed.end(1)].removesuffix("\\n")
        start = boxed.start(1)
    elif "\\n" in text and _LOOKS_LIKE_TRACE.search(text) and _has_escaped_break(text):
        start = 0
    else:
        return [unit]
    units: list[Unit] = []
    characters: list[str] = []
    columns = array("L")
    position = start

    def keep(end: int) -> None:
        if end > position:
            characters.append(text[position:end])
            if unit.columns is None:
                columns.extend(range(unit.column + position, unit.column + end))
            else:
                columns.extend(unit.columns[position:end])

    def flush() -> None:
        units.append(
            Unit(
                "".join(characters),
                unit.line,
                columns[0] if columns else unit.column_at(position),
                columns[:],
                continued=bool(units) or unit.continued,
                candidate=unit.candidate,
            )
        )
        characters.clear()
        del columns[:]

    for match in _ESCAPED.finditer(text, start):
        keep(match.start())
        position = match.end()
        code = match[1] or match[2]
        if code:
            character = chr(int(code, 16))
            if character in "\x1b\x00" or "\ud800" <= character <= "\udfff":
                continue
        else:
            character = _BACKSLASH.get(match[3], "\\" + match[3])
        if character == "\n":
            flush()
            continue
        characters.append(character)
        columns.extend([unit.column_at(match.start())] * len(character))
    keep(len(text))
    flush()
    return units


def _has_escaped_break(text: str) -> bool:
    r"""Whether `\n` means a line break: `C:\new\n.py` holds it too, so what follows must look like a line."""
    return bool(re.search(r'(?<!\\)(?:\\\\)*\\n(?=[ \t]*(?:\\[n"\']|File |[A-Z_a-z(\[\'"]|$|\s))', text)) and (
        len(re.findall(r"(?<!\\)\\n", text)) >= 2 or bool(re.search(r"\\n\s*(?:[\w.]+(?:Error|Exception)|File )", text))
    )
