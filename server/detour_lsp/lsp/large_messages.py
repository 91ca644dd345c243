"""Reads a message that holds a text of megabytes, in slices between which the event loop can do other things.

An editor that opens a log of 50 MB sends it as one JSON string. Decoding that at once keeps everything else waiting for
a tenth of a second; decoded piece by piece it is the same text.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, NamedTuple, cast

import msgspec

#: Messages from this size on are read in slices.
LARGE_BYTES = 1_000_000
#: About so much of the text is decoded at once, which takes a millisecond.
SLICE_BYTES = 250_000

#: The text begins within so many bytes; before it stand a name and some numbers.
_HEAD_BYTES = 100_000
_TEXT = re.compile(rb'"text"\s*:\s*"')
#: Other members may stand behind the text, and strings in them; so many ends of the text are tried.
_MOST_ENDS = 16


class Outline(NamedTuple):
    """A large message: all of it but its long text, which is empty in `message`, and where the text stands."""

    message: Any
    body: bytes | bytearray
    start: int
    end: int


def decode(body: bytes | bytearray) -> Any:
    """A message, read at once; raises ValueError for what is no JSON."""
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        # Halves of surrogate pairs are no Unicode, but terminals and editors do send them.
        return json.loads(body)


def outline(body: bytes | bytearray) -> Outline | None:
    """What a large message is about, without reading its text; None when it has no long text that can be told."""
    found = _TEXT.search(body, 0, _HEAD_BYTES)
    if found is None:
        return None
    start, end = found.end(), len(body)
    for _ in range(_MOST_ENDS):
        # The closing quote is the last one before which all is one string.
        end = body.rfind(b'"', start, end)
        if end < 0:
            return None
        near = body.rfind(b"\\n", start, max(start, end - 1_000))
        begin = near + 2 if near >= 0 else start
        try:
            _literal(body[begin:end])
            return Outline(decode(body[:start] + body[end:]), body, start, end)
        except ValueError:
            continue
    return None


async def complete(large: Outline) -> Any:
    """The whole message."""
    _, body, start, end = large
    # Added to piece by piece: CPython lets the one string grow in place, where joining all pieces at the end would copy
    # all of them in one go.
    text = ""
    while start < end:
        stop = _cut(body, start, end)
        try:
            text += _literal(body[start:stop])
        except ValueError:
            # The end was that of another member after all.
            return decode(body)
        start = stop
        await asyncio.sleep(0)
    _put(large.message, text)
    return large.message


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
    text = decode(b'"' + inside + b'"')
    if not isinstance(text, str):
        raise ValueError("not one string")
    return text


def _put(value: Any, text: str) -> bool:
    """Put the text in the place of the first empty one; whether there was one."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        if members.get("text") == "":
            members["text"] = text
            return True
        return any(_put(item, text) for item in members.values())
    return isinstance(value, list) and any(_put(item, text) for item in cast("list[Any]", value))
