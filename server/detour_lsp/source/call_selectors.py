"""The selectors `call` and `decorator`: a function that is called as a record describes, and stays as it was set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source import context
from detour_lsp.source.arguments import arguments_match
from detour_lsp.source.calls import Call
from detour_lsp.source.constants import Known
from detour_lsp.source.match import Match
from detour_lsp.source.names import Module
from detour_lsp.source.sites import Sites
from detour_lsp.source.spellings import names_of, same_name

#: What a function is called that switches something for the whole process.
_SWITCH = re.compile(r"(?:set|use|enable|disable|allow)_")


def find_calls(module: Module, sites: Sites, selector: Clause, *, guards: bool) -> Iterator[Match]:
    names = names_of(selector["call"])
    for call in sites.calls:
        if not _is_called(module, call, names) or not arguments_match(module, call, selector):
            continue
        if "within" in selector and not _within(module, call, str(selector["within"])):
            continue
        if guards and _undone(module, sites, call, selector):
            continue
        yield Match(call.node, call)


def _within(module: Module, call: Call, pattern: str) -> bool:
    """Whether the expression around a call, with `@` in its place, is as a pattern says: `@ - 1`."""
    inner, outer = call.node, call.node.parent
    while outer is not None and outer.type == "parenthesized_expression":
        inner, outer = outer, outer.parent
    if outer is None:
        return False
    start, end = (
        module.tree.start(inner) - module.tree.start(outer),
        module.tree.end(inner) - module.tree.start(outer),
    )
    text = module.tree.source(outer)
    return re.fullmatch(pattern, f"{text[:start]}@{text[end:]}") is not None


def _is_called(module: Module, call: Call, names: tuple[str, ...]) -> bool:
    for name in names:
        if name.startswith("."):
            # A method of any object; a function of a module is no method.
            if call.method == name[1:] and call.name is None and call.receiver is not None and _uses_torch(module):
                return True
        elif call.name is not None and same_name(call.name, name):
            return True
    return False


def _uses_torch(module: Module) -> bool:
    """Whether the file imports torch or something built on it; a method name alone says little."""
    return module.imports_any(("torch", "lightning", "pytorch_lightning", "accelerate", "transformers", "timm"))


def _undone(module: Module, sites: Sites, call: Call, selector: Clause) -> bool:
    """Whether a switch that is thrown by a call (`set_detect_anomaly(True)`) is thrown back in the same function."""
    if not _is_switch(module, call):
        return False
    function = module.function_of(call.node)
    for other in sites.calls:
        if other.node.start_byte <= call.node.start_byte or other.name != call.name:
            continue
        if not _is_switch(module, other, kept=True):
            continue
        theirs = module.function_of(other.node)
        if (theirs.id if theirs is not None else None) != (function.id if function is not None else None):
            continue
        if not arguments_match(module, other, selector) and not context.exclusive(module, call.node, other.node):
            return True
    return False


def _is_switch(module: Module, call: Call, *, kept: bool = False) -> bool:
    """Whether a call stands alone and passes nothing but True or False to what its name calls a switch.

    With `kept`, a name that holds how it was before will do.
    """
    if call.name is None or _SWITCH.match(call.name.rpartition(".")[2]) is None:
        return False
    passed = [*call.arguments, *(keyword.value for keyword in call.keywords.values())]
    if len(passed) != 1 or call.node.parent is None:
        return False
    if call.node.parent.type != "expression_statement":
        return False
    value = module.value(passed[0])
    if not isinstance(value, Known):
        return kept and passed[0].type in {"identifier", "attribute"}
    return isinstance(value.value, bool)


def find_decorators(module: Module, sites: Sites, selector: Clause) -> Iterator[Match]:
    names, kind = names_of(selector["decorator"]), selector.get("on_kind")
    for call in sites.calls:
        if call.kind != "decorator" or not _is_called(module, call, names):
            continue
        if not arguments_match(module, call, selector):
            continue
        definition = call.definition
        name = definition.child_by_field_name("name") if definition is not None else None
        if definition is None or name is None:
            continue
        on = selector.get("on")
        if on is not None and re.fullmatch(str(on), module.tree.source(name)) is None:
            continue
        if kind is not None and kind != _definition_kind(module, definition):
            continue
        yield Match(call.node, call)


def _definition_kind(module: Module, definition: Node) -> str:
    if definition.type == "class_definition":
        return "class"
    wanted = {"function_definition", "class_definition"}
    around = [entry for entry in module.skeleton.around(definition) if entry.type in wanted]
    return "method" if around and around[0].type == "class_definition" else "function"
