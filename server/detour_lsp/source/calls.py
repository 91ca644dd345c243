"""What a call passes: its arguments by position and by name, also through `partial`, decorators and `**{...}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tree_sitter import Node

if TYPE_CHECKING:
    from detour_lsp.source.names import Module

PARTIALS = frozenset({"functools.partial", "functools.partialmethod"})


@dataclass(frozen=True, slots=True)
class Keyword:
    """`name=value` in a call: `node` is the whole keyword argument, `value` its right side.

    For a keyword that came from a `partial` or a `**{"name": ...}` literal, `node` is what stands there.
    """

    name: str
    node: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A call, a decorator, or a `functools.partial(f, ...)` read as a call of `f`."""

    #: The whole call expression (for a bare decorator `@f`: the expression `f`).
    node: Node
    #: What is called: the node of the function expression (`torch.load`), inside the partial for one.
    function: Node
    #: Qualified name of what is called (`torch.load`), or None.
    name: str | None
    #: Last component for a method call on anything (`backward` of `loss.backward()`), else None.
    method: str | None
    #: The object of a method call, else None.
    receiver: Node | None
    keywords: Mapping[str, Keyword]
    arguments: tuple[Node, ...]
    #: Whether `*args` / `**kwargs` of unknown content are passed.
    star: bool
    double_star: bool
    #: `partial` is the partial itself, `applied` a call through something that holds a partial.
    kind: Literal["call", "decorator", "partial", "applied"]
    #: The decorated `function_definition` / `class_definition` for a decorator.
    definition: Node | None = None


@dataclass(frozen=True, slots=True)
class _Passed:
    keywords: dict[str, Keyword]
    arguments: tuple[Node, ...]
    star: bool
    double_star: bool


def read_call(module: Module, node: Node, depth: int = 8) -> Call | None:
    """The `Call` of a `call` node, or None when it is too broken to say."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call" or function is None or arguments is None or depth <= 0:
        return None
    passed = _passed(module, arguments)
    name = module.resolve(function)
    if name in PARTIALS and passed.arguments:
        inner = passed.arguments[0]
        method, receiver = _method(module, inner)
        return Call(
            node,
            inner,
            module.resolve(inner),
            method,
            receiver,
            passed.keywords,
            passed.arguments[1:],
            passed.star,
            passed.double_star,
            "partial",
        )
    method, receiver = _method(module, function)
    call = Call(
        node,
        function,
        name,
        method,
        receiver,
        passed.keywords,
        passed.arguments,
        passed.star,
        passed.double_star,
        "call",
    )
    if name is not None:
        return call
    held = module.held(function)
    before = read_call(module, held, depth - 1) if held is not None and held.type == "call" else None
    if before is None or before.kind != "partial":
        return call
    return replace(
        call,
        name=before.name,
        method=before.method,
        receiver=before.receiver,
        keywords={**before.keywords, **passed.keywords},
        arguments=(*before.arguments, *passed.arguments),
        star=before.star or passed.star,
        double_star=before.double_star or passed.double_star,
        kind="applied",
    )


def read_decorator(module: Module, decorator: Node) -> Call | None:
    """The `Call` of a `decorator` node; a bare one passes nothing."""
    expression = next((child for child in decorator.named_children if child.type != "comment"), None)
    holder = decorator.parent
    definition = holder.child_by_field_name("definition") if holder is not None else None
    if expression is None:
        return None
    if expression.type == "call":
        call = read_call(module, expression)
        return replace(call, kind="decorator", definition=definition) if call is not None else None
    method, receiver = _method(module, expression)
    name = module.resolve(expression)
    return Call(expression, expression, name, method, receiver, {}, (), False, False, "decorator", definition)


def _method(module: Module, function: Node) -> tuple[str | None, Node | None]:
    if function.type != "attribute":
        return None, None
    attribute, receiver = function.child_by_field_name("attribute"), function.child_by_field_name("object")
    if attribute is None or receiver is None:
        return None, None
    return module.tree.source(attribute), receiver


def _passed(module: Module, arguments: Node) -> _Passed:
    if arguments.type != "argument_list":
        return _Passed({}, (arguments,), False, False)
    keywords: dict[str, Keyword] = {}
    positional: list[Node] = []
    star = double_star = False
    for child in arguments.named_children:
        match child.type:
            case "comment":
                continue
            case "keyword_argument":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if name is not None and value is not None:
                    keywords[module.tree.source(name)] = Keyword(module.tree.source(name), child, value)
            case "list_splat":
                star = True
            case "dictionary_splat":
                inner = next(iter(child.named_children), None)
                literal = module.entries(inner) if inner is not None else None
                keywords.update(literal.known if literal is not None else {})
                double_star = double_star or literal is None or not literal.complete
            case _:
                positional.append(child)
    return _Passed(keywords, tuple(positional), star, double_star)
