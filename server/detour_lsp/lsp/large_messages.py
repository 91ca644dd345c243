"""Reads a message that holds a text of megabytes, in slices between which the event loop can do other things.

An editor that opens a log of 50 MB sends it as one JSON string. Decoding that at once keeps everything else waiting for
a tenth of a second; decoded piece by piece it is the same text.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any, cast

import msgspec

#: Messages from this size on are read in slices of about this size, which take some milliseconds each.
SLICE_BYTES = 1_000_000

#: The text begins within so many bytes; before it stand a name and some numbers.
_HEAD_BYTES = 100_000
_TEXT = re.compile(rb'"text"\s*:\s*"')
#: Other members may stand behind the text, and strings in them; so many ends of the text are tried.
_MOST_ENDS = 16


async def decode_in_slices(body: bytes | bytearray) -> Any:
    """The message, as msgspec decodes it; raises msgspec.DecodeError for what is no JSON."""
    found = _TEXT.search(body, 0, _HEAD_BYTES)
    end = _end_of_text(body, found.end()) if found else None
    if found is None or end is None:
        return msgspec.json.decode(body)
    start = found.end()
    # What is left of the message around the text; the text itself is put in at the end.
    message = msgspec.json.decode(body[:start] + body[end:])
    # Added to piece by piece: CPython lets the one string grow in place, where joining all pieces at the end would copy
    # all of them in one go.
    text = ""
    while start < end:
        stop = _cut(body, start, end)
        try:
            text += _literal(body[start:stop])
        except msgspec.DecodeError:
            # The end was that of another member after all.
            return msgspec.json.decode(body)
        start = stop
        await asyncio.sleep(0)
    _put(message, text)
    return message


def _end_of_text(body: bytes | bytearray, start: int) -> int | None:
    """Where the closing quote of the long text stands: the last one before which all is one string."""
    end = len(body)
    for _ in range(_MOST_ENDS):
        end = body.rfind(b'"', start, end)
        if end < 0:
            return None
        near = body.rfind(b"\\n", start, max(start, end - 1_000))
        begin = near + 2 if near >= 0 else start
        try:
            _literal(body[begin:end])
            msgspec.json.decode(body[:start] + body[end:])
        except msgspec.DecodeError:
            continue
        return end
    return None


def _cut(body: bytes | bytearray, start: int, end: int) -> int:
    """Where a slice may end: behind an escaped line end, so that no escape and no character is torn."""
    if end - start <= SLICE_BYTES:
        return end
    near = body.rfind(b"\\n", start, start + SLICE_BYTES)
    if near < 0:
        near = body.find(b"\\n", start + SLICE_BYTES, end)
    # Also where the backslash is itself escaped and the `n` a letter: behind it is a place between two characters.
    return near + 2 if near >= 0 else end


def _literal(inside: bytes | bytearray) -> str:
    return msgspec.json.decode(b'"' + inside + b'"', type=str)


def _put(value: Any, text: str) -> bool:
    """Put the text in the place of the first empty one; whether there was one."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        if members.get("text") == "":
            members["text"] = text
            return True
        return any(_put(item, text) for item in members.values())
    return isinstance(value, list) and any(_put(item, text) for item in cast("list[Any]", value))
