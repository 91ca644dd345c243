"""Which binding a plain name refers to at a place, by Python's scope rules.

Selectors must not fire on a local that happens to be called `torch`, and must see through every honest way to bind a
name. Bindings are collected per scope when first asked for; those that reach a place are chosen by position and by the
branches that the place and the binding stand in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tree_sitter import Node

from detour_lsp.source.bound_names import (
    assigned,
    captures,
    imported_from,
    imported_names,
    paired,
    parameter_names,
    targets,
)
from detour_lsp.source.parsing import SourceTree
from detour_lsp.source.structure import (
    ARMS,
    BINDERS,
    COMPREHENSIONS,
    CONDITIONAL,
    FUNCTIONS,
    LOOPS,
    SCOPES,
    Entry,
    Skeleton,
)

_MEMBERS = (BINDERS - {"global_statement", "nonlocal_statement", "named_expression"}) | {
    "function_definition",
    "class_definition",
    "for_statement",
    "case_clause",
}
Kind = Literal["import", "value", "opaque", "function", "class", "parameter"]


@dataclass(slots=True)
class Binding:
    """One place where a name gets a meaning."""

    name: str
    kind: Kind
    #: The statement or target that binds.
    node: Node
    #: Qualified name for an import; the right side for a value; the definition for a function or class.
    qualified: str = ""
    value: Node | None = None
    #: From here on the name has this meaning (byte offset).
    since: int = 0
    #: The skeleton entries around the binding up to its scope, innermost first.
    around: tuple[Entry, ...] = ()

    @property
    def fallback(self) -> bool:
        """Whether it stands in an `except` clause: what happens where the usual way failed."""
        return any(entry.type == "except_clause" for entry in self.around)

    @property
    def alternative(self) -> bool:
        """Whether it stands in an `else`, `elif` or `except` branch."""
        return any(entry.type in {"else_clause", "elif_clause", "except_clause"} for entry in self.around)


class Scope:
    """A module, class, function, lambda or comprehension; its names are collected when first asked for."""

    def __init__(self, entry: Entry | None, parent: Scope | None, owner: Scopes) -> None:
        self.entry = entry
        self.parent = parent
        self.outer: dict[str, str] = {}
        self._owner = owner
        self._bindings: dict[str, list[Binding]] = {}
        self._filled = False

    @property
    def type(self) -> str:
        """The node type, or `module`."""
        return self.entry.type if self.entry else "module"

    @property
    def bindings(self) -> dict[str, list[Binding]]:
        """Where each of the scope's names gets a meaning."""
        if not self._filled:
            self._filled = True
            self._owner.fill(self)
        return self._bindings

    def add(self, binding: Binding) -> None:
        """Note one more binding."""
        self._bindings.setdefault(binding.name, []).append(binding)


