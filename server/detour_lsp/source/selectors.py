"""The selectors of `detect`: what a record calls a known-bad pattern, found among a file's sites.

A selector matches only what is certain. What a version check guards, what is put back in the same function, and what a
test does for its own duration is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tree_sitter import Node

from detour_lsp.source import context
from detour_lsp.source.after import comes_too_late
from detour_lsp.source.arguments import arguments_match
from detour_lsp.source.bound_names import imported_from
from detour_lsp.source.calls import Call
from detour_lsp.source.constants import Known
from detour_lsp.source.names import Module
from detour_lsp.source.parsing import walk
from detour_lsp.source.paths import in_own_library
from detour_lsp.source.predicates import accepts
from detour_lsp.source.sites import Sites, find_sites
from detour_lsp.source.spellings import names_of, same_name
from detour_lsp.source.writes import ANY_VARIABLE, ENVIRONMENT, Write

Clause = Mapping[str, Any]
_SWITCH = re.compile(r"(?:set|use|enable|disable|allow)_")
HEADS = ("set", "call", "decorator", "use", "env", "class")


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a selector describes: `node` is what is marked, `call` the call when it is one."""

    node: Node
    call: Call | None = None


def head_of(selector: Clause) -> str:
    """Which of the six kinds a selector is; empty for none."""
    return next((head for head in HEADS if head in selector), "")


def words_of(selector: Clause) -> tuple[str, ...]:
    """The words one of which must stand in a file for the selector to match there (before renaming)."""
    names = names_of(selector.get(head_of(selector)))
    if head_of(selector) == "env":
        return tuple("environ" if name == "*" else name for name in names) + (("putenv",) if "*" in names else ())
    words: list[str] = []
    for name in names:
        last = name.rpartition(".")[2]
        # A pattern has no word of its own; its keywords must stand in every call that it means.
        words.extend(
            [last] if "*" not in last else [word for word in selector.get("keyword", {}) if word.isidentifier()]
        )
    return tuple(dict.fromkeys(words))


def find(module: Module, selector: Clause) -> list[Match]:
    """Every place in the file that the selector describes, guards and tests included (what edits look for)."""
    return list(matches(module, find_sites(module, words_of(selector)), selector, guards=False))


def matches(module: Module, sites: Sites, selector: Clause, *, guards: bool = True) -> Iterator[Match]:
    """The places among the sites; with `guards` only those that are really bad."""
    match head_of(selector):
        case "set" | "env":
            found = _writes(module, sites, selector, guards=guards)
        case "call":
            found = _calls(module, sites, selector, guards=guards)
        case "decorator":
            found = _decorators(module, sites, selector)
        case "use":
            found = _uses(module, sites, selector)
        case "class":
            found = _classes(module, sites, selector)
        case _:
            return
    existence = guards and not ({"value", "keyword", "position"} & selector.keys())
    if existence and in_own_library(module.path, names_of(selector.get(head_of(selector)))):
        return
    for item in found:
        if not _in_context(module, item.node, selector):
            continue
        if existence and context.guarded(module, item.node):
            continue
        yield item


def _in_context(module: Module, node: Node, selector: Clause) -> bool:
    wanted, unwanted = names_of(selector.get("inside", ())), names_of(selector.get("outside", ()))
    if wanted and not any(context.inside(module, node, name) for name in wanted):
        return False
    if any(context.inside(module, node, name) for name in unwanted):
        return False
    statement = selector.get("statement")
    if statement is not None and re.search(str(statement), module.tree.source(module.statement_of(node))) is None:
        return False
    base = selector.get("inside_class")
    if base is None:
        return True
    holder = module.class_of(node)
    return holder is not None and any(same_name(name, own) for name in names_of(base) for own in module.bases(holder))


# -- settings and environment variables ---------------------------------------------------------------------------


def _writes(module: Module, sites: Sites, selector: Clause, *, guards: bool) -> Iterator[Match]:
    env = "env" in selector
    names = [ENVIRONMENT + name if env else name for name in names_of(selector["env" if env else "set"])]
    anything = env and f"{ENVIRONMENT}*" in names
    predicate = selector.get("value")
    for write in sites.writes:
        hit = write.name.startswith(ENVIRONMENT) if anything else any(same_name(write.name, name) for name in names)
        if hit and module.text[module.tree.start(write.node)] == "%" and not module.path.endswith(".ipynb"):
            # A magic in a script is no Python, and nothing runs it.
            continue
        if not hit or write.removed or (write.name == ANY_VARIABLE and not anything):
            continue
        if predicate is not None and not _has_value(module, write, cast("Clause", predicate)):
            continue
        if not comes_too_late(module, write.node, selector):
            continue
        if guards and _passing(module, sites, write, predicate):
            continue
        yield Match(write.node)


def _has_value(module: Module, write: Write, predicate: Clause) -> bool:
    return write.value is not None and accepts(module, predicate, write.value)


def _passing(module: Module, sites: Sites, write: Write, predicate: object) -> bool:
    """Whether the setting holds only for a while: in a test's own scope, or put back in the same function."""
    if write.scoped:
        return write.name.startswith(ENVIRONMENT) or context.is_test(module, write.node)
    function = module.function_of(write.node)
    if write.name.startswith(ENVIRONMENT) and context.environment_comes_back(module, write.node, function):
        return True
    for other in sites.writes:
        if other is write or not same_name(other.name, write.name) or other.scoped:
            continue
        if other.node.start_byte <= write.node.start_byte or context.exclusive(module, write.node, other.node):
            continue
        theirs = module.function_of(other.node)
        if context.is_undoing(module, function, theirs) and (other.removed or _gives_back(module, other, predicate)):
            # `__enter__` and `__exit__`, `setUp` and `tearDown`.
            return True
        if (theirs.id if theirs is not None else None) != (function.id if function is not None else None):
            continue
        kept = other.value is not None and not isinstance(module.value(other.value), Known)
        if function is None and not (kept or other.removed):
            # Settings one below the other in a script are no experiment: each counts.
            continue
        if other.removed or _gives_back(module, other, predicate):
            return True
    return False


