"""The parts of a file that a check must read: what stands outside of functions and classes, and those of them that hold
a place which a selector may mean.

Most functions of a long file have nothing to say to any record. They are not parsed: a function that is left out is
known by its name alone, so that it still shadows what it shadows. What is left out is decided by the text as it is now
and by nothing else, so a check after an edit reads the same parts as a fresh one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

#: A line that begins at the left margin and does not go on from the line above it.
_HEAD = re.compile(rb"(?<!\\)\n(?=[^\s#)\]}])")
_BLOCK = re.compile(rb"(?:async[ \t]+)?(def|class)[ \t]+(\w+)")
_WORD = re.compile(rb"[^\W\d]\w*")
_COMMENT_TO_US = re.compile(rb"#\s*detour:", re.IGNORECASE)
_NESTED_IMPORT = re.compile(rb"\n[ \t]+(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))")
_ROUNDS = 8
#: Names of a longer stretch of plain statements (a table) lead to no further functions.
_MOST_PLAIN = 20_000
#: A file of which more than this part must be read is read whole.
_WHOLE = 0.7
_SMALL = 4_000


@dataclass(frozen=True, slots=True)
class Block:
    """A function or class at the left margin with its decorators, or (without a name) the statements between two."""

    start: int
    end: int
    name: bytes = b""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which bytes are read, and the functions and classes that are not: name, kind and place."""

    ranges: tuple[tuple[int, int], ...]
    skipped: tuple[Block, ...]

    def words(self, data: bytes) -> set[bytes]:
        """Every word of what is read."""
        found: set[bytes] = set()
        for start, end in self.ranges:
            found.update(_WORD.findall(data, start, end))
        return found

    def imports(self, data: bytes) -> Iterator[str]:
        """The packages that functions import which are not read."""
        for block in self.skipped:
            for match in _NESTED_IMPORT.finditer(data, block.start, block.end):
                for part in (match[1] or match[2]).split(b","):
                    root = part.strip().partition(b".")[0].partition(b" ")[0]
                    yield root.decode("utf-8", "replace")


class Sections:
    """A file's blocks and what was chosen of them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.blocks = list(_blocks(data))
        self._starts = [block.start for block in self.blocks]
        self._kept: set[int] = (
            {
                index
                for index, block in enumerate(self.blocks)
                if not block.name or _COMMENT_TO_US.search(data, block.start, block.end) is not None
            }
            if len(data) > _SMALL
            else set(range(len(self.blocks)))
        )

    def keep(self, ends: Iterable[int]) -> None:
        """Read the blocks with the words that end at these offsets, and what their names lead to."""
        hit = {bisect_right(self._starts, max(0, end - 1)) - 1 for end in ends} - {-1}
        self._kept |= hit
        if len(self._kept) == len(self.blocks):
            return
        names: set[bytes] = set()
        for index in hit:
            block = self.blocks[index]
            if block.name or block.end - block.start <= _MOST_PLAIN:
                names.update(_WORD.findall(self._data, block.start, block.end))
        self._follow(names)

    def _follow(self, names: set[bytes]) -> None:
        """Read the classes that are named, those that they derive from, and see through plain assignments."""
        classes = {block.name: index for index, block in enumerate(self.blocks) if block.kind == "class"}
        plain = [
            set(_WORD.findall(self._data, block.start, block.end))
            for block in self.blocks
            if not block.name and block.end - block.start <= _MOST_PLAIN
        ]
        fresh = set(names)
        for _ in range(_ROUNDS):
            more: set[bytes] = set()
            rest: list[set[bytes]] = []
            for words in plain:
                if fresh.isdisjoint(words):
                    rest.append(words)
                else:
                    more |= words
            plain = rest
            for name in fresh & classes.keys():
                block = self.blocks[classes[name]]
                self._kept.add(classes[name])
                header = self._data.find(b":", block.start, block.end)
                more.update(_WORD.findall(self._data, block.start, header if header >= 0 else block.end))
            fresh = more - names
            if not fresh:
                return
            names |= fresh

    def lacks(self, words: Iterable[str]) -> list[int]:
        """Where words end, as whole words, in blocks that are not read."""
        patterns = [re.compile(rb"(?<!\w)" + re.escape(word.encode()) + rb"(?!\w)") for word in words]
        found: list[int] = []
        for index, block in enumerate(self.blocks):
            if index not in self._kept:
                for pattern in patterns:
                    match = pattern.search(self._data, block.start, block.end)
                    if match is not None:
                        found.append(match.end())
                        break
        return found

    def selection(self) -> Selection | None:
        """What to read; None for everything."""
        total = sum(self.blocks[index].end - self.blocks[index].start for index in self._kept)
        if total >= _WHOLE * len(self._data):
            return None
        ranges: list[tuple[int, int]] = []
        for index in sorted(self._kept):
            block = self.blocks[index]
            if ranges and ranges[-1][1] == block.start:
                ranges[-1] = (ranges[-1][0], block.end)
            else:
                ranges.append((block.start, block.end))
        skipped = tuple(block for index, block in enumerate(self.blocks) if index not in self._kept)
        return Selection(tuple(ranges), skipped)


def _blocks(data: bytes) -> Iterator[Block]:
    """The blocks of a text one behind the other; what is not clear has no name and is read."""
    heads = [0, *(match.end() for match in _HEAD.finditer(data)), len(data)]
    start = heads[0]
    number = 0
    plain: int | None = None
    while number < len(heads) - 1:
        start = heads[number]
        first = number
        while data[start : start + 1] == b"@" and number < len(heads) - 2:
            number += 1
            start = heads[number]
        header = _BLOCK.match(data, start)
        begin, end = heads[first], heads[number + 1]
        number += 1
        closed = _closed(data, begin, end)
        joined = number
        while not closed and joined < len(heads) - 1:
            # A string goes over the left margin, or somebody has just opened one.
            joined += 1
            closed = _closed(data, begin, heads[joined])
        if joined != number and closed:
            number, end, header = joined, heads[joined], None
        if header is None or not closed:
            plain = begin if plain is None else plain
            continue
        if plain is not None:
            yield Block(plain, begin)
            plain = None
        yield Block(begin, end, header[2], header[1].decode())
    if plain is not None:
        yield Block(plain, len(data))


def _closed(data: bytes, start: int, end: int) -> bool:
    """Whether triple quotes come in pairs."""
    return data.count(b'"""', start, end) % 2 == 0 and data.count(b"'''", start, end) % 2 == 0
