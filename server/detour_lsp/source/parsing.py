"""Python text as a tree that survives half-typed code, with offsets in code points.

tree-sitter counts bytes and gives up on everything behind an unclosed bracket. Everything else in `source` counts
code points and must see the statements that are whole, so this module owns both translations. What is broken is
blanked out by `recovery`, in place, before a second parse.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Range, Tree

from detour_lsp.source.recovery import patched
from detour_lsp.source.sections import Selection

LANGUAGE = Language(tree_sitter_python.language())

_LINE_END = re.compile(r"\r\n?|\n")
#: A lone carriage return ends a line for Python and for editors, but not for the grammar; NUL would end the text.
_FOREIGN = re.compile(r"\r(?!\n)|\0")
#: The grammar's time grows with the square of the comment lines that follow each other.
_COMMENT_LINES = re.compile(rb"(?:\n[ \t]*#[^\n]*)+")
_MOST_COMMENT_LINES = 19
_IN_A_LINE = re.compile(rb"[^\n]")


@dataclass(frozen=True, slots=True)
class Edit:
    """The text's stretch `start:old_end` (code points) was replaced by `text`."""

    start: int
    old_end: int
    text: str


class Lines:
    """Where the lines of a text begin; offsets and columns are code points."""

    def __init__(self, text: str) -> None:
        self.text = text
        if "\r" in text:
            self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        else:
            # The same, without a step of Python for each line.
            self.starts = [0, *accumulate(map((1).__add__, map(len, text.split("\n"))))][:-1]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a line and column (both from 1), clamped to the line and the text."""
        if line < 1:
            return 0
        if line > len(self.starts):
            return len(self.text)
        start = self.starts[line - 1]
        return min(start + max(column, 1) - 1, self.end(line))

    def end(self, line: int) -> int:
        """The offset behind the line's last character, in front of its line ending."""
        stop = self.starts[line] if line < len(self.starts) else len(self.text)
        start = self.starts[line - 1]
        while stop > start and self.text[stop - 1] in "\r\n":
            stop -= 1
        return stop


class SourceTree:
    """A parsed text. Ask this class for offsets, lines and text of nodes, never the node itself: it counts bytes."""

    def __init__(self, text: str, tree: Tree, data: bytes, *, broken: bool, selection: Selection | None = None) -> None:
        self.text = text
        #: What was read of the text; None for everything.
        self.selection = selection
        #: Whether the text has a syntax error; the tree is then that of a patched text of the same length.
        self.broken = broken
        self._tree = tree
        self._data = data
        #: Whether bytes of the tree and code points of the text are the same numbers.
        self._ascii = len(data) == len(text) and not broken

    @classmethod
    def parse(cls, text: str, selection: Selection | None = None) -> SourceTree:
        """Parse a text, or the selected parts of it, however broken."""
        data = grammatical_bytes(text)
        tree = _parser(data, selection.ranges if selection is not None else ()).parse(data)
        if not tree.root_node.has_error:
            return cls(text, tree, data, broken=False, selection=selection)
        return cls.mended(text, selection)

    @classmethod
    def mended(cls, text: str, selection: Selection | None = None) -> SourceTree:
        """Parse a text as broken, statement by statement."""
        data = grammatical_bytes(text)
        parts: list[bytes] = []
        ranges: list[tuple[int, int]] = []
        size = position = 0
        for start, end in selection.ranges if selection is not None else ((0, len(data)),):
            parts.append(data[position:start])
            piece = _encoded(patched(data[start:end].decode("utf-8", "surrogatepass"), _parses))
            parts.append(piece)
            size += start - position + len(piece)
            ranges.append((size - len(piece), size))
            position = end
        parts.append(data[position:])
        data = b"".join(parts)
        tree = _parser(data, ranges if selection is not None else ()).parse(data)
        return cls(text, tree, data, broken=True, selection=selection)

    def update(self, edit: Edit) -> SourceTree:
        """The tree of the edited text; equal to a fresh parse, and much cheaper while the text is whole."""
        text = self.text[: edit.start] + edit.text + self.text[edit.old_end :]
        if self.broken or self.selection is not None:
            return SourceTree.parse(text)
        data = grammatical_bytes(text)
        start, old_end = self._byte(edit.start), self._byte(edit.old_end)
        new_end = len(data) - (len(self._data) - old_end)
        old = self._tree.copy()
        old.edit(
            start,
            old_end,
            new_end,
            _point(self._data, start),
            _point(self._data, old_end),
            _point(data, new_end),
        )
        tree = Parser(LANGUAGE).parse(data, old)
        if tree.root_node.has_error:
            return SourceTree.parse(text)
        return SourceTree(text, tree, data, broken=False)

    def imports_elsewhere(self) -> Iterator[str]:
        """The packages that functions import which were not read."""
        if self.selection is not None:
            yield from self.selection.imports(grammatical_bytes(self.text))

    def names_elsewhere(self) -> Iterator[tuple[str, str, int]]:
        """Name, kind and place (a byte of the parsed text) of the functions and classes that were not read."""
        if self.selection is not None:
            read = self.selection.words(self._data)
            for block in self.selection.skipped:
                if block.name in read:
                    yield block.name.decode("utf-8", "surrogatepass"), block.kind, block.start

    @property
    def root(self) -> Node:
        """The `module` node."""
        return self._tree.root_node

    @cached_property
    def lines(self) -> Lines:
        """The text's lines."""
        return Lines(self.text)

    def start(self, node: Node) -> int:
        """Code point offset where the node begins."""
        return node.start_byte if self._ascii else self._code_point(node.start_byte)

    def end(self, node: Node) -> int:
        """Code point offset behind the node."""
        return node.end_byte if self._ascii else self._code_point(node.end_byte)

    def source(self, node: Node) -> str:
        """The node's own text, as mended if it was broken."""
        if self._ascii:
            return self.text[node.start_byte : node.end_byte]
        # Not a slice of the text: in a mended line the tree holds what the text lacks.
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a code point offset."""
        return self.lines.position(offset)

    def offset(self, line: int, column: int = 1) -> int:
        """Code point offset of a line and column (both from 1), clamped to the text."""
        return self.lines.offset(line, column)

    def line(self, node: Node) -> int:
        """The line on which the node begins, from 1."""
        return self.lines.position(self.start(node))[0]

    def end_line(self, node: Node) -> int:
        """The line on which the node's last character stands, from 1."""
        return self.lines.position(max(self.start(node), self.end(node) - 1))[0]

    def node_at(self, start: int, end: int) -> Node:
        """The smallest named node that covers the stretch (code points)."""
        return self.root.named_descendant_for_byte_range(self._byte(start), self._byte(end)) or self.root

    def nodes_at_bytes(self, places: Sequence[tuple[int, int]]) -> Iterator[Node]:
        """The smallest named nodes that cover stretches of the text's own bytes."""
        root = self.root
        if not self.broken:
            for start, end in places:
                yield root.named_descendant_for_byte_range(start, end) or root
            return
        data = grammatical_bytes(self.text)
        last = points = 0
        for start, end in places:
            points += len(data[last:start].decode("utf-8", "surrogatepass"))
            last = start
            yield self.node_at(points, points + len(data[start:end].decode("utf-8", "surrogatepass")))

    @cached_property
    def _byte_starts(self) -> list[int]:
        """The byte at which each line of the parsed text begins; it has as many lines as the text itself."""
        total, starts = 0, [0]
        for line in self._data.split(b"\n"):
            total += len(line) + 1
            starts.append(total)
        return starts

    def _code_point(self, byte: int) -> int:
        starts = self._byte_starts
        line = bisect_right(starts, byte) - 1
        if line >= len(self.lines.starts):
            return len(self.text)
        within = len(self._data[starts[line] : byte].decode("utf-8", "surrogatepass"))
        # In a mended line columns differ; they must not run into the next line.
        return min(self.lines.starts[line] + within, self.lines.end(line + 1))

    def _byte(self, point: int) -> int:
        if self._ascii:
            return min(point, len(self._data))
        line, column = self.lines.position(point)
        starts = self._byte_starts
        parsed = self._data[starts[line - 1] : starts[line] - 1].decode("utf-8", "surrogatepass")
        return starts[line - 1] + len(_encoded(parsed[: column - 1]))