def _gives_back(module: Module, write: Write, predicate: object) -> bool:
    """Whether a later write ends what an earlier one did: with a value that was kept, or one that is not bad."""
    if write.value is None:
        return True
    if isinstance(module.value(write.value), Known):
        return predicate is None or not accepts(module, cast("Clause", predicate), write.value)
    name = write.value
    return name.type != "identifier" or module.bound(module.tree.source(name), name)


# -- calls and decorators -----------------------------------------------------------------------------------------


def _calls(module: Module, sites: Sites, selector: Clause, *, guards: bool) -> Iterator[Match]:
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
        if other.node.start_byte <= call.node.start_byte or other.name != call.name or not _is_switch(module, other):
            continue
        theirs = module.function_of(other.node)
        if (theirs.id if theirs is not None else None) != (function.id if function is not None else None):
            continue
        if not arguments_match(module, other, selector) and not context.exclusive(module, call.node, other.node):
            return True
    return False


def _is_switch(module: Module, call: Call) -> bool:
    """Whether a call stands alone and passes nothing but True or False to what its name calls a switch."""
    if call.name is None or _SWITCH.match(call.name.rpartition(".")[2]) is None:
        return False
    passed = [*call.arguments, *(keyword.value for keyword in call.keywords.values())]
    if len(passed) != 1 or call.node.parent is None:
        return False
    if call.node.parent.type != "expression_statement":
        return False
    value = module.value(passed[0])
    return isinstance(value, Known) and isinstance(value.value, bool)


def _decorators(module: Module, sites: Sites, selector: Clause) -> Iterator[Match]:
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


# -- names and classes --------------------------------------------------------------------------------------------


def _uses(module: Module, sites: Sites, selector: Clause) -> Iterator[Match]:
    names = names_of(selector["use"])
    for node in sites.references:
        if _only_mentioned(node):
            continue
        for name in _referred(module, node):
            if any(same_name(name, wanted) for wanted in names):
                yield Match(node)
                break


def _only_mentioned(node: Node) -> bool:
    """Whether a name is looked at and not used: compared, listed in a table, or written as a type."""
    child, parent = node, node.parent
    while parent is not None and parent.type in {"parenthesized_expression", "union_type", "generic_type", "tuple"}:
        child, parent = parent, parent.parent
    if parent is None:
        return False
    match parent.type:
        case "comparison_operator" | "type" | "list" | "set" | "case_pattern":
            return True
        case "pair":
            key = parent.child_by_field_name("key")
            return key is not None and key.id == child.id
        case "argument_list":
            function = parent.parent.child_by_field_name("function") if parent.parent is not None else None
            return function is not None and function.text in {b"isinstance", b"issubclass", b"hasattr"}
        case _:
            return False


def _referred(module: Module, node: Node) -> Iterator[str]:
    statement = import_around(node)
    if statement is None:
        if node.type == "identifier" and module.held(node) is not None:
            # A name of the file's own: what it was given is named there.
            return
        name = module.resolve(node)
        if name is not None and not _is_target(node):
            yield name
        return
    path = "".join(module.tree.source(node.parent or node).split())
    if statement.type == "import_statement":
        yield path
        return
    own = module.tree.source(node)
    for _, qualified in imported_from(module.tree, statement):
        if qualified.rpartition(".")[2] == own and path == own:
            yield qualified
            return


def import_around(node: Node) -> Node | None:
    """The import statement that a name stands in."""
    current: Node | None = node
    while current is not None and current.type in {"identifier", "dotted_name", "aliased_import", "relative_import"}:
        current = current.parent
    if current is not None and current.type in {"import_statement", "import_from_statement"}:
        return current
    return None


def _is_target(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in {"pattern_list", "tuple_pattern", "list_pattern"}:
        node, parent = parent, parent.parent
    if parent is None or parent.type not in {"assignment", "augmented_assignment", "for_statement"}:
        return False
    left = parent.child_by_field_name("left")
    return left is not None and left.id == node.id


def _classes(module: Module, sites: Sites, selector: Clause) -> Iterator[Match]:
    names = names_of(selector["class"])
    if module.path.endswith(".pyi"):
        # A stub has no bodies.
        return
    for holder in sites.classes:
        if not any(same_name(base, name) for base in module.bases(holder) for name in names):
            continue
        call, where = selector.get("missing_call"), selector.get("in")
        if call is None and where is None:
            name = holder.child_by_field_name("name")
            yield Match(name or holder)
            continue
        method = module.method(holder, str(where or "__init__"))
        if method is None:
            continue
        name = method.child_by_field_name("name")
        if call is not None and _is_never_run(module, method):
            continue
        if call is None or not _calls_parent(module, method, str(call)):
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


def _calls_parent(module: Module, method: Node, call: str) -> bool:
    """Whether a method calls `super().__init__` or an equivalent: `super(A, self).__init__`, `Base.__init__(self)`."""
    last = call.rpartition(".")[2]
    for node in walk(method, "call"):
        function = node.child_by_field_name("function")
        if function is None:
            continue
        if module.tree.source(function) == call:
            return True
        attribute = function.child_by_field_name("attribute") if function.type == "attribute" else None
        if attribute is not None and module.tree.source(attribute) == last and call.startswith("super()"):
            return True
    return False
