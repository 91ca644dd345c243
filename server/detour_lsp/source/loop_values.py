"""What an expression takes in the rounds of a loop over something that is written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tree_sitter import Node

from detour_lsp.source.calls import read_call
from detour_lsp.source.constants import UNKNOWN, Known

if TYPE_CHECKING:
    from detour_lsp.source.names import Module


def strings_of(module: Module, node: Node) -> tuple[str, ...] | None:
    """The strings that an expression takes: its constant, or all elements of the literal that a loop runs over."""
    known = module.value(node)
    if isinstance(known, Known):
        return (known.value,) if isinstance(known.value, str) else None
    if node.type != "identifier":
        return None
    found = module.scopes.find(module.tree.source(node), node)
    if found is None or len(found[1]) != 1:
        return None
    target = found[1][0].node
    if target.type not in {"for_statement", "for_in_clause"}:
        return None
    left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
    if left is None or right is None or left.type != "identifier":
        return None
    elements = module.value(right)
    items = elements.value if isinstance(elements, Known) else None
    if not isinstance(items, tuple):
        return None
    items = cast("tuple[object, ...]", items)
    texts = tuple(item for item in items if isinstance(item, str))
    return texts if texts and len(texts) == len(items) else None


def pairs_of(module: Module, key: Node, value: Node) -> list[tuple[str, Node]] | None:
    """Key and value of each round of `for key, value in {...}.items()`, `for key in {...}`, or over a list of pairs."""
    if key.type != "identifier":
        return None
    if value.type == "subscript":
        return _looked_up(module, key, value)
    if value.type != "identifier":
        return None
    found = [module.scopes.find(module.tree.source(node), node) for node in (key, value)]
    bindings = [item[1] for item in found if item is not None and len(item[1]) == 1]
    if len(bindings) != 2 or bindings[0][0].node.id != bindings[1][0].node.id:
        return None
    loop = bindings[0][0].node
    left, right = loop.child_by_field_name("left"), loop.child_by_field_name("right")
    if loop.type not in {"for_statement", "for_in_clause"} or left is None or right is None:
        return None
    names = [module.tree.source(child) for child in left.named_children]
    if names != [module.tree.source(key), module.tree.source(value)]:
        return None
    return _literal_pairs(module, right)


def _looked_up(module: Module, key: Node, value: Node) -> list[tuple[str, Node]] | None:
    """The entries of `table` where a loop goes over its keys and looks each up: `table[key]`."""
    table, asked = value.child_by_field_name("value"), value.child_by_field_name("subscript")
    found = module.scopes.find(module.tree.source(key), key)
    loop = found[1][0].node if found is not None and len(found[1]) == 1 else None
    if table is None or asked is None or loop is None or loop.type not in {"for_statement", "for_in_clause"}:
        return None
    over = loop.child_by_field_name("right")
    source = module.tree.source
    if over is None or source(asked) != source(key) or source(over) not in {source(table), f"{source(table)}.keys()"}:
        return None
    entries = module.entries(table)
    return None if entries is None else [(entry.name, entry.value) for entry in entries.known.values()]


def _literal_pairs(module: Module, node: Node) -> list[tuple[str, Node]] | None:
    call = read_call(module, node) if node.type == "call" else None
    if call is not None and call.method == "items" and call.receiver is not None and not call.arguments:
        entries = module.entries(call.receiver)
        return None if entries is None else [(entry.name, entry.value) for entry in entries.known.values()]
    held = module.held(node)
    if held is None or held.type not in {"list", "tuple"}:
        return None
    found: list[tuple[str, Node]] = []
    for child in held.named_children:
        parts = [part for part in child.named_children if part.type != "comment"]
        name = module.value(parts[0]) if child.type in {"tuple", "list"} and len(parts) == 2 else UNKNOWN
        if not isinstance(name, Known) or not isinstance(name.value, str):
            return None
        found.append((name.value, parts[1]))
    return found