class Scopes:
    """All scopes of a file."""

    def __init__(self, tree: SourceTree, skeleton: Skeleton) -> None:
        self.tree = tree
        self.skeleton = skeleton
        self.module = Scope(None, None, self)
        self._scopes: dict[int, Scope] = {-1: self.module}
        #: Per scope index, where its own names begin to hold: a function's header belongs to the scope around it.
        self._bodies: dict[int, tuple[int, int]] = {}
        self._members: dict[int, list[Entry]] = {}
        self._declaring: list[Scope] = []
        for entry in skeleton.entries:
            kind = entry.type
            if kind == "named_expression":
                # Binds around comprehensions, and around the function in whose header it stands.
                scope = self._scope_of_range(entry.start, entry.end, entry.parent)
                while scope.type in COMPREHENSIONS and scope.parent is not None:
                    scope = scope.parent
                self._members.setdefault(scope.entry.index if scope.entry else -1, []).append(entry)
            elif kind in _MEMBERS:
                self._members.setdefault(entry.scope, []).append(entry)
            if kind in {"global_statement", "nonlocal_statement"}:
                scope = self._scope(entry.scope)
                for child in entry.node.named_children:
                    scope.outer[tree.source(child)] = kind.removesuffix("_statement")
                self._declaring.append(scope)

    def _scope(self, index: int) -> Scope:
        found = self._scopes.get(index)
        if found is None:
            entry = self.skeleton.entries[index]
            parent = self._scope_of_range(entry.start, entry.end, entry.parent)
            found = self._scopes[index] = Scope(entry, parent, self)
        return found

    def fill(self, scope: Scope) -> None:
        """Collect a scope's bindings."""
        index = scope.entry.index if scope.entry is not None else -1
        if scope.entry is not None and scope.entry.type in FUNCTIONS:
            self._parameters(scope)
        for entry in self._members.get(index, ()):
            self._bind(entry, scope)
        if scope is self.module:
            for name, kind, start in self.tree.names_elsewhere():
                scope.add(Binding(name, "class" if kind == "class" else "function", self.tree.root, since=start))
            for declaring in self._declaring:
                # What functions declare global is bound here.
                _ = declaring.bindings

    def scope_of(self, node: Node) -> Scope:
        """The scope whose names an expression at `node` sees first."""
        around = self.skeleton.around(node)
        return self._scope_of_range(node.start_byte, node.end_byte, around[0].index if around else -1)

    def _scope_of_range(self, start: int, end: int, index: int) -> Scope:
        while index >= 0:
            entry = self.skeleton.entries[index]
            if entry.type in SCOPES:
                body = self._bodies.get(index)
                if body is None:
                    body = self._bodies[index] = _body(entry)
                begin, stop = body
                if entry.type in COMPREHENSIONS:
                    # Everything but the first iterable belongs to the comprehension.
                    if not (begin <= start and end <= stop):
                        return self._scope(index)
                elif begin <= start and end <= stop:
                    return self._scope(index)
            index = entry.parent
        return self.module

    def find(self, name: str, node: Node) -> tuple[Scope, list[Binding]] | None:
        """The scope that owns `name` at `node`, and the bindings that may reach the node, latest first."""
        scope = self.scope_of(node)
        here = scope
        position = node.start_byte
        around = self.skeleton.around(node)
        current: Scope | None = scope
        while current is not None:
            target = current.outer.get(name)
            if target == "global":
                current = self.module
            elif target == "nonlocal":
                current = current.parent
                while current is not None and (current.type == "class_definition" or name not in current.bindings):
                    current = current.parent
                if current is None:
                    return None
            bindings = current.bindings.get(name)
            # Class names are seen in the class body alone, not from the functions in it.
            if bindings and (current.type != "class_definition" or current is here):
                flows = _same_flow(here, current)
                if flows:
                    return current, _reaching(bindings, position, around)
                return current, _reaching(bindings, None, [])
            current = current.parent
        return None

    @cached_property
    def starred(self) -> tuple[str, ...]:
        """The modules of `from module import *`."""
        return tuple(
            self.tree.source(home)
            for entry in self.skeleton.entries
            if entry.type == "import_from_statement"
            and any(child.type == "wildcard_import" for child in entry.node.named_children)
            and (home := entry.node.child_by_field_name("module_name")) is not None
        )

    def imported(self) -> Iterator[str]:
        """The qualified names that any import of the file names."""
        for entry in self.skeleton.entries:
            if entry.type == "import_statement":
                yield from (qualified for _, qualified in imported_names(self.tree, entry.node))
            elif entry.type == "import_from_statement":
                yield from (qualified for _, qualified in imported_from(self.tree, entry.node))

    def _add(
        self,
        scope: Scope,
        name: str,
        kind: Kind,
        entry: Entry,
        *,
        qualified: str = "",
        value: Node | None = None,
        since: int | None = None,
    ) -> None:
        if scope.outer.get(name) == "global":
            scope = self.module
        # A `case` binds in its own branch.
        inner: list[Entry] = [entry] if entry.type == "case_clause" else []
        own = scope.entry.index if scope.entry is not None else -1
        for item in self.skeleton.ancestors(entry):
            if item.index == own:
                break
            inner.append(item)
        begin = entry.end if since is None else since
        scope.add(Binding(name, kind, entry.node, qualified, value, begin, tuple(inner)))

    def _bind(self, entry: Entry, scope: Scope) -> None:
        node, source = entry.node, self.tree.source
        match entry.type:
            case "import_statement":
                for name, qualified in imported_names(self.tree, node):
                    self._add(scope, name, "import", entry, qualified=qualified)
            case "import_from_statement":
                for name, qualified in imported_from(self.tree, node):
                    self._add(scope, name, "import", entry, qualified=qualified)
            case "assignment":
                self._assign(entry, scope)
            case "named_expression":
                name = node.child_by_field_name("name")
                if name is not None:
                    self._add(scope, source(name), "value", entry, value=node.child_by_field_name("value"))
            case "function_definition" | "class_definition":
                name = node.child_by_field_name("name")
                if name is not None:
                    kind: Kind = "function" if entry.type == "function_definition" else "class"
                    self._add(scope, source(name), kind, entry, value=node)
            case "case_clause":
                for child in node.named_children:
                    if child.type == "case_pattern":
                        for captured in captures(child):
                            self._add(scope, source(captured), "opaque", entry, since=entry.start)
            case _:
                since = entry.start if entry.type in {"for_statement", "for_in_clause"} else None
                for target in self._opaque_targets(entry):
                    self._add(scope, source(target), "opaque", entry, since=since)

    def _opaque_targets(self, entry: Entry) -> Iterator[Node]:
        """The names that a statement binds to something that the text does not tell."""
        match entry.type:
            case "augmented_assignment" | "for_statement" | "for_in_clause" | "type_alias_statement":
                yield from targets(entry.node.child_by_field_name("left"))
            case "as_pattern":
                yield from targets(entry.node.child_by_field_name("alias"))
            case "delete_statement":
                for child in entry.node.named_children:
                    yield from targets(child)
            case _:
                pass

    def _assign(self, entry: Entry, scope: Scope) -> None:
        node = entry.node
        left, value = node.child_by_field_name("left"), assigned(node)
        if left is None or node.child_by_field_name("right") is None:
            return
        if left.type == "identifier":
            self._add(scope, self.tree.source(left), "value", entry, value=value)
            return
        if value is not None:
            for target, part in paired(left, value):
                if target.type == "identifier":
                    kind: Kind = "value" if part is not None else "opaque"
                    self._add(scope, self.tree.source(target), kind, entry, value=part)

    def _parameters(self, scope: Scope) -> None:
        if scope.entry is not None:
            for name in parameter_names(scope.entry.node.child_by_field_name("parameters")):
                scope.add(Binding(self.tree.source(name), "parameter", name, since=scope.entry.start))


