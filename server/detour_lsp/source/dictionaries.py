"""What a dictionary holds that is written out in the file: at once, by `dict(...)`, or one entry after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from tree_sitter import Node

from detour_lsp.source.calls import Call, Keyword, read_call
from detour_lsp.source.constants import Known
from detour_lsp.source.objects import attribute_value
from detour_lsp.source.structure import CONDITIONAL

if TYPE_CHECKING:
    from detour_lsp.source.names import Module

_DEPTH = 6
_COPIES = frozenset({"copy.copy", "copy.deepcopy"})


@dataclass(slots=True)
class Entries:
    """The entries of a dictionary by their keys."""

    known: dict[str, Keyword] = field(default_factory=dict[str, Keyword])
    #: Whether it holds nothing else.
    complete: bool = True

    def put(self, other: Entries | None) -> None:
        """Write other entries over these; unknown ones (None) may hide any that were there."""
        if other is None or not other.complete:
            self.known.clear()
            self.complete = False
        self.known.update(other.known if other is not None else {})


def entries_of(module: Module, node: Node, depth: int = _DEPTH) -> Entries | None:
    """What the dictionary in an expression holds; None where its making is not in sight."""
    if depth <= 0 or node.id in module.reading:
        # `self.options = dict(self.options, **more)`: what it held before is not known.
        return None
    module.reading.add(node.id)
    try:
        return _entries(module, node, depth)
    finally:
        module.reading.discard(node.id)


def _entries(module: Module, node: Node, depth: int) -> Entries | None:
    match node.type:
        case "dictionary":
            return _literal(module, node, depth)
        case "call":
            return _made(module, node, depth)
        case "binary_operator" if _operator(node) == b"|":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            found = entries_of(module, left, depth - 1) if left is not None else None
            if found is not None:
                found.put(entries_of(module, right, depth - 1) if right is not None else None)
            return found
        case "parenthesized_expression" if node.named_child_count == 1:
            return entries_of(module, node.named_children[0], depth - 1)
        case "identifier":
            held = module.held(node)
            found = entries_of(module, held, depth - 1) if held is not None and held.id != node.id else None
            return _filled(module, node, held, found, depth) if held is not None and found is not None else None
        case "attribute":
            value = attribute_value(module, node)
            attribute = node.child_by_field_name("attribute")
            if value is None or attribute is None or _changing(f".{module.tree.source(attribute)}").search(module.text):
                return None
            return entries_of(module, value, depth - 1)
        case _:
            return None


def _operator(node: Node) -> bytes | None:
    sign = node.child_by_field_name("operator")
    return sign.text if sign is not None else None


def _literal(module: Module, node: Node, depth: int) -> Entries | None:
    found = Entries()
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type == "dictionary_splat":
            found.put(entries_of(module, child.named_children[0], depth - 1) if child.named_children else None)
            continue
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        known = module.value(key) if key is not None else None
        if child.type != "pair" or value is None or not isinstance(known, Known) or not isinstance(known.value, str):
            return None
        found.known[known.value] = Keyword(known.value, child, value)
    return found


def _made(module: Module, node: Node, depth: int) -> Entries | None:
    """`dict(base, a=1)`, `base.copy()`, `copy.copy(base)`"""
    call = read_call(module, node)
    if call is None:
        return None
    if call.name == "dict" and not call.star and len(call.arguments) < 2:
        found = entries_of(module, call.arguments[0], depth - 1) if call.arguments else Entries()
        if found is not None:
            found.put(Entries(dict(call.keywords), not call.double_star))
        return found
    if call.name in _COPIES and len(call.arguments) == 1:
        return entries_of(module, call.arguments[0], depth - 1)
    if call.method == "copy" and call.receiver is not None and not call.arguments:
        return entries_of(module, call.receiver, depth - 1)
    return None


# -- one entry after the other ------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _changing(name: str) -> re.Pattern[str]:
    """What changes the dictionary in a plain name, or (`.name`) in an attribute of that name."""
    begin = "" if name.startswith(".") else r"(?<![\w.])"
    return re.compile(rf"{begin}{re.escape(name)}\s*(?:\[|\.\s*(?:update|setdefault|pop|clear)\s*\(|\|=)")


def _filled(module: Module, use: Node, held: Node, found: Entries, depth: int) -> Entries | None:
    """The entries at a use, with what was written into the dictionary since it was made."""
    name = module.tree.source(use)
    owner = module.scopes.find(name, use)
    if owner is None:
        return None
    # A function runs later than what stands below it: all that the scope around it does counts.
    later = owner[0] is not module.scopes.scope_of(use)
    end = len(module.text) if later else module.tree.start(use)
    around = {entry.index for entry in module.skeleton.around(use)}
    for match in _changing(name).finditer(module.text, module.tree.end(held), end):
        place = module.tree.node_at(match.start(), match.start() + len(name))
        theirs = module.scopes.find(name, place)
        if place.type != "identifier" or theirs is None or theirs[0] is not owner[0]:
            continue
        sure = module.scopes.scope_of(place) is owner[0] and all(
            entry.index in around for entry in module.skeleton.around(place) if entry.type in CONDITIONAL
        )
        for key, entry in _written(module, place, depth):
            if key is None:
                return None
            if entry is not None and sure:
                found.known[key] = entry
            else:
                found.known.pop(key, None)
                found.complete = found.complete and entry is None and sure
    return found


def _written(module: Module, name: Node, depth: int) -> Iterator[tuple[str | None, Keyword | None]]:
    """What a statement does to a dictionary: key and new entry, no entry where it is taken out, no key for anything."""
    parent = name.parent
    statement = parent.parent if parent is not None else None
    if parent is None or statement is None:
        return
    if parent.type == "subscript":
        right = statement.child_by_field_name("right") if statement.type == "assignment" else None
        left = statement.child_by_field_name("left")
        if (right is None or left is None or left.id != parent.id) and statement.type != "delete_statement":
            return
        key = parent.child_by_field_name("subscript")
        known = module.value(key) if key is not None else None
        text = known.value if isinstance(known, Known) and isinstance(known.value, str) else None
        yield text, Keyword(text, statement, right) if text is not None and right is not None else None
    elif parent.type == "augmented_assignment":
        right = parent.child_by_field_name("right")
        yield from _all(entries_of(module, right, depth - 1) if right is not None else None)
    elif parent.type == "attribute" and statement.type == "call":
        call = read_call(module, statement)
        if call is not None:
            yield from _called(module, call, depth)


def _called(module: Module, call: Call, depth: int) -> Iterator[tuple[str | None, Keyword | None]]:
    if call.method == "update" and len(call.arguments) < 2 and not call.star:
        given = entries_of(module, call.arguments[0], depth - 1) if call.arguments else Entries()
        yield from _all(given)
        yield from _all(Entries(dict(call.keywords), not call.double_star))
        return
    known = module.value(call.arguments[0]) if call.arguments else None
    if not isinstance(known, Known) or not isinstance(known.value, str):
        yield None, None
    elif call.method == "pop":
        yield known.value, None
    elif len(call.arguments) == 2:
        yield known.value, Keyword(known.value, call.node, call.arguments[1])


def _all(entries: Entries | None) -> Iterator[tuple[str | None, Keyword | None]]:
    if entries is None or not entries.complete:
        yield None, None
        return
    yield from entries.known.items()
