"""What the names of one Python file mean: which library function a call reaches, which value an expression has.

`Module` is what selectors and repairs ask; it never guesses: what cannot be known resolves to None or UNKNOWN.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cached_property
from typing import cast

from tree_sitter import Node

from detour_lsp.source.bound_names import paired
from detour_lsp.source.calls import Call, Keyword, dictionary, read_call, read_decorator
from detour_lsp.source.constants import UNKNOWN, Known, Unknown, evaluate
from detour_lsp.source.parsing import SourceTree, walk
from detour_lsp.source.scopes import Binding, Scopes
from detour_lsp.source.surroundings import Surroundings

__all__ = ["UNKNOWN", "Call", "Keyword", "Known", "Module", "Unknown"]

_DEPTH = 24
#: The names that an expression may stand for: usually, and where the usual way failed (`except ImportError`).
_Names = tuple[tuple[str, ...], tuple[str, ...]]
#: Names that mean themselves where nothing binds them.
_UNBOUND = frozenset(dir(builtins)) | {
    "torch", "torchvision", "torchaudio", "accelerate", "transformers", "diffusers", "lightning", "pytorch_lightning",
    "timm", "deepspeed", "numpy", "os", "sys", "math", "functools", "importlib",
}  # fmt: skip
_NO_NAMES: _Names = ((), ())
#: Methods that hand their receiver back, so that the object's origin is still known.
_FLUENT = frozenset({"to", "cuda", "cpu", "eval", "train", "half", "float", "double", "bfloat16", "requires_grad_"})


class Module(Surroundings):
    """One Python file (or the cells of a notebook run together)."""

    def __init__(self, text: str, path: str, tree: SourceTree | None = None) -> None:
        super().__init__(tree if tree is not None else SourceTree.parse(text))
        self.text = text
        self.path = path
        self._resolving: set[int] = set()
        self._resolved: dict[int, _Names] = {}
        self._cyclic = False
        self._roots: frozenset[str] | None = None
        self._by_class: dict[int, dict[str, list[Node | None]]] = {}

    @cached_property
    def scopes(self) -> Scopes:
        """The names of each scope."""
        return Scopes(self.tree, self.skeleton)

    # -- calls -----------------------------------------------------------------------------------------------------

    def calls(self) -> Iterator[Call]:
        """Every call and decorator in source order."""
        decorators: set[int] = set()
        for node in walk(self.tree.root, "call", "decorator"):
            if node.type == "decorator":
                call = read_decorator(self, node)
                if call is not None:
                    decorators.add(call.node.id)
                    yield call
            elif node.id not in decorators:
                call = read_call(self, node)
                if call is not None:
                    yield call

    def call(self, node: Node) -> Call | None:
        """The `Call` of a `call` node or of the expression of a decorator."""
        parent = node.parent
        if parent is not None and parent.type == "decorator":
            return read_decorator(self, parent)
        return read_call(self, node)

    def decorator(self, node: Node) -> Call | None:
        """The `Call` of a `decorator` node."""
        return read_decorator(self, node)

    def literal_keywords(self, node: Node) -> dict[str, Keyword] | None:
        """The keywords that `**node` passes when its content is written out in this file, else None."""
        if node.type == "identifier":
            held = self.held(node)
            return dictionary(self, held) if held is not None else None
        return dictionary(self, node)

    # -- names -----------------------------------------------------------------------------------------------------

    def resolve(self, node: Node) -> str | None:
        """The qualified name that an expression stands for (`torch.cuda.amp.autocast`), or None when it may be several.

        What an `except` clause binds is only the fallback of what the `try` binds.
        """
        usual, fallback = self._names(node)
        if usual:
            return usual[0] if len(usual) == 1 else None
        return fallback[0] if len(fallback) == 1 else None

    def resolve_all(self, node: Node) -> tuple[str, ...]:
        """As `resolve`, with the alternatives of conditional imports, preferred first and fallbacks last."""
        usual, fallback = self._names(node)
        return _unique([*usual, *fallback])

    def _names(self, node: Node) -> _Names:
        known = self._resolved.get(node.id)
        if known is not None:
            return known
        if node.id in self._resolving or len(self._resolving) > 4 * _DEPTH:
            self._cyclic = True
            return _NO_NAMES
        if not self._resolving:
            self._cyclic = False
        self._resolving.add(node.id)
        try:
            found = self._resolve(node)
        finally:
            self._resolving.discard(node.id)
        if not self._cyclic or not self._resolving:
            # Inside a cycle the answer depends on where it was entered, so only finished answers are kept.
            self._resolved[node.id] = found
        return found

    def _resolve(self, node: Node) -> _Names:
        match node.type:
            case "identifier":
                return self._resolve_name(self.tree.source(node), node)
            case "dotted_name" if node.named_child_count == 1:
                return self._resolve_name(self.tree.source(node), node)
            case "attribute":
                return self._resolve_attribute(node)
            case "parenthesized_expression" | "named_expression":
                inner = node.child_by_field_name("value") or next(iter(node.named_children), None)
                return self._names(inner) if inner is not None else _NO_NAMES
            case "conditional_expression":
                parts = [self._names(part) for part in node.named_children if part.type != "comment"]
                if len(parts) != 3:
                    return _NO_NAMES
                return _unique([*parts[0][0], *parts[2][0]]), _unique([*parts[0][1], *parts[2][1]])
            case "call":
                return self._resolve_call(node)
            case "subscript":
                return self._resolve_subscript(node)
            case _:
                return _NO_NAMES

    def _resolve_attribute(self, node: Node) -> _Names:
        # A chain is walked in a loop: it may be thousands of links long in a generated file.
        parts: list[str] = []
        current = node
        while current.type == "attribute":
            attribute, inner = current.child_by_field_name("attribute"), current.child_by_field_name("object")
            if attribute is None or inner is None or len(parts) > _DEPTH:
                return _NO_NAMES
            parts.append(self.tree.source(attribute))
            if inner.type == "identifier" and self.tree.source(inner) in {"self", "cls"}:
                value = self._attribute_value(current)
                if value is not None and value.type in {"attribute", "identifier", "conditional_expression"}:
                    names = self._names(value)
                    return _below(names, ".".join(reversed(parts[:-1]))) if len(parts) > 1 else names
            current = inner
        return _below(self._names(current), ".".join(reversed(parts)))

    def _resolve_call(self, node: Node) -> _Names:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or function.type not in {"identifier", "attribute"}:
            return _NO_NAMES
        parts = [child for child in arguments.named_children if child.type != "comment"]
        match self.resolve(function):
            case "getattr" if len(parts) >= 2:
                name = self.value(parts[1])
                if isinstance(name, Known) and isinstance(name.value, str) and name.value.isidentifier():
                    return _below(self._names(parts[0]), name.value)
            case "importlib.import_module" | "__import__" if parts:
                name = self.value(parts[0])
                if isinstance(name, Known) and isinstance(name.value, str):
                    return (name.value,), ()
            case _:
                pass
        return _NO_NAMES

    def _resolve_subscript(self, node: Node) -> _Names:
        value, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        if value is None or key is None or value.type != "attribute" or self.resolve(value) != "sys.modules":
            return _NO_NAMES
        name = self.value(key)
        return ((name.value,), ()) if isinstance(name, Known) and isinstance(name.value, str) else _NO_NAMES

    def _resolve_name(self, name: str, node: Node) -> _Names:
        found = self.scopes.find(name, node)
        if found is None:
            # Unbound: a builtin, or a module that is imported in another cell, by a star, or in a line not yet typed.
            return ((name,), ()) if name in _UNBOUND else _NO_NAMES
        return self._meanings(found[1])

    def _meanings(self, bindings: list[Binding]) -> _Names:
        usual: list[str] = []
        fallback: list[str] = []
        for binding in bindings:
            names = self._meaning(binding)
            if names is None:
                continue
            if names == _NO_NAMES and not binding.alternative:
                return _NO_NAMES
            (fallback if binding.fallback else usual).extend(names[0])
            fallback.extend(names[1])
        return _unique(usual), _unique(fallback)

    def _meaning(self, binding: Binding) -> _Names | None:
        """The names that a binding gives, none for something unknown, None for a placeholder such as `torch = None`."""
        if binding.kind == "import":
            return (binding.qualified,), ()
        if binding.kind == "value" and binding.value is not None:
            if binding.value.type in {"none", "false"}:
                return None
            return self._names(binding.value)
        return _NO_NAMES

    def held(self, node: Node) -> Node | None:
        """The one expression whose value a plain name holds at its place, itself for anything else."""
        if node.type != "identifier":
            return node
        found = self.scopes.find(self.tree.source(node), node)
        if found is None or len(found[1]) != 1 or found[1][0].kind != "value":
            return None
        return found[1][0].value

    # -- values ----------------------------------------------------------------------------------------------------

    def value(self, node: Node) -> Known | Unknown:
        """The constant value of an expression."""
        return evaluate(node, self.tree.source, self._constant, self.resolve)

    def _constant(self, node: Node) -> Node | None:
        """The right side that a name is bound to, if that is its only binding in the scope that owns it."""
        found = self.scopes.find(self.tree.source(node), node)
        if found is None or len(found[1]) != 1 or found[1][0].kind != "value":
            return None
        scope, (binding,) = found[0], found[1]
        if scope is not self.scopes.scope_of(node) and len(scope.bindings[binding.name]) > 1:
            # Read later from a function: whichever assignment ran last.
            return None
        return binding.value

    def strings(self, node: Node) -> tuple[str, ...] | None:
        """The strings that an expression takes: its constant, or all elements of the literal that a loop runs over."""
        known = self.value(node)
        if isinstance(known, Known):
            return (known.value,) if isinstance(known.value, str) else None
        if node.type != "identifier":
            return None
        found = self.scopes.find(self.tree.source(node), node)
        if found is None or len(found[1]) != 1:
            return None
        target = found[1][0].node
        if target.type not in {"for_statement", "for_in_clause"}:
            return None
        left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
        if left is None or right is None or left.type != "identifier":
            return None
        elements = self.value(right)
        items = elements.value if isinstance(elements, Known) else None
        if not isinstance(items, tuple):
            return None
        items = cast("tuple[object, ...]", items)
        texts = tuple(item for item in items if isinstance(item, str))
        return texts if texts and len(texts) == len(items) else None

    def pairs(self, key: Node, value: Node) -> list[tuple[str, Node]] | None:
        """Key and value of each round of `for key, value in {...}.items()` or over a literal list of pairs."""
        if key.type != "identifier" or value.type != "identifier":
            return None
        found = [self.scopes.find(self.tree.source(node), node) for node in (key, value)]
        bindings = [item[1] for item in found if item is not None and len(item[1]) == 1]
        if len(bindings) != 2 or bindings[0][0].node.id != bindings[1][0].node.id:
            return None
        loop = bindings[0][0].node
        left, right = loop.child_by_field_name("left"), loop.child_by_field_name("right")
        if loop.type not in {"for_statement", "for_in_clause"} or left is None or right is None:
            return None
        names = [self.tree.source(child) for child in left.named_children]
        if names != [self.tree.source(key), self.tree.source(value)]:
            return None
        return self._literal_pairs(right)

    def _literal_pairs(self, node: Node) -> list[tuple[str, Node]] | None:
        call = read_call(self, node) if node.type == "call" else None
        if call is not None and call.method == "items" and call.receiver is not None and not call.arguments:
            entries = self.literal_keywords(call.receiver)
            return None if entries is None else [(entry.name, entry.value) for entry in entries.values()]
        held = self.held(node)
        if held is None or held.type not in {"list", "tuple"}:
            return None
        found: list[tuple[str, Node]] = []
        for child in held.named_children:
            parts = [part for part in child.named_children if part.type != "comment"]
            name = self.value(parts[0]) if child.type in {"tuple", "list"} and len(parts) == 2 else UNKNOWN
            if not isinstance(name, Known) or not isinstance(name.value, str):
                return None
            found.append((name.value, parts[1]))
        return found

    # -- objects ---------------------------------------------------------------------------------------------------

    def origin(self, node: Node) -> Call | None:
        """The call that made the object in an expression (`self.fc` -> `nn.Linear(...)`), if it is one."""
        current: Node | None = node
        for _ in range(_DEPTH):
            if current is None:
                return None
            match current.type:
                case "parenthesized_expression":
                    current = next(iter(current.named_children), None)
                case "identifier":
                    current = self.held(current)
                case "attribute":
                    current = self._attribute_value(current)
                case "call":
                    call = read_call(self, current)
                    if call is None or call.method not in _FLUENT or call.name is not None or call.receiver is None:
                        return call
                    current = call.receiver
                case _:
                    return None
        return None

    def _attribute_value(self, node: Node) -> Node | None:
        """The only value that `self.name` is given in the class around the node."""
        owner, attribute = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        holder = self.class_of(node)
        if owner is None or attribute is None or holder is None or self.tree.source(owner) not in {"self", "cls"}:
            return None
        values = self._attributes(holder).get(self.tree.source(attribute), ())
        return values[0] if len(values) == 1 else None

    def _attributes(self, holder: Node) -> dict[str, list[Node | None]]:
        """What a class gives to its attributes, by `self.name =` and in its body; None for what is not known."""
        known = self._by_class.get(holder.id)
        if known is not None:
            return known
        found: dict[str, list[Node | None]] = {}
        body = holder.child_by_field_name("body")
        for node in walk(holder, "assignment", "augmented_assignment"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            while right is not None and right.type == "assignment":
                right = right.child_by_field_name("right")
            if left is None:
                continue
            augmented = node.type == "augmented_assignment" or right is None
            pairs = [(left, None)] if augmented or right is None else list(paired(left, right))
            for target, value in pairs:
                name = target.child_by_field_name("attribute") if target.type == "attribute" else None
                owner = target.child_by_field_name("object") if target.type == "attribute" else None
                if name is not None and owner is not None and self.tree.source(owner) in {"self", "cls"}:
                    found.setdefault(self.tree.source(name), []).append(value)
                elif target.type == "identifier" and node.parent is not None and node.parent.parent == body:
                    found.setdefault(self.tree.source(target), []).append(value)
        self._by_class[holder.id] = found
        return found

    def definition(self, node: Node) -> Node | None:
        """The `def` or `class` in this file that a name (or `self.method`) refers to."""
        if node.type == "identifier":
            found = self.scopes.find(self.tree.source(node), node)
            if found is None or len(found[1]) != 1:
                return None
            binding = found[1][0]
            if binding.kind in {"function", "class"}:
                return binding.value
            if binding.kind == "value" and binding.value is not None and binding.value.type == "identifier":
                return self.definition(binding.value) if binding.value.id != node.id else None
            return None
        if node.type != "attribute":
            return None
        owner, attribute = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        if owner is None or attribute is None:
            return None
        holder = self.class_of(node) if self.tree.source(owner) in {"self", "cls"} else self.definition(owner)
        if holder is None or holder.type != "class_definition":
            return None
        return method_of(self.tree, holder, self.tree.source(attribute))

    def bases(self, definition: Node) -> tuple[str, ...]:
        """Qualified names of a class's bases, through classes of this file."""
        names: list[str] = []
        seen: set[int] = set()
        stack = [definition]
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
                names.extend(self.resolve_all(target))
                local = self.definition(target)
                if local is not None and local.type == "class_definition":
                    stack.append(local)
        return _unique(names)

    # -- imports ---------------------------------------------------------------------------------------------------

    def imports(self) -> tuple[Node, ...]:
        """The import statements outside functions and classes, in order (also inside `try` and `if`)."""
        return tuple(
            entry.node
            for entry in self.skeleton.entries
            if entry.type in {"import_statement", "import_from_statement", "future_import_statement"}
            and not any(
                around.type in {"function_definition", "class_definition"} for around in self.skeleton.ancestors(entry)
            )
        )

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        """Whether one of the packages, or something below it, is imported anywhere in the file."""
        if self._roots is None:
            self._roots = frozenset(name.partition(".")[0] for name in self.scopes.imported()).union(
                self.tree.imports_elsewhere()
            )
        return not self._roots.isdisjoint(packages)

    def method(self, holder: Node, name: str) -> Node | None:
        """The `def` of that name in a class's own body."""
        return method_of(self.tree, holder, name)

    def visible(self, name: str, node: Node) -> str | None:
        """The qualified name that the plain name `name` has at the node's place; None if it is something else there.

        A builtin or a well-known package that nothing binds is itself: `visible("torch", node) == "torch"` also
        without an import; `bound` tells the difference.
        """
        usual, fallback = self._resolve_name(name, node)
        return next(iter((*usual, *fallback)), None)

    def bound(self, name: str, node: Node) -> bool:
        """Whether anything in this file binds `name` as seen from the node."""
        return self.scopes.find(name, node) is not None

    def spelling(self, qualified: str, node: Node) -> str | None:
        """How `qualified` can be written at the node's place with the imports that are there (`nn.Linear`), or None."""
        best: str | None = None
        for name in self._importable(node):
            meaning = self.visible(name, node)
            if meaning is None or not (qualified == meaning or qualified.startswith(f"{meaning}.")):
                continue
            spelled = name + qualified[len(meaning) :]
            if best is None or spelled.count(".") < best.count("."):
                best = spelled
        return best

    def _importable(self, node: Node) -> Iterator[str]:
        scope = self.scopes.scope_of(node)
        while True:
            for name, bindings in scope.bindings.items():
                if any(binding.kind == "import" for binding in bindings):
                    yield name
            if scope.parent is None:
                return
            scope = scope.parent


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


def _below(names: _Names, rest: str) -> _Names:
    return tuple(f"{name}.{rest}" for name in names[0]), tuple(f"{name}.{rest}" for name in names[1])


def _unique(names: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
