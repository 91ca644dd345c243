"""The selector `class`: a class of some kind, and a method of it that forgets to call its parent."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.match import Match
from detour_lsp.source.names import Module
from detour_lsp.source.objects import SELF, bases, method_of
from detour_lsp.source.parsing import walk
from detour_lsp.source.sites import Sites
from detour_lsp.source.spellings import names_of, same_name


def find_classes(module: Module, sites: Sites, selector: Clause) -> Iterator[Match]:
    names = names_of(selector["class"])
    if module.path.endswith(".pyi"):
        # A stub has no bodies.
        return
    for holder in sites.classes:
        if not any(same_name(base, name) for base in bases(module, holder) for name in names):
            continue
        call, where = selector.get("missing_call"), selector.get("in")
        if call is None and where is None:
            name = holder.child_by_field_name("name")
            yield Match(name or holder)
            continue
        method = method_of(module.tree, holder, str(where or "__init__"))
        if method is None:
            continue
        name = method.child_by_field_name("name")
        if call is not None and _is_never_run(module, method):
            continue
        if call is None or not _calls_parent(module, holder, method, str(call)):
            yield Match(name or method)


def _is_never_run(module: Module, method: Node) -> bool:
    """Whether a method only declares or refuses: `@overload`, or nothing but `raise`."""
    holder = method.parent
    if holder is not None and holder.type == "decorated_definition":
        decorators = (module.tree.source(child) for child in holder.named_children if child.type == "decorator")
        if any(text.rstrip().endswith("overload") for text in decorators):
            return True
    body = method.child_by_field_name("body")
    statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    first = next(
        (item for item in statements if not (item.named_children and item.named_children[0].type == "string")), None
    )
    return first is not None and first.type == "raise_statement"


def _calls_parent(module: Module, holder: Node, method: Node, call: str, depth: int = 3) -> bool:
    """Whether a method calls `super().__init__` or an equivalent: `super(A, self).__init__`, `Base.__init__(self)`.

    A method of the class that it calls may do it: `self.setup()`.
    """
    last = call.rpartition(".")[2]
    for node in walk(method, "call"):
        function = node.child_by_field_name("function")
        if function is None:
            continue
        if module.tree.source(function) == call:
            return True
        attribute = function.child_by_field_name("attribute") if function.type == "attribute" else None
        if attribute is None:
            continue
        if module.tree.source(attribute) == last and call.startswith("super()"):
            return True
        owner = function.child_by_field_name("object")
        if depth > 0 and owner is not None and module.tree.source(owner) in SELF:
            other = method_of(module.tree, holder, module.tree.source(attribute))
            if other is not None and other.id != method.id and _calls_parent(module, holder, other, call, depth - 1):
                return True
    return False
