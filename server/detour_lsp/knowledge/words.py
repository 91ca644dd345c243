"""Finds many words in bytes at once: hyperscan where it can be had, else a slow search with the same result.

Logs look for the literals of signatures, Python files for the trigger names of selectors; both go through this.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

try:
    import hyperscan
except ImportError:  # No wheel for this platform (Intel Macs, musl, Windows on Arm): documented, and slower.
    hyperscan = None


@dataclass(frozen=True, slots=True)
class Word:
    """A word to look for, as bytes; `ignore_case` concerns ASCII letters only."""

    text: bytes
    ignore_case: bool = False


class WordFinder(Protocol):
    """Finds all places where any of its words ends."""

    def find(self, data: bytes | memoryview) -> list[tuple[int, int]]:
        """(index of the word, offset behind its last byte) for every occurrence, in the order of the offsets."""
        ...


def engine() -> str:
    """The name and version of the engine in use, for `detour --version --verbose`."""
    if hyperscan is None:
        return "plain search (hyperscan is not installed: scanning is slower, results are the same)"
    return f"hyperscan {getattr(hyperscan, '__version__', '')}"


def identity() -> str:
    """What a serialised database depends on besides its words: part of every cache key."""
    return engine()


def build(words: Sequence[Word]) -> WordFinder:
    """The fastest finder that this machine has."""
    return HyperscanFinder.compile(words) if hyperscan is not None and words else PlainFinder(words)


def restore(words: Sequence[Word], serialised: bytes) -> WordFinder:
    """A finder from `serialise`; falls back to building it when the bytes are of another machine or version."""
    if hyperscan is None or not serialised:
        return build(words)
    try:
        return HyperscanFinder.load(serialised)
    except hyperscan.HyperscanError:
        return build(words)


def serialise(finder: WordFinder) -> bytes:
    """Bytes for `restore`; empty for the plain finder, which is made anew in no time."""
    return finder.serialise() if isinstance(finder, HyperscanFinder) else b""


class HyperscanFinder:
    """One hyperscan database of literals, for any number of threads."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._local = threading.local()

    @classmethod
    def compile(cls, words: Sequence[Word]) -> HyperscanFinder:
        """Compile the words; takes about 0.2 ms a word."""
        assert hyperscan is not None
        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        database.compile(
            expressions=[word.text for word in words],
            ids=list(range(len(words))),
            flags=[hyperscan.HS_FLAG_CASELESS if word.ignore_case else 0 for word in words],
            literal=True,
        )
        return cls(database)

    @classmethod
    def load(cls, serialised: bytes) -> HyperscanFinder:
        """Restore a database; raises `hyperscan.HyperscanError` for other versions, machines and damaged bytes."""
        assert hyperscan is not None
        return cls(hyperscan.loadb(serialised, mode=hyperscan.HS_MODE_BLOCK))

    def serialise(self) -> bytes:
        """The database as bytes, with a checksum of its own."""
        assert hyperscan is not None
        return hyperscan.dumpb(self._database)

    def find(self, data: bytes | memoryview) -> list[tuple[int, int]]:
        """See `WordFinder`."""
        assert hyperscan is not None
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            # Scratch space must not be shared by threads that scan at the same time.
            scratch = self._local.scratch = hyperscan.Scratch(self._database)
        found: list[tuple[int, int]] = []

        def remember(index: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found.append((index, end))

        self._database.scan(data, match_event_handler=remember, scratch=scratch)
        return found


class PlainFinder:
    """The same without hyperscan: one search per word."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = [
            (index, word.text.lower() if word.ignore_case else word.text, word.ignore_case)
            for index, word in enumerate(words)
        ]

    def find(self, data: bytes | memoryview) -> list[tuple[int, int]]:
        """See `WordFinder`."""
        text = bytes(data)
        lowered = text.lower() if any(ignore_case for _, _, ignore_case in self._words) else text
        found: list[tuple[int, int]] = []
        for index, word, ignore_case in self._words:
            where = lowered if ignore_case else text
            at = where.find(word)
            while at >= 0:
                found.append((index, at + len(word)))
                at = where.find(word, at + 1)
        found.sort(key=lambda item: (item[1], item[0]))
        return found
