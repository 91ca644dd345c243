"""Finds many words in bytes at once: hyperscan where it can be had, else a slow search with the same result.

Logs look for the literals of signatures, Python files for the trigger names of selectors; both go through this.
"""

from __future__ import annotations

import os
import re
import struct
import threading
from collections.abc import Sequence
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
                except (module.error, struct.error):
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
#: Colours as nearly all escapes in logs are, one after the other.
_COLOURS = re.compile(rb"(?:\x1b\[[0-9;]*m)+")
#: What can stand inside a word without being seen besides colours begins with one of these (see `logs.noise`).
_INVISIBLE = b"\x1b\0\x08\xc2"
_LENGTH = struct.Struct("<Q")


class HyperscanFinder:
    """Hyperscan databases of literals, for any number of threads.

    Searching a log twice, as it is and without its colours, would double the time. So text with escapes is searched
    with a second database that also holds the beginnings of all words with an escape behind them; an escape that
    follows such a beginning breaks the word if the word goes on behind it. A beginning of one byte would be everywhere
    (`INFO` before its colour ends begins with the last letter a word with `O`), so long words are looked for without
    their first byte, and an escape behind that does not hide them.
    """

    def __init__(self, plain: Any, broken: Any, words: Sequence[Word]) -> None:
        """`plain` holds the words, `broken` the words and the beginnings."""
        self._plain = plain
        self._broken = broken
        self._words = words
        self._local = threading.local()
        self._going_on: list[frozenset[int]] | None = None

    @classmethod
    def compile(cls, words: Sequence[Word]) -> HyperscanFinder:
        """Compile the words; takes about 0.2 ms a word."""
        literals = [(word.text[1:] if len(word.text) >= _SHORT else word.text, word.ignore_case) for word in words]
        return cls(_database(literals), _database(literals + sorted(_beginnings(words))), words)

    @classmethod
    def load(cls, words: Sequence[Word], serialised: bytes) -> HyperscanFinder:
        """Restore databases; raises `hyperscan.error` for other versions, machines and damaged bytes."""
        hyperscan = _hyperscan()
        (length,) = _LENGTH.unpack_from(serialised)
        parts = serialised[_LENGTH.size : _LENGTH.size + length], serialised[_LENGTH.size + length :]
        plain, broken = (hyperscan.loadb(part, mode=hyperscan.HS_MODE_BLOCK) for part in parts)
        return cls(plain, broken, words)

    def serialise(self) -> bytes:
        """The databases as bytes, each with a checksum of its own."""
        plain, broken = (_hyperscan().dumpb(database) for database in (self._plain, self._broken))
        return _LENGTH.pack(len(plain)) + plain + broken

    def _scan(self, data: bytes) -> list[tuple[int, int]]:
        scratches: dict[Any, Any] | None = getattr(self._local, "scratches", None)
        if scratches is None:
            # Scratch space must not be shared by threads that scan at the same time.
            scratches = self._local.scratches = {}
        database = self._broken if _ESCAPE in data else self._plain
        scratch = scratches.get(database)
        if scratch is None:
            scratch = scratches[database] = _hyperscan().Scratch(database)
        found: list[tuple[int, int]] = []

        def remember(index: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found.append((index, end))

        database.scan(data, match_event_handler=remember, scratch=scratch)
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
                if self._goes_on(data, index - len(self._words), end - 1):
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

    def _goes_on(self, data: bytes, beginning: int, escape: int) -> bool:
        """Whether a word that begins like this may go on behind the escape: the end of most is the end of a colour."""
        if self._going_on is None:
            found = _beginnings(self._words)
            self._going_on = [frozenset(found[key]) for key in sorted(found)]
        colours = _COLOURS.match(data, escape)
        # Whatever is no colour is looked at more closely by others.
        return colours is None or colours.end() == len(data) or data[colours.end()] in self._going_on[beginning]


def _database(literals: Sequence[tuple[bytes, bool]]) -> Any:
    hyperscan = _hyperscan()
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[text for text, _ in literals],
        ids=list(range(len(literals))),
        flags=[hyperscan.HS_FLAG_CASELESS if ignore_case else 0 for _, ignore_case in literals],
        literal=True,
    )
    return database


def _beginnings(words: Sequence[Word]) -> dict[tuple[bytes, bool], set[int]]:
    """What stands before the escapes in words that are broken by some, for one escape of each word at least.

    The values are the bytes with which the words go on, and those that begin whatever else is invisible.
    """
    found: dict[tuple[bytes, bool], set[int]] = {}

    def add(beginning: bytes, ignore_case: bool, following: bytes) -> None:
        bytes_of = found.setdefault((beginning + _ESCAPE, ignore_case), set(_INVISIBLE))
        bytes_of.update(following.lower() + following.upper() if ignore_case else following)

    for word in words:
        text = word.text
        long = len(text) >= _SHORT
        for length in range(2 if long else 1, len(text)):
            add(text[max(0, length - _SEEN_BEFORE) : length], word.ignore_case, text[length : length + 1])
        if long:
            for length in range(3, 2 + _SEEN_BEFORE):
                add(text[1:length], word.ignore_case, text[length : length + 1])
            for end_of_escape in _ESCAPE_ENDS:
                add(end_of_escape + text[1:2], word.ignore_case, text[2:3])
    return found


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
