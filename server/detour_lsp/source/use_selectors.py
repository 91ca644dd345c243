"""The selector `use`: a qualified name that the code uses, wherever it gets it from."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.bound_names import imported_from
from detour_lsp.source.match import Match
from detour_lsp.source.names import Module
from detour_lsp.source.sites import Sites
from detour_lsp.source.spellings import names_of, same_name


def find_uses(module: Module, sites: Sites, selector: Clause) -> Iterator[Match]:
    names = names_of(selector["use"])
    for node in sites.references:
        if _only_mentioned(node):
            continue
        for name in _referred(module, node):
            if any(same_name(name, wanted) for wanted in names):
                yield Match(node)
                break


def _only_mentioned(node: Node) -> bool:
    """Whether a name is looked at and not used: compared, listed in a table, or written as a type."""
    child, parent = node, node.parent
    while parent is not None and parent.type in {"parenthesized_expression", "union_type", "generic_type", "tuple"}:
        child, parent = parent, parent.parent
    if parent is None:
        return False
    match parent.type:
        case "comparison_operator" | "type" | "list" | "set" | "case_pattern":
            return True
        case "pair":
            key = parent.child_by_field_name("key")
            return key is not None and key.id == child.id
        case "argument_list":
            function = parent.parent.child_by_field_name("function") if parent.parent is not None else None
            return function is not None and function.text in {b"isinstance", b"issubclass", b"hasattr"}
        case _:
            return False


def _referred(module: Module, node: Node) -> Iterator[str]:
    statement = import_around(node)
    if statement is None:
        if node.type == "identifier" and module.held(node) is not None:
            # A name of the file's own: what it was given is named there.
            return
        name = module.resolve(node)
        if name is not None and not _is_target(node):
            yield name
        return
    path = "".join(module.tree.source(node.parent or node).split())
    if statement.type == "import_statement":
        yield path
        return
    own = module.tree.source(node)
    for _, qualified in imported_from(module.tree, statement):
        if qualified.rpartition(".")[2] == own and path == own:
            yield qualified
            return


def import_around(node: Node) -> Node | None:
    """The import statement that a name stands in."""
    current: Node | None = node
    while current is not None and current.type in {"identifier", "dotted_name", "aliased_import", "relative_import"}:
        current = current.parent
    if current is not None and current.type in {"import_statement", "import_from_statement"}:
        return current
    return None


def _is_target(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in {"pattern_list", "tuple_pattern", "list_pattern"}:
        node, parent = parent, parent.parent
    if parent is None or parent.type not in {"assignment", "augmented_assignment", "for_statement"}:
        return False
    left = parent.child_by_field_name("left")
    return left is not None and left.id == node.id
