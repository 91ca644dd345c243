"""Takes out of raw bytes what can stand inside a word without being seen: escapes, NULs, backspaces, entities.

Only for finding candidates: line ends stay where they are, so a line of the result is a line of the input. The exact
cleaning with its map of columns is done by `cleaning.py`, and on candidate blocks alone. Everything here is on the way
of every byte of every coloured log, so it is built from the few operations of `bytes` that run at memory speed.
"""

from __future__ import annotations

import re

#: CSI with parameters, OSC and DCS closed on the same line, charset and two-character escapes.
_ESCAPE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]"
    rb"|\][^\x07\x1b\n]*(?:\x07|\x1b\\)"
    rb"|[PX^_][^\x1b\n]*\x1b\\"
    rb"|[ -/]+[0-~]"
    rb"|[0-OQ-WYZ\\`-~=>])"
)
#: The same introducers as single C1 characters, in UTF-8.
_C1 = re.compile(
    rb"\xc2(?:\x9b[0-?]*[ -/]*[@-~]"
    rb"|\x9d[^\x07\x1b\n]*?(?:\x07|\x1b\\|\xc2\x9c)"
    rb"|[\x90\x98\x9e\x9f][^\x1b\n]*?(?:\x1b\\|\xc2\x9c))"
)
#: Moving right by n columns is how some terminals write blanks.
_MOVE_RIGHT = re.compile(rb"\x1b\[(\d{0,3})C")
#: What web pages write in place of quotes and brackets.
_ENTITY = re.compile(rb"&(?:quot|lt|gt|amp|apos|nbsp|#[0-9]{2,3}|#x[0-9a-fA-F]{2});")
_OVERSTRUCK = re.compile(rb"[^\x08\n\r]\x08")
#: Progress bars step back by a line's width; longer runs of backspaces are only made to cost time.
_MOST_PASSES = 256


def noisy_places(data: bytes) -> list[int]:
    """An offset in every line whose words may be interrupted by NULs, backspaces, C1 controls or entities."""
    found: list[int] = []
    for byte in (b"\0", b"\x08"):
        if byte in data:
            at = data.find(byte)
            while at >= 0:
                found.append(at)
                end = data.find(b"\n", at)
                at = data.find(byte, end) if end >= 0 else -1
    # The search for one byte runs at memory speed, that for two does not.
    if b"\xc2" in data:
        found += [match.start() for match in _C1.finditer(data)]
    if b"&" in data:
        found += [match.start() for match in _ENTITY.finditer(data)]
    return found


def without_noise(data: bytes) -> bytes:
    """`data` with interruptions removed and every line end kept."""
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    if b"\x1b" in data:
        data = _without_colours(data)
        if b"\x1b" in data:
            data = _MOVE_RIGHT.sub(_blanks, data)
            data = _ESCAPE.sub(b"", data)
    if b"\xc2" in data:
        data = _C1.sub(b"", data)
    if b"&" in data:
        data = _ENTITY.sub(_character, data)
    if b"\x08" in data:
        for _ in range(_MOST_PASSES):
            struck = _OVERSTRUCK.sub(b"", data)
            if len(struck) == len(data):
                break
            data = struck
        data = data.replace(b"\x08", b"")
    return data


def _character(match: re.Match[bytes]) -> bytes:
    # Rare, and its table of names takes a while to load.
    import html

    shown = html.unescape(match[0].decode()).replace("\xa0", " ")
    return shown.encode() if shown >= " " else b" "


def _blanks(match: re.Match[bytes]) -> bytes:
    return b" " * min(int(match[1] or b"1"), 200)


def _without_colours(data: bytes) -> bytes:
    """`data` without SGR (`ESC [ 1 ; 31 m`), which nearly all escapes in logs are."""
    parts = data.split(b"\x1b[")
    kept = [parts[0]]
    for part in parts[1:]:
        rest = part.lstrip(b"0123456789;")
        if rest[:1] == b"m":
            kept.append(rest[1:])
        else:
            kept.append(b"\x1b[")
            kept.append(part)
    return b"".join(kept)
