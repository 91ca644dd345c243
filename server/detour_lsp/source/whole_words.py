"""Finds whole words in a file's bytes: hyperscan where it can be had, else one regular expression.

`knowledge.words` finds literals wherever they stand, which suits the rare words of error messages. Names of functions
are short (`lu`, `qr`, `norm`) and stand inside many other words; those hits must not even reach Python.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from typing import Any

from detour_lsp.knowledge.storage import Store, cache_directory, note
from detour_lsp.knowledge.words import identity

try:
    import hyperscan
except ImportError:  # No wheel for this platform: slower, with the same result.
    hyperscan = None


class WholeWords:
    """Finds all places where any of its words (of ASCII letters, digits and `_`) ends, as a whole word."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._local = threading.local()
        self._database: Any = None
        self._pattern: re.Pattern[bytes] | None = None
        if hyperscan is not None and self._words:
            self._database = _database(self._words)
        elif self._words:
            longest_first = sorted(self._words, key=len, reverse=True)
            self._pattern = re.compile(
                rb"\b(?:" + b"|".join(re.escape(word.encode()) for word in longest_first) + rb")\b"
            )

    def find(self, data: bytes) -> dict[str, list[int]]:
        """For each word that is there, the offsets behind its places, ascending."""
        found: dict[str, list[int]] = {}
        if self._pattern is not None:
            for match in self._pattern.finditer(data):
                found.setdefault(match[0].decode("ascii"), []).append(match.end())
        elif self._database is not None and hyperscan is not None:
            scratch = getattr(self._local, "scratch", None)
            if scratch is None:
                # Scratch space must not be shared by threads that scan at the same time.
                scratch = self._local.scratch = hyperscan.Scratch(self._database)
            words = self._words

            def remember(index: int, _start: int, end: int, _flags: int, _context: object) -> None:
                found.setdefault(words[index], []).append(end)

            # A word at the very end needs something behind it to end at.
            self._database.scan(data + b"\n", match_event_handler=remember, scratch=scratch)
        return found


def _database(words: Sequence[str]) -> Any:
    """The database of some words, from the cache where it has been compiled before: that takes a tenth of a second."""
    assert hyperscan is not None
    content = hashlib.blake2b(repr((words, identity())).encode(), digest_size=16).hexdigest()
    store = Store(cache_directory())
    kept = store.database(content)
    if kept is not None:
        try:
            return hyperscan.loadb(kept, mode=hyperscan.HS_MODE_BLOCK)
        except hyperscan.error as error:
            # Of another machine that shares the cache.
            note("the database of %d words is made again: %s", len(words), error)
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[rb"\b" + re.escape(word.encode()) + rb"\b" for word in words],
        ids=list(range(len(words))),
        flags=[0] * len(words),
    )
    store.keep_database(content, hyperscan.dumpb(database))
    return database
