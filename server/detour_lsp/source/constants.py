"""The values of constant expressions: literals, their arithmetic, and names that hold one of them.

A setting is only called bad when its value is certain, so everything that is not plainly constant is UNKNOWN. Sizes are
bounded: `9**9**9` must not hang an editor.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Known:
    """A value that the text fixes: int, float, bool, None, str, bytes, or a tuple of such."""

    value: object


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that only running the program would tell."""


UNKNOWN = Unknown()
_DEPTH = 40
_BITS = 4096
_NAMED = {
    "math.inf": math.inf,
    "math.nan": math.nan,
    "math.pi": math.pi,
    "math.e": math.e,
    "sys.maxsize": sys.maxsize,
    "numpy.inf": math.inf,
    "numpy.nan": math.nan,
    "torch.inf": math.inf,
    "torch.nan": math.nan,
}
_BINARY: dict[str, Callable[[int | float, int | float], object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda one, two: one / two,
    "//": lambda one, two: one // two,
    "%": operator.mod,
}
_CALLS: dict[str, Callable[..., object]] = {"int": int, "float": float, "bool": bool, "str": str, "abs": abs}

#: Gives the right side that a plain name is bound to, and the qualified name of an expression.
NameValue = Callable[[Node], "Node | None"]
Source = Callable[[Node], str]
Inner = Callable[["Node | None"], "Known | Unknown"]
Qualified = Callable[[Node], "str | None"]


def evaluate(
    node: Node, source: Callable[[Node], str], bound: NameValue, qualified: Qualified, depth: int = _DEPTH
) -> Known | Unknown:
    """The value of an expression node."""
    if depth <= 0:
        return UNKNOWN

    def inner(child: Node | None) -> Known | Unknown:
        return UNKNOWN if child is None else evaluate(child, source, bound, qualified, depth - 1)

    match node.type:
        case "integer" | "float":
            return _number(source(node))
        case "true":
            return Known(True)
        case "false":
            return Known(False)
        case "none":
            return Known(None)
        case "string" | "concatenated_string":
            return _string(node, source, inner)
        case "parenthesized_expression":
            return inner(next((child for child in node.named_children if child.type != "comment"), None))
        case "tuple" | "list" | "expression_list":
            parts = [inner(child) for child in node.named_children if child.type != "comment"]
            known = [part.value for part in parts if isinstance(part, Known)]
            return Known(tuple(known)) if len(known) == len(parts) else UNKNOWN
        case "unary_operator":
            operand = inner(node.child_by_field_name("argument"))
            sign = node.child_by_field_name("operator")
            return _unary(source(sign) if sign is not None else "", operand)
        case "not_operator":
            operand = inner(node.child_by_field_name("argument"))
            return Known(not operand.value) if isinstance(operand, Known) else UNKNOWN
        case "binary_operator":
            sign = node.child_by_field_name("operator")
            return _binary(
                source(sign) if sign is not None else "",
                inner(node.child_by_field_name("left")),
                inner(node.child_by_field_name("right")),
            )
        case "conditional_expression":
            parts = [child for child in node.named_children if child.type != "comment"]
            if len(parts) != 3:
                return UNKNOWN
            yes, condition, no = (inner(part) for part in parts)
            if isinstance(condition, Known):
                return yes if condition.value else no
            return yes if yes == no and _same_type(yes, no) else UNKNOWN
        case "named_expression":
            return inner(node.child_by_field_name("value"))
        case "identifier":
            value = bound(node)
            if value is not None:
                return inner(value)
            return _named(qualified(node))
        case "attribute":
            value = bound(node)
            return inner(value) if value is not None else _named(qualified(node))
        case "call":
            return _call(node, inner, qualified)
        case _:
            return UNKNOWN


def _named(name: str | None) -> Known | Unknown:
    return Known(_NAMED[name]) if name in _NAMED else UNKNOWN


def _same_type(left: Known | Unknown, right: Known | Unknown) -> bool:
    return isinstance(left, Known) and isinstance(right, Known) and type(left.value) is type(right.value)


def _number(text: str) -> Known | Unknown:
    if len(text) > 1000:
        return UNKNOWN
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return UNKNOWN
    return Known(value) if isinstance(value, (int, float)) else UNKNOWN


def _string(
    node: Node, source: Callable[[Node], str], inner: Callable[[Node | None], Known | Unknown]
) -> Known | Unknown:
    if node.type == "concatenated_string":
        # The parts of an implicit concatenation may stand on several lines, with comments between.
        parts = [inner(child) for child in node.named_children if child.type != "comment"]
        known = [part.value for part in parts if isinstance(part, Known)]
        texts, data = (
            [part for part in known if isinstance(part, str)],
            [part for part in known if isinstance(part, bytes)],
        )
        if len(texts) == len(parts):
            return Known("".join(texts))
        return Known(b"".join(data)) if len(data) == len(parts) else UNKNOWN
    if any(child.type == "interpolation" for child in node.named_children):
        return _formatted(node, source, inner)
    text = source(node)
    if len(text) > 100_000:
        return UNKNOWN
    try:
        value = ast.literal_eval(f"({text}\n)")
    except (ValueError, SyntaxError, MemoryError):
        return UNKNOWN
    return Known(value) if isinstance(value, (str, bytes)) else UNKNOWN


def _formatted(
    node: Node, source: Callable[[Node], str], inner: Callable[[Node | None], Known | Unknown]
) -> Known | Unknown:
    """An f-string whose fields are plain text and numbers that are known, without any format."""
    found: list[str] = []
    for child in node.named_children:
        if child.type == "string_content" and not child.named_children and "{{" not in source(child):
            found.append(source(child))
        elif child.type == "interpolation" and child.named_child_count == 1 and "=" not in source(child):
            value = inner(child.named_children[0])
            if not isinstance(value, Known) or not isinstance(value.value, (str, int)):
                return UNKNOWN
            found.append(str(value.value))
        elif child.type not in {"string_start", "string_end"}:
            return UNKNOWN
    return Known("".join(found))


def _unary(sign: str, operand: Known | Unknown) -> Known | Unknown:
    if not isinstance(operand, Known) or not isinstance(operand.value, (int, float)):
        return UNKNOWN
    match sign:
        case "-":
            return Known(-operand.value)
        case "+":
            return Known(+operand.value)
        case "~" if isinstance(operand.value, int):
            return Known(-int(operand.value) - 1)
        case _:
            return UNKNOWN


def _binary(sign: str, left: Known | Unknown, right: Known | Unknown) -> Known | Unknown:
    if not isinstance(left, Known) or not isinstance(right, Known):
        return UNKNOWN
    one, two = left.value, right.value
    if sign == "+" and isinstance(one, str) and isinstance(two, str):
        return Known(one + two) if len(one) + len(two) < 100_000 else UNKNOWN
    if not isinstance(one, (int, float)) or not isinstance(two, (int, float)):
        return UNKNOWN
    try:
        if sign in {"**", "<<", ">>", "|", "&", "^"}:
            return _integers(sign, one, two)
        function = _BINARY.get(sign)
        if function is None or not all(_small(part) for part in (one, two)):
            return UNKNOWN
        return Known(function(one, two))
    except (ArithmeticError, ValueError):
        return UNKNOWN


def _small(value: int | float) -> bool:
    return isinstance(value, float) or value.bit_length() <= _BITS


def _integers(sign: str, one: int | float, two: int | float) -> Known | Unknown:
    if sign == "**":
        if isinstance(one, int) and isinstance(two, int):
            if two >= 0 and one.bit_length() * two > _BITS:
                return UNKNOWN
        elif isinstance(one, int) and not _small(one):
            return UNKNOWN
        result = one**two
        return Known(result) if isinstance(result, (int, float)) else UNKNOWN
    if not isinstance(one, int) or not isinstance(two, int):
        return UNKNOWN
    match sign:
        case "<<":
            return Known(one << two) if 0 <= two <= _BITS and _small(one) else UNKNOWN
        case ">>":
            return Known(one >> two) if 0 <= two <= _BITS else UNKNOWN
        case "|":
            return Known(one | two)
        case "&":
            return Known(one & two)
        case _:
            return Known(one ^ two)


def _call(node: Node, inner: Inner, qualified: Qualified) -> Known | Unknown:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.type != "argument_list":
        return UNKNOWN
    parts = [child for child in arguments.named_children if child.type != "comment"]
    joint = function.child_by_field_name("object") if function.type == "attribute" else None
    if joint is not None and joint.type == "string" and function.text is not None and function.text.endswith(b".join"):
        return _joined(inner(joint), inner(parts[0]) if len(parts) == 1 else UNKNOWN)
    name = qualified(function)
    if name not in {*_CALLS, "min", "max"} or not parts:
        return UNKNOWN
    values = [inner(part) for part in parts]
    known = [part.value for part in values if isinstance(part, Known)]
    if len(known) != len(values):
        return UNKNOWN
    try:
        if name in {"min", "max"}:
            numbers = [item for item in known if isinstance(item, (int, float))]
            if len(numbers) != len(known) or len(numbers) < 2:
                return UNKNOWN
            return Known(min(numbers) if name == "min" else max(numbers))
        if len(known) != 1 or (isinstance(known[0], str) and len(known[0]) > 400):
            return UNKNOWN
        return Known(_CALLS[name](known[0]))
    except (ValueError, TypeError, ArithmeticError):
        return UNKNOWN


def _joined(joint: Known | Unknown, parts: Known | Unknown) -> Known | Unknown:
    """What `",".join([...])` gives."""
    items: object = parts.value if isinstance(parts, Known) else None
    if not isinstance(joint, Known) or not isinstance(joint.value, str) or not isinstance(items, tuple):
        return UNKNOWN
    every = cast("tuple[object, ...]", items)
    texts = [item for item in every if isinstance(item, str)]
    return Known(joint.value.join(texts)) if len(texts) == len(every) else UNKNOWN
