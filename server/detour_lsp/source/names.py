"""What the names of one Python file mean: which library function a call reaches, which value an expression has.

`Module` is what selectors and repairs ask; it never guesses: what cannot be known resolves to None or UNKNOWN.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from detour_lsp.source.calls import Call, Keyword, read_call, read_decorator
from detour_lsp.source.constants import UNKNOWN, Known, Unknown, evaluate
from detour_lsp.source.dictionaries import Entries, entries_of
from detour_lsp.source.objects import SELF, attribute_constant, attribute_value
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
#: What an attribute may be given that stands for a name.
_NAMING = frozenset({"attribute", "identifier", "conditional_expression", "call"})


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
        #: The dictionaries that `dictionaries` is reading just now.
        self.reading: set[int] = set()
        #: What `objects` has read of classes, by node.
        self.class_attributes: dict[int, dict[str, list[Node | None]]] = {}

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

    def entries(self, node: Node) -> Entries | None:
        """What the dictionary in an expression holds, where the file shows it."""
        return entries_of(self, node)

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
            if inner.type == "identifier":
                # An attribute of the class around, or of a class that serves as a namespace.
                own = self.tree.source(inner) in SELF
                value = attribute_value(self, current) if own or self._names(inner) == _NO_NAMES else None
                if value is not None and value.type in _NAMING:
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
            case "staticmethod" | "classmethod" if len(parts) == 1:
                return self._names(parts[0])
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
            if name in _UNBOUND:
                return (name,), ()
            # With two stars nobody knows whose name it is.
            starred = self.scopes.starred
            known = len(starred) == 1 and starred[0].partition(".")[0] in _UNBOUND
            return ((f"{starred[0]}.{name}",), ()) if known else _NO_NAMES
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
        if node.type == "attribute":
            return attribute_constant(self, node)
        found = self.scopes.find(self.tree.source(node), node)
        if found is None or len(found[1]) != 1 or found[1][0].kind != "value":
            return None
        scope, (binding,) = found[0], found[1]
        if scope is not self.scopes.scope_of(node) and len(scope.bindings[binding.name]) > 1:
            # Read later from a function: whichever assignment ran last.
            return None
        return binding.value

    # -- imports ---------------------------------------------------------------------------------------------------

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        """Whether one of the packages, or something below it, is imported anywhere in the file."""
        if self._roots is None:
            self._roots = frozenset(name.partition(".")[0] for name in self.scopes.imported()).union(
                self.tree.imports_elsewhere()
            )
        return not self._roots.isdisjoint(packages)

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


def _below(names: _Names, rest: str) -> _Names:
    return tuple(f"{name}.{rest}" for name in names[0]), tuple(f"{name}.{rest}" for name in names[1])


def _unique(names: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
