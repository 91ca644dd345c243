"""Python text as a tree that survives half-typed code, with offsets in code points.

tree-sitter counts bytes and gives up on everything behind an unclosed bracket. Everything else in `source` counts
code points and must see the statements that are whole, so this module owns both translations.

Signatures first (2026-11-30 20:00); the implementation follows in the next commits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node



@dataclass(frozen=True, slots=True)
class Edit:
    """The text's stretch `start:old_end` (code points) was replaced by `text`."""

    start: int
    old_end: int
    text: str


class SourceTree:
    """A parsed text. `root` is a tree-sitter node; ask this class for offsets, lines and text of nodes, never the node itself."""

    text: str
    root: Node
    #: Whether the text as it stands has a syntax error (the tree is then that of a patched text of the same length).
    broken: bool

    @classmethod
    def parse(cls, text: str) -> SourceTree: ...
    def update(self, edit: Edit) -> SourceTree:
        """The tree of the edited text; equal to a fresh parse."""
        ...

    def start(self, node: Node) -> int:
        """Code point offset where the node begins."""
        ...

    def end(self, node: Node) -> int:
        """Code point offset behind the node."""
        ...

    def source(self, node: Node) -> str:
        """The node's own text."""
        ...

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a code point offset."""
        ...

    def offset(self, line: int, column: int = 1) -> int:
        """Code point offset of a line and column (both from 1), clamped to the text."""
        ...

    def line(self, node: Node) -> int:
        """The line on which the node begins, from 1."""
        ...

    def node_at(self, start: int, end: int) -> Node:
        """The smallest named node that covers the stretch (code points)."""
        ...


def walk(node: Node, *types: str) -> Iterator[Node]:
    """The node and everything below in source order, only of the given types when some are given."""
    ...
