"""Takes out of raw bytes what can stand inside a word without being seen: escapes, NULs, backspaces.

Only for finding candidates: line ends stay where they are, so a line of the result is a line of the input. The exact
cleaning with its map of columns is done by `cleaning.py`, and on candidate blocks alone.
"""

from __future__ import annotations

import re

#: CSI with parameters, OSC and DCS closed on the same line, charset and two-character escapes; C1 as UTF-8.
_ESCAPE = re.compile(
    rb"(?:\x1b\[|\xc2\x9b)[0-?]*[ -/]*[@-~]"
    rb"|(?:\x1b\]|\xc2\x9d)[^\x07\x1b\n]*(?:\x07|\x1b\\|\xc2\x9c)"
    rb"|(?:\x1b[PX^_]|\xc2[\x90\x98\x9e\x9f])[^\x1b\n]*(?:\x1b\\|\xc2\x9c)"
    rb"|\x1b[ -/]+[0-~]"
    rb"|\x1b[0-OQ-WYZ\\`-~=>]"
)
#: Moving right by n columns is how some terminals write blanks.
_MOVE_RIGHT = re.compile(rb"(?:\x1b\[|\xc2\x9b)(\d{0,3})C")
#: Progress bars step back by a line's width; longer runs of backspaces are made to cost time.
_MOST_PASSES = 256
_OVERSTRUCK = re.compile(rb"[^\x08\n\r]\x08")


def is_noisy(data: bytes) -> bool:
    """Whether words of `data` may be interrupted by bytes that nobody sees."""
    return b"\x1b" in data or b"\0" in data or b"\x08" in data or b"\xc2\x9b" in data


def without_noise(data: bytes) -> bytes:
    """`data` with interruptions removed and every line end kept."""
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    if b"\x1b" in data or b"\xc2" in data:
        data = _MOVE_RIGHT.sub(lambda match: b" " * min(int(match[1] or b"1"), 200), data)
        data = _ESCAPE.sub(b"", data)
    if b"\x08" in data:
        for _ in range(_MOST_PASSES):
            struck = _OVERSTRUCK.sub(b"", data)
            if len(struck) == len(data):
                break
            data = struck
        data = data.replace(b"\x08", b"")
    return data
