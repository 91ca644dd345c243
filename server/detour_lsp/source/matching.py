"""Which nodes of a file a place's selector reaches: the words of `detect`, asked about the code as it is now."""

from __future__ import annotations

import builtins
import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any, cast

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source import context, selectors
from detour_lsp.source.calls import Call
from detour_lsp.source.draft import Draft
from detour_lsp.source.edits.site import Site, header_end
from detour_lsp.source.names import Module
from detour_lsp.source.objects import bases, definition_of, origin_of
from detour_lsp.source.parsing import walk
from detour_lsp.source.patterns import search
from detour_lsp.source.predicates import accepts
from detour_lsp.source.spellings import names_of, same_name
from detour_lsp.source.writes import ENVIRONMENT, WRITING, writes_of

_BUILTINS = frozenset(dir(builtins))
#: Keywords that tell `model.compile()` of torch from the `compile` of another library.
_COMPILE_KEYWORDS = frozenset({"fullgraph", "dynamic", "backend", "mode", "options", "disable"})


def only_call(module: Module, statement: Node) -> Call | None:
    """The outermost call of a statement, for an edit that wants a call at the frame."""
    body = header_end(statement)
    for node in walk(statement, "call"):
        if body is not None and node.start_byte >= body.start_byte:
            return None
        return module.call(node)
    return None


def heads(at: Clause) -> tuple[str, ...]:
    for head in ("call", "decorator", "use", "set", "env", "class"):
        if head in at:
            return names_of(at[head])
    return ()


def _named(wanted: Iterable[str], name: str) -> bool:
    return any(
        fnmatch.fnmatchcase(name, pattern) if "*" in pattern or "?" in pattern else same_name(name, pattern)
        for pattern in wanted
    )


def matching(draft: Draft, at: Clause) -> list[Site]:
    module = draft.module
    if "statement" in at:
        sites = _statements(draft, str(at["statement"]))
    elif "call" in at or "decorator" in at:
        sites = [Site(draft, call.node, call) for call in module.calls() if _is_call(module, call, at)]
    elif "use" in at:
        sites = _uses(draft, names_of(at["use"]))
    elif "class" in at and ("missing_call" in at or "in" in at):
        # A method of such a class that does not call its parent: the selector marks its name, an edit wants the method.
        selector = {key: at[key] for key in ("class", "missing_call", "in") if key in at}
        sites = [Site(draft, match.node.parent or match.node) for match in selectors.find(module, selector)]
    elif "class" in at:
        wanted = names_of(at["class"])
        sites = [
            Site(draft, node)
            for node in walk(module.tree.root, "class_definition")
            if any(_named(wanted, base) for base in bases(module, node))
        ]
    else:
        wanted = [ENVIRONMENT + name for name in names_of(at["env"])] if "env" in at else names_of(at["set"])
        sites = [
            Site(draft, write.node, module.call(write.node) if write.node.type == "call" else None, write.value)
            for node in walk(module.tree.root, *WRITING)
            for write in writes_of(module, node)
            if _named(wanted, write.name) and not write.removed and _accepts(module, at.get("value"), write.value)
        ]
    sites = list({(site.node.start_byte, site.node.end_byte): site for site in sites}.values())
    return [site for site in sites if _in_context(module, site.node, at)]


def _accepts(module: Module, predicate: Mapping[str, Any] | None, value: Node | None) -> bool:
    return predicate is None or (value is not None and accepts(module, predicate, value))


def _in_context(module: Module, node: Node, at: Clause) -> bool:
    if "inside" in at and not any(context.inside(module, node, item) for item in at["inside"]):
        return False
    if any(context.inside(module, node, item) for item in at.get("outside", ())):
        return False
    if "inside_class" in at:
        holder = module.class_of(node)
        return holder is not None and any(_named(names_of(at["inside_class"]), base) for base in bases(module, holder))
    return True


def _statements(draft: Draft, pattern: str) -> list[Site]:
    sites: list[Site] = []
    for node in _all_statements(draft.module.tree.root):
        match = search(pattern, draft.source(*header_span(draft, node)))
        if match is not None:
            names = {name: text for name, text in match.groupdict().items() if text is not None}
            sites.append(Site(draft, node, only_call(draft.module, node), None, names))
    return sites


def _all_statements(root: Node) -> list[Node]:
    found = [
        node
        for block in walk(root, "module", "block", "decorated_definition")
        for node in block.named_children
        if node.type not in ("comment", "decorator", "decorated_definition")
    ]
    return sorted(found, key=lambda node: node.start_byte)


def header_span(draft: Draft, statement: Node) -> tuple[int, int]:
    """Offsets of a statement, of a compound one only of its header."""
    tree = draft.module.tree
    body = header_end(statement)
    start = tree.start(statement)
    if body is None:
        return start, tree.end(statement)
    # Up to the colon: what follows it (line end, indentation) is no part of the header.
    return start, start + len(draft.source(start, tree.start(body)).rstrip())


def _is_call(module: Module, call: Call, at: Clause) -> bool:
    if "decorator" in at:
        if call.kind != "decorator" or not _decorates(module, call, at):
            return False
        wanted = names_of(at["decorator"])
    else:
        wanted = names_of(at["call"])
    if not any(_is_called(module, call, name) for name in wanted):
        return False
    origin = at.get("receiver")
    if isinstance(origin, Mapping) and not _comes_from(module, call, cast("Clause", origin)):
        return False
    return _passes(module, call, at)