def walk(node: Node, *types: str) -> Iterator[Node]:
    """The node and everything below in source order, only of the given types when some are given."""
    wanted = frozenset(types)
    stack = [node]
    while stack:
        current = stack.pop()
        if not wanted or current.type in wanted:
            yield current
        stack.extend(reversed(current.named_children))


def grammatical_bytes(text: str) -> bytes:
    """A text as the grammar reads it, in as many bytes as the text itself has in UTF-8."""
    data = _encoded(_grammatical(text))
    parts: list[bytes] = []
    done, position = 0, data.find(b"#")
    while position >= 0:
        # From one `#` to the next: trying at each line end costs ten times as much.
        line_end = data.rfind(b"\n", 0, position)
        run = _COMMENT_LINES.match(data, line_end) if line_end >= 0 else None
        if run is not None and run.end() > position:
            if data.count(b"\n", run.start(), run.end()) > _MOST_COMMENT_LINES and b"detour" not in run[0].lower():
                parts += [data[done : run.start()], _IN_A_LINE.sub(b" ", run[0])]
                done = run.end()
            position = data.find(b"#", run.end())
        else:
            after = data.find(b"\n", position)
            position = data.find(b"#", after) if after >= 0 else -1
    return b"".join((*parts, data[done:])) if parts else data


def _parser(data: bytes, ranges: Sequence[tuple[int, int]]) -> Parser:
    """A parser for the whole text, or for these stretches of it, which begin at line starts."""
    if not ranges:
        return Parser(LANGUAGE)
    found: list[Range] = []
    line = position = 0
    for start, end in ranges:
        line += data.count(b"\n", position, start)
        first = line
        line += data.count(b"\n", start, end)
        column = end - (data.rfind(b"\n", 0, end) + 1)
        found.append(Range((first, 0), (line, column), start, end))
        position = end
    return Parser(LANGUAGE, included_ranges=found)


def _parses(text: str) -> bool:
    return not Parser(LANGUAGE).parse(_encoded(text)).root_node.has_error


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _grammatical(text: str) -> str:
    if "\r" in text or "\0" in text:
        return _FOREIGN.sub(lambda match: "\n" if match[0] == "\r" else " ", text)
    return text


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)
