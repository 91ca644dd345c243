"""What is done with the result of a call: which attributes are read of it, and to which functions it is passed.

A repair that makes something else of the result (`torch.compile` for `torch.jit.script`) must not be made where the
code goes on to use what only the old one has. Names are followed through the file as a whole: better to refuse once
too often.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits.site import Site
from detour_lsp.source.names import Module
from detour_lsp.source.objects import FLUENT
from detour_lsp.source.parsing import walk
from detour_lsp.source.spellings import names_of
from detour_lsp.source.templates import Refused

_DEPTH = 4
#: What hands an expression on as it is.
_PLAIN = frozenset({"parenthesized_expression", "conditional_expression", "boolean_operator", "expression_list"})


@dataclass(slots=True)
class Uses:
    """What the result of a call is used for."""

    attributes: set[str] = field(default_factory=set[str])
    #: Qualified names of the functions that it is passed to.
    functions: set[str] = field(default_factory=set[str])

    def first_of(self, wanted: Iterable[str]) -> str | None:
        """The first of the attributes (`save`) or functions (`torch.jit.*`) that the result is used with."""
        for name in wanted:
            if "." not in name and name in self.attributes:
                return f".{name}"
            passed = [item for item in sorted(self.functions) if fnmatch.fnmatchcase(item, name)]
            if "." in name and passed:
                return passed[0]
        return None


def refuse_used(site: Site, edit: Clause) -> None:
    """Refuse an edit that says `unless_used` where the file goes on to use of the result what would be gone."""
    wanted = names_of(edit.get("unless_used", ()))
    if wanted:
        used = uses_of(site.draft.module, site.call.node if site.call is not None else site.node).first_of(wanted)
        if used is not None:
            raise Refused(f"the result is used with {used}, which it would not have afterwards")


def uses_of(module: Module, node: Node) -> Uses:
    """The uses of what a call, or a decorated definition, gives."""
    found = Uses()
    seen: set[str] = set()
    _follow(module, node, found, seen, _DEPTH)
    return found


def _follow(module: Module, node: Node, found: Uses, seen: set[str], depth: int) -> None:
    if depth <= 0:
        return
    child, parent = node, node.parent
    while parent is not None:
        match parent.type:
            case "attribute":
                attribute = parent.child_by_field_name("attribute")
                name = module.tree.source(attribute) if attribute is not None else ""
                found.attributes.add(name)
                outer = parent.parent
                if name not in FLUENT or outer is None or outer.type != "call":
                    return
                child, parent = outer, outer.parent
                continue
            case "argument_list":
                call = module.call(parent.parent) if parent.parent is not None else None
                if call is not None and call.name is not None:
                    found.functions.add(call.name)
                return
            case "assignment" | "named_expression":
                left = parent.child_by_field_name("left") or parent.child_by_field_name("name")
                if left is not None and left.id != child.id:
                    _named(module, module.tree.source(left), found, seen, depth)
                return
            case "return_statement":
                function = module.function_of(parent)
                name = function.child_by_field_name("name") if function is not None else None
                if name is not None:
                    _results(module, module.tree.source(name), found, seen, depth)
                return
            case "decorator":
                holder = parent.parent
                definition = holder.child_by_field_name("definition") if holder is not None else None
                name = definition.child_by_field_name("name") if definition is not None else None
                if name is not None:
                    _named(module, module.tree.source(name), found, seen, depth)
                return
            case _ if parent.type not in _PLAIN:
                return
            case _:
                child, parent = parent, parent.parent


def _named(module: Module, name: str, found: Uses, seen: set[str], depth: int) -> None:
    """The uses of everything that is called so."""
    if name in seen:
        return
    seen.add(name)
    for node in _places(module, name):
        _follow(module, node, found, seen, depth - 1)


def _results(module: Module, function: str, found: Uses, seen: set[str], depth: int) -> None:
    """The uses of what a function of the file gives back."""
    if f"{function}()" in seen:
        return
    seen.add(f"{function}()")
    for node in _places(module, function):
        callee = node
        if callee.parent is not None and callee.parent.type == "attribute":
            callee = callee.parent
        call = callee.parent
        if call is not None and call.type == "call" and call.child_by_field_name("function") == callee:
            _follow(module, call, found, seen, depth - 1)


def _places(module: Module, name: str) -> Iterator[Node]:
    """Where a name, plain or dotted, stands as an expression."""
    last = name.rpartition(".")[2]
    if not re.fullmatch(r"\w+", last):
        return
    wanted = ("attribute",) if "." in name else ("identifier",)
    for node in walk(module.tree.root, *wanted):
        if wanted[0] == "identifier":
            if module.tree.source(node) == name:
                yield node
        else:
            attribute = node.child_by_field_name("attribute")
            if attribute is not None and module.tree.source(attribute) == last:
                yield node