def _is_called(module: Module, call: Call, wanted: str) -> bool:
    if wanted == "*":
        return call.name is None or call.name.partition(".")[0] not in _BUILTINS
    if wanted.startswith("."):
        return call.method is not None and fnmatch.fnmatchcase(call.method, wanted[1:])
    if call.name is not None and _named((wanted,), call.name):
        return True
    return wanted == "torch.compile" and _is_module_compile(module, call)


def _is_module_compile(module: Module, call: Call) -> bool:
    """Whether a call is `nn.Module.compile`, which takes what `torch.compile` takes."""
    if call.method != "compile" or call.receiver is None or "torch" not in module.text:
        return False
    if module.resolve(call.function) in ("re.compile", "torch.compile", "torch.jit.compile"):
        return False
    origin = origin_of(module, call.receiver)
    if origin is not None and origin.name is not None:
        if origin.name.startswith("torch."):
            return True
        definition = definition_of(module, origin.function)
        if definition is not None and definition.type == "class_definition":
            return any(same_name(base, "torch.nn.Module") for base in bases(module, definition))
    if module.tree.source(call.receiver) == "self":
        holder = module.class_of(call.node)
        return holder is not None and any(same_name(base, "torch.nn.Module") for base in bases(module, holder))
    return bool(call.keywords) and call.keywords.keys() <= _COMPILE_KEYWORDS and not call.arguments


def _decorates(module: Module, call: Call, at: Clause) -> bool:
    definition = call.definition
    if definition is None:
        return False
    name = definition.child_by_field_name("name")
    text = module.tree.source(name) if name is not None else ""
    if "on" in at and search(str(at["on"]), text) is None:
        return False
    kind = at.get("on_kind")
    if kind is None:
        return True
    method = definition.type == "function_definition" and module.class_of(definition) is not None
    actual = "class" if definition.type == "class_definition" else "method" if method else "function"
    return actual == kind


def _comes_from(module: Module, call: Call, origin: Clause) -> bool:
    """Whether the object of a method call (or what is called) was made by such a call."""
    wanted = names_of(origin.get("call", ()))
    for node in (call.receiver, call.function):
        made = origin_of(module, node) if node is not None else None
        if made is not None and made.name is not None and _named(wanted, made.name) and made.node.id != call.node.id:
            return True
    # `nn.Linear(4, 4)(x)`
    if call.function.type == "call":
        made = module.call(call.function)
        return made is not None and made.name is not None and _named(wanted, made.name)
    return False


def _passes(module: Module, call: Call, at: Clause) -> bool:
    for name, predicate in cast("Mapping[str, Mapping[str, Any]]", at.get("keyword") or {}).items():
        keyword = call.keywords.get(name)
        if keyword is None or not accepts(module, predicate, keyword.value):
            return False
    missing = names_of(at.get("missing", ()))
    if missing and (call.double_star or any(name in call.keywords for name in missing)):
        return False
    for index, predicate in cast("Mapping[str, Mapping[str, Any]]", at.get("position") or {}).items():
        if call.star or int(index) >= len(call.arguments):
            return False
        if not accepts(module, predicate, call.arguments[int(index)]):
            return False
    count = cast("Mapping[str, int]", at.get("arguments") or {})
    if not count:
        return True
    passed = len(call.arguments)
    return not call.star and count.get("min", 0) <= passed <= count.get("max", passed)


def _uses(draft: Draft, wanted: tuple[str, ...]) -> list[Site]:
    module = draft.module
    sites: list[Site] = []
    words = {name.rpartition(".")[2] for name in wanted}
    wild = any("*" in word or "?" in word for word in words)
    for node in walk(module.tree.root, "identifier", "attribute", "dotted_name"):
        parent = node.parent
        if parent is None or (parent.type == "attribute" and parent.child_by_field_name("attribute") == node):
            continue
        if parent.type in ("dotted_name", "keyword_argument") and parent.child_by_field_name("value") != node:
            continue
        statement = module.statement_of(node)
        if statement.type in ("import_statement", "import_from_statement"):
            if _imports(module, statement, node, wanted):
                sites.append(Site(draft, node))
        elif node.type != "dotted_name" and (wild or _may_be(module, node, words)):
            names = module.resolve_all(node)
            if any(_named(wanted, name) for name in names):
                call = (
                    module.call(parent)
                    if parent.type == "call" and parent.child_by_field_name("function") == node
                    else None
                )
                sites.append(Site(draft, node, call))
    return sites


def _may_be(module: Module, node: Node, words: set[str]) -> bool:
    if node.type == "attribute":
        attribute = node.child_by_field_name("attribute")
        return attribute is not None and module.tree.source(attribute) in words
    return True


def _imports(module: Module, statement: Node, node: Node, wanted: tuple[str, ...]) -> bool:
    if node.type != "dotted_name":
        return False
    home = statement.child_by_field_name("module_name")
    if home is not None and home.id == node.id:
        return False
    name = module.tree.source(node)
    return _named(wanted, f"{module.tree.source(home)}.{name}" if home is not None else name)
