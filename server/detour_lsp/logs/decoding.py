"""Bytes in any of the encodings that logs come in -> bytes in UTF-8, chunk by chunk.

PowerShell's `>` writes UTF-16, with or without a byte order mark; everything else is read as UTF-8. Columns count code
points, and those are the same in both; a byte order mark is no character of the first line and is left out.
"""

from __future__ import annotations

import codecs

#: So many bytes are looked at before an encoding is settled; fewer only when the text ends sooner.
_LOOK = 64
_MARKS = {None: codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def detect(head: bytes) -> str | None:
    """`utf-16-le`, `utf-16-be`, or None for anything that is read as UTF-8; `head` is the start of the text."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if head.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    head = head[: len(head) - len(head) % 2]
    # Deciding on the first four bytes whether to look further keeps the answer the same however the text is cut.
    if len(head) < 4 or 0 not in head[:4]:
        return None
    even, odd = head[0::2], head[1::2]
    pairs = len(even)
    # Latin letters in UTF-16 leave every other byte zero, and hardly ever a zero beside them.
    if odd.count(0) * 10 >= pairs * 7 and even.count(0) * 10 <= pairs:
        return "utf-16-le"
    if even.count(0) * 10 >= pairs * 7 and odd.count(0) * 10 <= pairs:
        return "utf-16-be"
    return None


class Transcoder:
    """Feeds of raw bytes in, UTF-8 out. The encoding is settled on the first bytes and kept."""

    def __init__(self) -> None:
        self._head = b""
        self._settled = False
        self._decoder: codecs.IncrementalDecoder | None = None

    def feed(self, data: bytes) -> bytes:
        if self._settled:
            return self._convert(data, final=False)
        self._head += data
        if len(self._head) < _LOOK:
            # Only text that could still turn out to be UTF-16 waits; everything else must be shown at once.
            if b"\0" in self._head or self._head[:1] in (b"\xff", b"\xfe") or len(self._head) < 4:
                return b""
            self._settled = True
            data, self._head = self._head, b""
            return data.removeprefix(codecs.BOM_UTF8)
        return self._settle(final=False)

    def close(self) -> bytes:
        if not self._settled:
            return self._settle(final=True)
        return self._convert(b"", final=True)

    def _settle(self, *, final: bool) -> bytes:
        encoding = detect(self._head[:_LOOK])
        if encoding is not None:
            self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._settled = True
        data, self._head = self._head, b""
        # The decoder for UTF-32 takes its own mark away.
        data = data.removeprefix(_MARKS.get(encoding, b""))
        return self._convert(data, final=final)

    def _convert(self, data: bytes, *, final: bool) -> bytes:
        if self._decoder is None:
            return data
        return self._decoder.decode(data, final).encode("utf-8", "replace")
