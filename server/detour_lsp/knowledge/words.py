"""Finds many words in bytes at once: hyperscan where it can be had, else a slow search with the same result.

Logs look for the literals of signatures, Python files for the trigger names of selectors; both go through this.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

#: Less text than this is searched word by word: loading hyperscan and its database takes longer.
_LITTLE = 24_000


@lru_cache(maxsize=1)
def _hyperscan() -> Any:
    """The module, or None where there is no wheel for the platform (Intel Macs, musl, Windows on Arm)."""
    try:
        import hyperscan
    except ImportError:
        return None
    return hyperscan


@dataclass(frozen=True, slots=True)
class Word:
    """A word to look for, as bytes; `ignore_case` concerns ASCII letters only."""

    text: bytes
    ignore_case: bool = False


class WordFinder(Protocol):
    """Finds all places where any of its words ends."""

    def find(self, data: bytes) -> list[tuple[int, int]]:
        """(index of the word, offset behind its last byte) for every occurrence, in no particular order."""
        ...

    def find_broken(self, data: bytes) -> tuple[list[tuple[int, int]], list[int]]:
        """`find`, and offsets in all lines where an escape may stand inside a word, so that it is not found."""
        ...


def engine() -> str:
    """The name and version of the engine in use, for `detour --version --verbose`."""
    module = _hyperscan()
    if module is None:
        return "plain search (hyperscan is not installed: scanning is slower, results are the same)"
    return f"hyperscan {getattr(module, '__version__', '')}"


def identity() -> str:
    """Which engine a serialised database is for, without loading the engine: part of the key of every cache."""
    from importlib.util import find_spec

    spec = find_spec("hyperscan")
    if spec is None or spec.origin is None:
        return "plain"
    status = os.stat(spec.origin)
    return f"hyperscan {status.st_size} {status.st_mtime_ns}"


def build(words: Sequence[Word]) -> WordFinder:
    """The fastest finder that this machine has."""
    return HyperscanFinder.compile(words) if words and _hyperscan() is not None else PlainFinder(words)


def restore(words: Sequence[Word], serialised: bytes) -> WordFinder:
    """A finder from `serialise`; it is built anew when the bytes are of another machine or version."""
    return _Restored(words, serialised)


def serialise(finder: WordFinder) -> bytes:
    """Bytes for `restore`; empty for the plain finder, which is made anew in no time."""
    if isinstance(finder, _Restored):
        finder = finder.fast()
    return finder.serialise() if isinstance(finder, HyperscanFinder) else b""


class _Restored:
    """Searches word by word until it has seen more than a little text, and only then loads the database."""

    def __init__(self, words: Sequence[Word], serialised: bytes) -> None:
        self._words = words
        self._serialised = serialised
        self._plain = PlainFinder(words)
        self._fast: WordFinder | None = None
        self._seen = 0

    def fast(self) -> WordFinder:
        """The finder of `build`."""
        if self._fast is None:
            module = _hyperscan()
            if module is None or not self._serialised:
                self._fast = build(self._words)
            else:
                try:
                    self._fast = HyperscanFinder.load(self._words, self._serialised)
                except module.error:
                    self._fast = build(self._words)
        return self._fast

    def _finder(self, size: int) -> WordFinder:
        self._seen += size
        if self._fast is None and self._seen <= _LITTLE:
            return self._plain
        return self.fast()

    def find(self, data: bytes) -> list[tuple[int, int]]:
        """See `WordFinder`."""
        return self._finder(len(data)).find(data)

    def find_broken(self, data: bytes) -> tuple[list[tuple[int, int]], list[int]]:
        """See `WordFinder`."""
        return self._finder(len(data)).find_broken(data)


#: Bytes of a word that must stand before an escape to suspect that the escape breaks the word.
_SEEN_BEFORE = 4
#: Shorter words are looked for whole, longer ones without their first byte: see `HyperscanFinder`.
_SHORT = 6
_ESCAPE = b"\x1b"
_ESCAPES_LOOKED_AT = 64
#: Colours, erasing, charsets, and the two ends of titles and links.
_ESCAPE_ENDS = (b"m", b"K", b"B", b"\x07", b"\\")


class HyperscanFinder:
    """One hyperscan database of literals, for any number of threads.

    Searching a log twice, as it is and without its colours, would double the time. So the database also holds the
    beginnings of all words with an escape behind them, which costs nothing, as escapes are rare bytes. A beginning of
    one byte would be everywhere (`INFO` before its colour ends begins with the last letter a word with `O`), so long
    words are looked for without their first byte, and an escape behind that does not hide them.
    """

    def __init__(self, database: Any, words: Sequence[Word]) -> None:
        self._database = database
        self._words = words
        self._local = threading.local()

    @classmethod
    def compile(cls, words: Sequence[Word]) -> HyperscanFinder:
        """Compile the words; takes about 0.2 ms a word."""
        hyperscan = _hyperscan()
        literals = [(word.text[1:] if len(word.text) >= _SHORT else word.text, word.ignore_case) for word in words]
        literals += sorted({beginning for word in words for beginning in _beginnings(word)})
        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        database.compile(
            expressions=[text for text, _ in literals],
            ids=list(range(len(literals))),
            flags=[hyperscan.HS_FLAG_CASELESS if ignore_case else 0 for _, ignore_case in literals],
            literal=True,
        )
        return cls(database, words)

    @classmethod
    def load(cls, words: Sequence[Word], serialised: bytes) -> HyperscanFinder:
        """Restore a database; raises `hyperscan.error` for other versions, machines and damaged bytes."""
        hyperscan = _hyperscan()
        return cls(hyperscan.loadb(serialised, mode=hyperscan.HS_MODE_BLOCK), words)

    def serialise(self) -> bytes:
        """The database as bytes, with a checksum of its own."""
        return _hyperscan().dumpb(self._database)

    def _scan(self, data: bytes) -> list[tuple[int, int]]:
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            # Scratch space must not be shared by threads that scan at the same time.
            scratch = self._local.scratch = _hyperscan().Scratch(self._database)
        found: list[tuple[int, int]] = []

        def remember(index: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found.append((index, end))

        self._database.scan(data, match_event_handler=remember, scratch=scratch)
        return found

    def find(self, data: bytes) -> list[tuple[int, int]]:
        """See `WordFinder`."""
        return [hit for hit in self._scan(data) if hit[0] < len(self._words) and self._is_whole(data, *hit)]

    def find_broken(self, data: bytes) -> tuple[list[tuple[int, int]], list[int]]:
        """See `WordFinder`."""
        hits: list[tuple[int, int]] = []
        suspects: list[int] = []
        for index, end in self._scan(data):
            if index >= len(self._words):
                suspects.append(end - 1)
            elif self._is_whole(data, index, end):
                hits.append((index, end))
            else:
                start = end - len(self._words[index].text) + 1
                if _ESCAPE in data[max(0, start - _ESCAPES_LOOKED_AT) : start]:
                    suspects.append(start - 1)
        return hits, suspects

    def _is_whole(self, data: bytes, index: int, end: int) -> bool:
        word = self._words[index]
        start = end - len(word.text)
        if len(word.text) < _SHORT:
            return True
        first = data[start : start + 1] if start >= 0 else b""
        return first == word.text[:1] or (word.ignore_case and first.lower() == word.text[:1].lower())


def _beginnings(word: Word) -> Iterator[tuple[bytes, bool]]:
    """What stands before the escapes in a word that is broken by some, for one of them at least."""
    long = len(word.text) >= _SHORT
    for length in range(2 if long else 1, len(word.text)):
        yield word.text[max(0, length - _SEEN_BEFORE) : length] + _ESCAPE, word.ignore_case
    if long:
        for length in range(3, 2 + _SEEN_BEFORE):
            yield word.text[1:length] + _ESCAPE, word.ignore_case
        for end_of_escape in _ESCAPE_ENDS:
            yield end_of_escape + word.text[1:2] + _ESCAPE, word.ignore_case


def _every_line(data: bytes, byte: bytes) -> list[int]:
    """The offset of the first such byte in each line that has one."""
    found: list[int] = []
    at = data.find(byte)
    while at >= 0:
        found.append(at)
        end = data.find(b"\n", at)
        at = data.find(byte, end) if end >= 0 else -1
    return found


class PlainFinder:
    """The same without hyperscan: one search per word."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = [
            (index, word.text.lower() if word.ignore_case else word.text, word.ignore_case)
            for index, word in enumerate(words)
        ]

    def find(self, data: bytes) -> list[tuple[int, int]]:
        """See `WordFinder`."""
        lowered = data.lower() if any(ignore_case for _, _, ignore_case in self._words) else data
        found: list[tuple[int, int]] = []
        for index, word, ignore_case in self._words:
            where = lowered if ignore_case else data
            at = where.find(word)
            while at >= 0:
                found.append((index, at + len(word)))
                at = where.find(word, at + 1)
        return found

    def find_broken(self, data: bytes) -> tuple[list[tuple[int, int]], list[int]]:
        """See `WordFinder`."""
        return self.find(data), _every_line(data, _ESCAPE)
