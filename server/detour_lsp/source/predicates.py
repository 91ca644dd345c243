"""Whether a value in the code is such as a selector describes (`{"le": 0}`, `{"is": true}`, `{"matches": "^cuda"}`).

Three answers: yes, no, and not to be known. Only a yes makes a finding, and `not` turns no into yes but never the
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import regex
from tree_sitter import Node

from detour_lsp.source.constants import Known
from detour_lsp.source.names import Module
from detour_lsp.source.objects import definition_of, origin_of
from detour_lsp.source.spellings import names_of, same_name

#: Functions whose result is a tensor on which `kind: tensor` relies.
_TENSORS = frozenset(
    f"torch.{name}"
    for name in (
        "tensor", "as_tensor", "from_numpy", "zeros", "ones", "empty", "full", "rand", "randn", "randint", "randperm",
        "arange", "linspace", "eye", "zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like",
        "cat", "stack", "concat", "where", "Tensor", "FloatTensor", "LongTensor",
    )
)  # fmt: skip
#: Calls that hand out what was there before.
_FETCHING = frozenset({"getattr", "next", "operator.attrgetter", "vars"})
_FETCHERS = ("get", "pop", "find", "__getitem__", "children", "modules")
_PATTERN_SECONDS = 0.2


def accepts(module: Module, predicate: Mapping[str, Any], node: Node) -> bool:
    """Whether the value of `node` certainly meets all keys of the predicate."""
    return _holds(module, predicate, node) is True


def _holds(module: Module, predicate: Mapping[str, Any], node: Node) -> bool | None:
    answers = [_key(module, key, wanted, node) for key, wanted in predicate.items()]
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True


def _key(module: Module, key: str, wanted: Any, node: Node) -> bool | None:
    match key:
        case "not":
            inner = _holds(module, cast("Mapping[str, Any]", wanted), node)
            return None if inner is None else not inner
        case "unless":
            return _holds(module, cast("Mapping[str, Any]", wanted), node) is not True
        case "source":
            return re.search(str(wanted), module.tree.source(node)) is not None
        case "kind":
            return _kind(module, str(wanted), node)
        case "call":
            call = origin_of(module, node)
            if call is None or call.name is None:
                return None
            return any(same_name(call.name, name) for name in names_of(wanted))
        case _:
            value = module.value(node)
            return _constant(key, wanted, value.value) if isinstance(value, Known) else None


def _constant(key: str, wanted: Any, value: object) -> bool | None:
    match key:
        case "is":
            return _equal(wanted, value)
        case "in":
            return any(_equal(item, value) for item in cast("Sequence[object]", wanted))
        case "matches":
            if not isinstance(value, str):
                return False
            try:
                return regex.search(str(wanted), value, timeout=_PATTERN_SECONDS) is not None
            except (TimeoutError, regex.error):
                return None
        case "le" | "lt" | "ge" | "gt":
            if not isinstance(value, (int, float)) or not isinstance(wanted, (int, float)):
                return False
            return {"le": value <= wanted, "lt": value < wanted, "ge": value >= wanted, "gt": value > wanted}[key]
        case _:
            return None


def _equal(wanted: object, value: object) -> bool:
    if isinstance(wanted, bool):
        # A switch may be written 1 or 0 as well.
        return type(value) in {bool, int} and value == wanted
    if isinstance(wanted, (int, float)):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == wanted
    return type(value) is type(wanted) and value == wanted


def _kind(module: Module, kind: str, node: Node) -> bool | None:
    match kind:
        case "any":
            return True
        case "constant":
            return isinstance(module.value(node), Known)
        case "lambda":
            held = module.held(node)
            return held is not None and held.type == "lambda"
        case "local_function":
            definition = definition_of(module, node) if node.type == "identifier" else None
            return definition is not None and module.function_of(definition) is not None
        case "tensor":
            call = origin_of(module, node)
            return None if call is None else call.name in _TENSORS
        case "object":
            known = module.value(node)
            if isinstance(known, Known):
                return known.value is not None
            return True if origin_of(module, node) is not None else None
        case "fresh":
            return _fresh(module, node)
        case "string" | "number" | "bool" | "none":
            value = module.value(node)
            if not isinstance(value, Known):
                return None
            if kind == "number":
                return isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
            return type(value.value) is {"string": str, "bool": bool, "none": type(None)}[kind]
        case _:
            return None


def _fresh(module: Module, node: Node) -> bool | None:
    """Whether the object is made anew in each round of the loop around the node."""
    loop = module.loop_of(node)
    if loop is None:
        return False
    held = module.held(node)
    if held is None:
        return None
    while held.type == "parenthesized_expression" and held.named_children:
        held = held.named_children[0]
    if held.type == "call":
        call = module.call(held)
        if call is None or call.name in _FETCHING or (call.method or "").startswith(_FETCHERS):
            return None
    return held.type in {"call", "lambda"} and loop.start_byte <= held.start_byte and held.end_byte <= loop.end_byte
