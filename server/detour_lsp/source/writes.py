"""Every way in which Python code sets a configuration attribute or an environment variable, as one kind of fact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from detour_lsp.source.bound_names import assigned, paired
from detour_lsp.source.calls import Call
from detour_lsp.source.constants import Known
from detour_lsp.source.loop_values import pairs_of, strings_of
from detour_lsp.source.names import Module

#: In front of a variable's name, so that settings and environment variables share one table.
ENVIRONMENT = "$"
#: A variable whose name only running would tell.
ANY_VARIABLE = "$?"
_MOCKS = frozenset({"unittest.mock.patch.object", "mock.patch.object", "mock.mock.patch.object"})
_MOCK_PATCH = frozenset({"unittest.mock.patch", "mock.patch"})
_MOCK_DICT = frozenset({"unittest.mock.patch.dict", "mock.patch.dict"})


@dataclass(frozen=True, slots=True)
class Write:
    """`name` (a qualified attribute, or `$VARIABLE`) receives the value of the node `value` (None: unknown)."""

    name: str
    value: Node | None
    #: What is marked in the editor: the assignment, the keyword argument, the dictionary entry or the call.
    node: Node
    #: Whether the old value comes back by itself: a `patch` as decorator or context manager.
    scoped: bool = False
    #: Whether it is `mock.patch`, which nobody uses but tests.
    mocked: bool = False
    #: Whether this takes the variable away again (`del os.environ["X"]`).
    removed: bool = False
    #: `setdefault` leaves a value that is there.
    default: bool = False


def writes_of(module: Module, node: Node) -> Iterator[Write]:
    """What an `assignment`, `augmented_assignment`, `delete_statement` or `call` node sets."""
    match node.type:
        case "assignment":
            yield from _assigned(module, node)
        case "augmented_assignment":
            yield from _augmented(module, node)
        case "delete_statement":
            for child in node.named_children:
                for name in _item_names(module, child):
                    yield Write(name, None, node, removed=True)
        case "call":
            call = module.call(node)
            if call is not None:
                yield from _called(module, call)
        case _:
            pass


def _assigned(module: Module, node: Node) -> Iterator[Write]:
    left, value = node.child_by_field_name("left"), assigned(node)
    if left is None or value is None:
        return
    for target, part in paired(left, value):
        marked = node if target.id == left.id else target
        for name, given in _target_values(module, target, part):
            yield Write(name, given, marked)


def _augmented(module: Module, node: Node) -> Iterator[Write]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return
    if left.type == "attribute" and module.resolve(left) == "os.environ" and module.tree.source(operator) == "|=":
        yield from _entries(module, right, ENVIRONMENT, node, scoped=False)
        return
    value = module.value(right)
    # These few fix the result whatever the setting was before.
    fixed = isinstance(value, Known) and (
        (module.tree.source(operator), value.value) in {("|=", True), ("&=", False), ("*=", 0)}
    )
    for name in _target_names(module, left):
        yield Write(name, right if fixed else None, node)


def _target_values(module: Module, target: Node, value: Node | None) -> Iterator[tuple[str, Node | None]]:
    """The names that a target stands for, each with its value; in a loop over pairs every key has its own."""
    key = target.child_by_field_name("subscript") if target.type == "subscript" else None
    owner = target.child_by_field_name("value") if key is not None else None
    pairs = pairs_of(module, key, value) if key is not None and value is not None else None
    prefix = _mapping(module, owner) if owner is not None and pairs is not None else None
    if prefix is not None and pairs is not None:
        yield from ((prefix + name, given) for name, given in pairs)
        return
    for name in _target_names(module, target):
        yield name, value


def _target_names(module: Module, target: Node) -> Iterator[str]:
    if target.type == "attribute":
        name = module.resolve(target)
        attribute = target.child_by_field_name("attribute")
        if name is not None:
            yield name
        elif attribute is not None:
            # An attribute of some object: `.requires_grad`.
            yield f".{module.tree.source(attribute)}"
    elif target.type == "subscript":
        yield from _item_names(module, target)


def _item_names(module: Module, node: Node) -> Iterator[str]:
    """The names behind `os.environ["X"]` and `config.__dict__["x"]`."""
    value, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
    if node.type != "subscript" or value is None or key is None:
        return
    prefix = _mapping(module, value)
    if prefix is not None:
        yield from _keyed(module, prefix, key)


def _keyed(module: Module, prefix: str, key: Node) -> Iterator[str]:
    names = strings_of(module, key)
    if names is None:
        if prefix == ENVIRONMENT:
            yield ANY_VARIABLE
        return
    for text in names:
        yield prefix + text


def _mapping(module: Module, node: Node) -> str | None:
    """What the keys of a mapping stand for: `$` for the environment, `torch._dynamo.config.` for its `__dict__`."""
    if node.type == "call":
        call = module.call(node)
        if call is not None and call.name == "vars" and len(call.arguments) == 1:
            owner = module.resolve(call.arguments[0])
            return f"{owner}." if owner is not None else None
        return None
    name = module.resolve(node)
    if name in {"os.environ", "os.environb"}:
        return ENVIRONMENT
    if name is not None and name.endswith(".__dict__"):
        return name.removesuffix("__dict__")
    return None


def _called(module: Module, call: Call) -> Iterator[Write]:
    name, arguments = call.name, call.arguments
    if name is None:
        yield from _mapping_call(module, call)
        return
    match name:
        case "setattr" | "object.__setattr__" | "builtins.setattr" if len(arguments) == 3:
            owner = module.resolve(arguments[0])
            pairs = pairs_of(module, arguments[1], arguments[2])
            if owner is not None and pairs is not None:
                yield from (Write(f"{owner}.{key}", given, call.node) for key, given in pairs)
            else:
                # An attribute of some object: `setattr(p, "requires_grad", False)`.
                for target in _keyed(module, f"{owner or ''}.", arguments[1]):
                    yield Write(target, arguments[2], call.node)
        case "os.putenv" if len(arguments) == 2:
            for target in _keyed(module, ENVIRONMENT, arguments[0]):
                yield Write(target, arguments[1], call.node)
        case "os.unsetenv" if len(arguments) == 1:
            for target in _keyed(module, ENVIRONMENT, arguments[0]):
                yield Write(target, None, call.node, removed=True)
        case _ if name in _MOCKS and len(arguments) >= 3:
            owner = module.resolve(arguments[0])
            if owner is not None:
                for target in _keyed(module, f"{owner}.", arguments[1]):
                    yield Write(target, arguments[2], call.node, scoped=True, mocked=True)
        case _ if name in _MOCK_PATCH and len(arguments) >= 2:
            for target in strings_of(module, arguments[0]) or ():
                yield Write(target, arguments[1], call.node, scoped=True, mocked=True)
        case _ if name in _MOCK_DICT and arguments and _is_environment(module, arguments[0]):
            for entries in arguments[1:2]:
                yield from _entries(module, entries, ENVIRONMENT, call.node, scoped=True)
            for keyword in call.keywords.values():
                yield Write(ENVIRONMENT + keyword.name, keyword.value, keyword.node, scoped=True)
        case _ if name.endswith(".load_config") and len(arguments) == 1:
            yield from _entries(module, arguments[0], name.removesuffix("load_config"), call.node, scoped=False)
        case _ if name.endswith(".patch"):
            yield from _patched(module, call, name.removesuffix("patch"))
        case _ if name.endswith(".__setattr__") and len(arguments) == 2:
            for target in _keyed(module, name.removesuffix("__setattr__"), arguments[0]):
                yield Write(target, arguments[1], call.node)
        case _:
            yield from _mapping_call(module, call)


def _is_environment(module: Module, node: Node) -> bool:
    return module.resolve(node) == "os.environ" or "os.environ" in (strings_of(module, node) or ())


def _mapping_call(module: Module, call: Call) -> Iterator[Write]:
    """`os.environ.update(...)`, `.setdefault(...)`, `.pop(...)`, `.__setitem__(...)`."""
    if call.receiver is None or call.method not in {"update", "setdefault", "pop", "__setitem__"}:
        return
    prefix = _mapping(module, call.receiver)
    if prefix is None:
        return
    match call.method:
        case "update":
            for keyword in call.keywords.values():
                yield Write(prefix + keyword.name, keyword.value, keyword.node)
            for entries in call.arguments[:1]:
                yield from _entries(module, entries, prefix, call.node, scoped=False)
        case "pop":
            for key in call.arguments[:1]:
                for name in _keyed(module, prefix, key):
                    yield Write(name, None, call.node, removed=True)
        case _ if len(call.arguments) == 2:
            for name, given in pairs_of(module, *call.arguments) or ():
                yield Write(prefix + name, given, call.node, default=call.method == "setdefault")
            for name in _keyed(module, prefix, call.arguments[0]):
                yield Write(name, call.arguments[1], call.node, default=call.method == "setdefault")
        case _:
            pass


def _entries(module: Module, node: Node, prefix: str, marked: Node, *, scoped: bool) -> Iterator[Write]:
    found = module.entries(node)
    for keyword in found.known.values() if found is not None else ():
        # An entry of a dictionary that stands elsewhere is marked where it is used.
        inside = marked.start_byte <= keyword.node.start_byte and keyword.node.end_byte <= marked.end_byte
        yield Write(prefix + keyword.name, keyword.value, keyword.node if inside else marked, scoped)


def _patched(module: Module, call: Call, prefix: str) -> Iterator[Write]:
    """The three forms of a config module's `patch`."""
    for keyword in call.keywords.values():
        inside = call.node.start_byte <= keyword.node.start_byte and keyword.node.end_byte <= call.node.end_byte
        yield Write(prefix + keyword.name, keyword.value, keyword.node if inside else call.node, scoped=True)
    if len(call.arguments) == 1:
        yield from _entries(module, call.arguments[0], prefix, call.node, scoped=True)
    elif len(call.arguments) == 2:
        for name in strings_of(module, call.arguments[0]) or ():
            yield Write(prefix + name, call.arguments[1], call.node, scoped=True)


#: The node types that `writes_of` reads.
WRITING = frozenset({"assignment", "augmented_assignment", "delete_statement", "call"})
