"""The skeleton of a file: its scopes, blocks and binding statements, nested, found by one query.

Asking a tree-sitter node for its parent walks down from the root, which is slow in long files, and visiting every node
from Python is slower. One query collects the nodes that decide meaning; their byte ranges alone tell how they nest.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import itemgetter

from tree_sitter import Node, Query, QueryCursor

from detour_lsp.source.parsing import LANGUAGE, SourceTree

FUNCTIONS = frozenset({"function_definition", "lambda"})
COMPREHENSIONS = frozenset(
    {"list_comprehension", "dictionary_comprehension", "set_comprehension", "generator_expression"}
)
SCOPES = FUNCTIONS | COMPREHENSIONS | {"class_definition"}
LOOPS = frozenset({"for_statement", "while_statement"})
#: Blocks whose body may not run, so that a name bound in them may keep its older meaning.
CONDITIONAL = frozenset(
    {
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "try_statement",
        "except_clause",
        "case_clause",
    }
)
BINDERS = frozenset(
    {
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "assignment",
        "augmented_assignment",
        "named_expression",
        "for_in_clause",
        "as_pattern",
        "global_statement",
        "nonlocal_statement",
        "delete_statement",
        "type_alias_statement",
    }
)
_BLOCKS = frozenset(
    {
        "elif_clause",
        "else_clause",
        "if_statement",
        "try_statement",
        "except_clause",
        "finally_clause",
        "match_statement",
        "case_clause",
    }
)
#: The branches of a statement; what stands in none of them stands in its first block.
ARMS = frozenset({"elif_clause", "else_clause", "except_clause", "finally_clause", "case_clause"})
_SPAN = itemgetter(0, 1)
# One capture per type: asking a node for its type makes a string each time.
_QUERY = Query(LANGUAGE, "\n".join(f"({name}) @{name}" for name in sorted(SCOPES | LOOPS | BINDERS | _BLOCKS)))


class Entry:
    """One node of the skeleton; offsets are bytes, the others count in `Skeleton.entries` (-1: the module)."""

    __slots__ = ("end", "index", "node", "parent", "scope", "start", "type")

    def __init__(self, node: Node, kind: str, start: int, end: int, index: int, parent: int, scope: int) -> None:
        self.node = node
        self.type = kind
        self.start = start
        self.end = end
        self.index = index
        self.parent = parent
        #: The innermost function, class or comprehension that the node stands in, header included.
        self.scope = scope


class Skeleton:
    """The entries of a file in source order."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = tree
        rows = [
            (node.start_byte, -node.end_byte, kind, node)
            for kind, nodes in QueryCursor(_QUERY).captures(tree.root).items()
            for node in nodes
        ]
        rows.sort(key=_SPAN)
        self.entries: list[Entry] = []
        stack: list[Entry] = []
        for index, (start, minus_end, kind, node) in enumerate(rows):
            while stack and stack[-1].end <= start:
                stack.pop()
            if stack:
                above = stack[-1]
                scope = above.index if above.type in SCOPES else above.scope
                entry = Entry(node, kind, start, -minus_end, index, above.index, scope)
            else:
                entry = Entry(node, kind, start, -minus_end, index, -1, -1)
            self.entries.append(entry)
            stack.append(entry)

    @cached_property
    def _starts(self) -> list[int]:
        return [entry.start for entry in self.entries]

    def entry(self, node: Node) -> Entry | None:
        """The node's own entry, if it is part of the skeleton."""
        start = node.start_byte
        index = bisect_right(self._starts, start) - 1
        while index >= 0 and self.entries[index].start == start:
            if self.entries[index].node.id == node.id:
                return self.entries[index]
            index -= 1
        return None

    def around(self, node: Node) -> list[Entry]:
        """The entries that strictly contain the node, innermost first."""
        own = self.entry(node)
        if own is not None:
            return self.ancestors(own)
        start, end = node.start_byte, node.end_byte
        index = bisect_right(self._starts, start) - 1
        while index >= 0 and self.entries[index].end < end:
            index = self.entries[index].parent
        found: list[Entry] = []
        while index >= 0:
            entry = self.entries[index]
            # A node that fills its entry exactly is the entry's child, or an ancestor of it with the same range.
            same = (entry.start, entry.end) == (start, end)
            if (entry.end >= end and not same) or (same and _descends(node, entry.node)):
                found.append(entry)
            index = entry.parent
        return found

    def ancestors(self, entry: Entry) -> list[Entry]:
        """The entries around an entry, innermost first."""
        found: list[Entry] = []
        index = entry.parent
        while index >= 0:
            found.append(self.entries[index])
            index = self.entries[index].parent
        return found


def _descends(node: Node, ancestor: Node) -> bool:
    """Whether a node with the same range as `ancestor` stands below it."""
    span = (ancestor.start_byte, ancestor.end_byte)
    current: Node | None = ancestor
    while current is not None:
        current = next((child for child in current.children if (child.start_byte, child.end_byte) == span), None)
        if current is not None and current.id == node.id:
            return True
    return False