def _same_flow(here: Scope, owner: Scope) -> bool:
    """Whether code in `here` runs where it stands in `owner`: comprehensions do, functions run later."""
    current: Scope | None = here
    while current is not None and current is not owner:
        if current.type in FUNCTIONS:
            return False
        current = current.parent
    return True


def _reaching(bindings: list[Binding], position: int | None, around: list[Entry]) -> list[Binding]:
    """The bindings that may hold at a position (None: at the end of the scope), latest first."""
    inside = {entry.index for entry in around}
    found: list[Binding] = []
    later: list[Binding] = []
    certain: Binding | None = None
    for binding in sorted(bindings, key=lambda item: item.since, reverse=True):
        if position is not None and binding.since > position:
            later.append(binding)
            continue
        if _exclusive(binding, inside, around):
            continue
        found.append(binding)
        if not any(entry.type in CONDITIONAL and entry.index not in inside for entry in binding.around):
            certain = binding
            break
    sure = {entry.index for entry in certain.around} if certain is not None else set[int]()
    for binding in later:
        # What a loop binds further down reaches the place in the next round, unless it is bound anew before.
        loops = [entry.index for entry in binding.around if entry.type in LOOPS and entry.index in inside]
        if any(loop not in sure for loop in loops):
            found.insert(0, binding)
    if not found and all(binding.kind == "import" for binding in bindings):
        return list(bindings)
    return found


def _exclusive(binding: Binding, inside: set[int], around: list[Entry]) -> bool:
    """Whether the binding and the place stand in different branches of one `if`, or in a handler and what it guards."""
    for position, entry in enumerate(binding.around):
        if entry.index in inside:
            if entry.type not in {"if_statement", "try_statement", "match_statement"}:
                return False
            before = binding.around[position - 1] if position else None
            arm = before if before is not None and before.type in ARMS else None
            other = next((item for item in around if item.parent == entry.index and item.type in ARMS), None)
            if arm is other or (arm is not None and other is not None and arm.index == other.index):
                return False
            if entry.type == "try_statement":
                # What a handler binds does not reach what it guards; what is guarded may reach the handler.
                return (
                    arm is not None
                    and arm.type == "except_clause"
                    and (other is None or other.type != "finally_clause")
                )
            return True
    return False


def _body(entry: Entry) -> tuple[int, int]:
    if entry.type in COMPREHENSIONS:
        first = next((child for child in entry.node.named_children if child.type == "for_in_clause"), None)
        right = first.child_by_field_name("right") if first is not None else None
        return (right.start_byte, right.end_byte) if right is not None else (entry.start, entry.start)
    body = entry.node.child_by_field_name("body")
    return (body.start_byte, max(body.end_byte, entry.end)) if body is not None else (entry.end, entry.end)
