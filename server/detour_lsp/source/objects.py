"""The objects and classes of a file: which call made an object, and what a class holds and derives from."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tree_sitter import Node

from detour_lsp.source.bound_names import assigned, paired
from detour_lsp.source.calls import Call, read_call
from detour_lsp.source.parsing import SourceTree, walk

if TYPE_CHECKING:
    from detour_lsp.source.names import Module

_DEPTH = 24
_FIELDS_DECORATOR = re.compile(r"dataclass|attrs?\b|define\b|frozen\b|config")
_FIELDS_BASES = frozenset({"BaseModel", "BaseSettings", "NamedTuple", "Struct"})
SELF = frozenset({"self", "cls"})
#: Methods that hand their receiver back, so that the object's origin is still known.
FLUENT = frozenset({"to", "cuda", "cpu", "eval", "train", "half", "float", "double", "bfloat16", "requires_grad_"})


def origin_of(module: Module, node: Node) -> Call | None:
    """The call that made the object in an expression (`self.fc` -> `nn.Linear(...)`), if it is one."""
    current: Node | None = node
    for _ in range(_DEPTH):
        if current is None:
            return None
        match current.type:
            case "parenthesized_expression":
                current = next(iter(current.named_children), None)
            case "identifier":
                current = module.held(current)
            case "attribute":
                current = attribute_value(module, current)
            case "call":
                call = read_call(module, current)
                if call is None or call.method not in FLUENT or call.name is not None or call.receiver is None:
                    return call
                current = call.receiver
            case _:
                return None
    return None


def attribute_value(module: Module, node: Node) -> Node | None:
    """The only value that an attribute is given in its class: `self.name`, or `Names.name` of a namespace."""
    owner, attribute = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if owner is None or attribute is None:
        return None
    holder = module.class_of(node) if module.tree.source(owner) in SELF else definition_of(module, owner)
    if holder is None or holder.type != "class_definition":
        return None
    values = _attributes(module, holder).get(module.tree.source(attribute), ())
    return values[0] if len(values) == 1 else None


def attribute_constant(module: Module, node: Node) -> Node | None:
    """What `self.limit`, `Settings.limit` or `settings.limit` holds, where the file gives it one value and no other.

    A field of a dataclass is what its constructor is given, so it is known only of an object made in sight.
    """
    owner, attribute = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if owner is None or attribute is None or owner.type != "identifier":
        return None
    name = module.tree.source(attribute)
    if len(_set_anywhere(name).findall(module.text)) > 1:
        return None
    value = attribute_value(module, node)
    if value is not None:
        ours = module.tree.source(owner) in SELF
        holder = module.class_of(node) if ours else None
        return None if holder is not None and _is_dataclass(module, holder) else value
    made = origin_of(module, owner)
    holder = definition_of(module, made.function) if made is not None else None
    if made is None or holder is None or holder.type != "class_definition" or made.double_star:
        return None
    values = _attributes(module, holder).get(name, ())
    if len(values) != 1:
        return None
    if not _is_dataclass(module, holder):
        return values[0]
    given = made.keywords.get(name)
    return given.value if given is not None else values[0] if not (made.arguments or made.star) else None


@lru_cache(maxsize=256)
def _set_anywhere(name: str) -> re.Pattern[str]:
    """Assignments to an attribute of that name, or to a name in a class's body."""
    return re.compile(rf"(?:\.[ \t]*|^[ \t]+){re.escape(name)}[ \t]*(?::[^=\n]*)?[-+|&*]?=(?!=)", re.MULTILINE)


def _is_dataclass(module: Module, holder: Node) -> bool:
    """Whether a class's fields become the parameters of its constructor."""
    parent = holder.parent
    around = parent.named_children if parent is not None and parent.type == "decorated_definition" else ()
    decorators = (module.tree.source(item) for item in around if item.type == "decorator")
    if any(_FIELDS_DECORATOR.search(text) is not None for text in decorators):
        return True
    return any(name.rpartition(".")[2] in _FIELDS_BASES for name in bases(module, holder))


def _attributes(module: Module, holder: Node) -> dict[str, list[Node | None]]:
    """What a class gives to its attributes, by `self.name =` and in its body; None for what is not known."""
    known = module.class_attributes.get(holder.id)
    if known is not None:
        return known
    found: dict[str, list[Node | None]] = {}
    body = holder.child_by_field_name("body")
    for node in walk(holder, "assignment", "augmented_assignment"):
        left, right = node.child_by_field_name("left"), assigned(node)
        if left is None:
            continue
        augmented = node.type == "augmented_assignment" or right is None
        pairs = [(left, None)] if augmented or right is None else list(paired(left, right))
        for target, value in pairs:
            name = target.child_by_field_name("attribute") if target.type == "attribute" else None
            owner = target.child_by_field_name("object") if target.type == "attribute" else None
            if name is not None and owner is not None and module.tree.source(owner) in SELF:
                found.setdefault(module.tree.source(name), []).append(value)
            elif target.type == "identifier" and node.parent is not None and node.parent.parent == body:
                found.setdefault(module.tree.source(target), []).append(value)
    module.class_attributes[holder.id] = found
    return found


def definition_of(module: Module, node: Node, depth: int = _DEPTH) -> Node | None:
    """The `def` or `class` in this file that a name (or `self.method`) refers to."""
    if depth <= 0:
        return None
    if node.type == "identifier":
        found = module.scopes.find(module.tree.source(node), node)
        if found is None or len(found[1]) != 1:
            return None
        binding = found[1][0]
        if binding.kind in {"function", "class"}:
            return binding.value
        if binding.kind == "value" and binding.value is not None and binding.value.type == "identifier":
            return definition_of(module, binding.value, depth - 1)
        return None
    if node.type != "attribute":
        return None
    owner, attribute = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if owner is None or attribute is None:
        return None
    holder = module.class_of(node) if module.tree.source(owner) in SELF else definition_of(module, owner, depth - 1)
    if holder is None or holder.type != "class_definition":
        return None
    return method_of(module.tree, holder, module.tree.source(attribute))


def bases(module: Module, holder: Node) -> tuple[str, ...]:
    """Qualified names of a class's bases, through classes of this file."""
    names: list[str] = []
    seen: set[int] = set()
    stack = [holder]
    while stack:
        current = stack.pop()
        if current.id in seen:
            continue
        seen.add(current.id)
        superclasses = current.child_by_field_name("superclasses")
        for base in superclasses.named_children if superclasses is not None else ():
            if base.type in {"keyword_argument", "comment"}:
                continue
            target = base.child_by_field_name("value") if base.type == "subscript" else base
            if target is None:
                continue
            names.extend(module.resolve_all(target))
            local = definition_of(module, target)
            if local is not None and local.type == "class_definition":
                stack.append(local)
    return tuple(dict.fromkeys(names))


def method_of(tree: SourceTree, holder: Node, name: str) -> Node | None:
    """The `def name` in a class's body."""
    body = holder.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        definition = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if definition is not None and definition.type == "function_definition":
            own = definition.child_by_field_name("name")
            if own is not None and tree.source(own) == name:
                return definition
    return None
