"""What a node of a Python file stands in: its statement, function, loop and class."""

from __future__ import annotations

from functools import cached_property

from tree_sitter import Node

from detour_lsp.source.parsing import SourceTree
from detour_lsp.source.structure import COMPREHENSIONS, LOOPS, Skeleton


class Surroundings:
    """The nesting of one parsed file."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = tree

    @cached_property
    def skeleton(self) -> Skeleton:
        """Scopes, blocks and binding statements, nested."""
        return Skeleton(self.tree)

    def statement_at(self, line: int) -> Node | None:
        """The innermost statement that covers the line (from 1); of a compound statement only the header counts."""
        begin, end = self.tree.offset(line), self.tree.lines.end(line) if line <= len(self.tree.lines.starts) else 0
        text = self.tree.text[begin:end]
        stripped = begin + len(text) - len(text.lstrip())
        if line < 1 or not text.strip():
            return None
        node: Node | None = self.tree.node_at(stripped, stripped + 1)
        while node is not None and not is_statement(node):
            node = node.parent
        if node is None:
            return None
        holder = node.parent
        if holder is not None and holder.type == "decorated_definition":
            # The line of the `def` belongs to the definition, the line of a decorator to the whole.
            return node
        return node

    def statement_of(self, node: Node) -> Node:
        """The statement that a node belongs to (a `decorated_definition` counts as one)."""
        current: Node | None = node
        while current is not None:
            if is_statement(current) and (current.parent is None or current.parent.type != "decorated_definition"):
                return current
            current = current.parent
        return node

    def function_at(self, line: int) -> Node | None:
        """The innermost `function_definition` around the line."""
        statement = self.statement_at(line)
        if statement is None:
            return None
        if statement.type == "function_definition":
            return statement
        if statement.type == "decorated_definition":
            definition = statement.child_by_field_name("definition")
            return definition if definition is not None and definition.type == "function_definition" else None
        return self.function_of(statement)

    def function_of(self, node: Node) -> Node | None:
        """The innermost `function_definition` around a node (not the one whose header it is in)."""
        for entry in self.skeleton.around(node):
            if entry.type == "function_definition":
                body = entry.node.child_by_field_name("body")
                if body is not None and body.start_byte <= node.start_byte:
                    return entry.node
        return None

    def loop_of(self, node: Node) -> Node | None:
        """The innermost loop or comprehension that runs the node once a round, within the node's own function."""
        for entry in self.skeleton.around(node):
            if entry.type in {"function_definition", "class_definition", "lambda"}:
                if entry.type != "lambda":
                    return None
            elif entry.type in LOOPS:
                body = entry.node.child_by_field_name("body")
                if body is not None and body.start_byte <= node.start_byte and node.end_byte <= body.end_byte:
                    return entry.node
                if entry.type == "while_statement" and body is not None and node.start_byte < body.start_byte:
                    return entry.node
            elif entry.type in COMPREHENSIONS:
                first = next((child for child in entry.node.named_children if child.type == "for_in_clause"), None)
                source = first.child_by_field_name("right") if first is not None else None
                if source is None or not (source.start_byte <= node.start_byte and node.end_byte <= source.end_byte):
                    return entry.node
        return None

    def class_of(self, node: Node) -> Node | None:
        """The innermost `class_definition` around a node."""
        for entry in self.skeleton.around(node):
            if entry.type == "class_definition":
                return entry.node
        return None


def is_statement(node: Node) -> bool:
    """Whether a node is a statement (a `def`, `class` or decorated one included)."""
    return (
        node.parent is not None
        and node.parent.type in {"module", "block", "decorated_definition"}
        and (node.type.endswith(("_statement", "_definition")))
    )
