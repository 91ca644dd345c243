"""Edits of functions: `add_decorator`, `remove_decorator`, `lambda_to_function`."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import cast

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.site import Site, ancestors, blank_lines, normal
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import Names, Refused, render


def function_of(site: Site) -> Node:
    """The function (or class) that a place is or stands in."""
    node = site.node
    if site.call is not None and site.call.definition is not None:
        return site.call.definition
    if node.type == "decorated_definition":
        node = node.child_by_field_name("definition") or node
    if node.type in ("function_definition", "class_definition"):
        return node
    for parent in ancestors(node):
        if parent.type == "decorator" and parent.parent is not None:
            return parent.parent.child_by_field_name("definition") or parent.parent
        if parent.type == "function_definition":
            return parent
    raise Refused("the place is not inside a function")


def _decorators(function: Node) -> list[Node]:
    holder = function.parent
    if holder is None or holder.type != "decorated_definition":
        return []
    return [child for child in holder.named_children if child.type == "decorator"]


def add_decorator(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Decorate the function, innermost: `staticmethod` and its like must stay outside."""
    function = function_of(site)
    wanted = render(str(edit["code"]), names).strip().removeprefix("@")
    code, extra = adapted(Site(site.draft, function), wanted)
    module = site.draft.module
    for decorator in _decorators(function):
        call = module.call(decorator.named_children[0])
        if normal(site.source(decorator)[1:]) == normal(code) or (
            call and call.name and call.name == wanted.partition("(")[0]
        ):
            return []
    start = site.span(function)[0]
    if not site.first_on_line(start):
        raise Refused("the function does not begin a line")
    return [*extra, TextEdit(start, start, f"@{code}{site.draft.newline}{site.indent(start)}")]


def remove_decorator(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Take the decorators of that name off the function."""
    raw = edit["name"]
    wanted = [raw] if isinstance(raw, str) else cast("Sequence[str]", raw)
    wanted = [render(str(item), names) for item in wanted]
    edits: list[TextEdit] = []
    for decorator in _decorators(function_of(site)):
        call = site.draft.module.call(decorator.named_children[0])
        written = normal(site.source(decorator)[1:].partition("(")[0])
        name = (call.name if call is not None else None) or written
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted):
            start, end = site.span(decorator)
            if site.first_on_line(start) and site.last_on_line(end):
                edits.append(TextEdit(site.line_start(start), site.next_line(end), ""))
            else:
                raise Refused("the decorator does not have a line of its own")
    return edits


def lambda_to_function(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Give a lambda a name at the module level, where pickle can find it."""
    module = site.draft.module
    node = site.node
    if node.type == "identifier":
        held = module.held(node)
        node = held if held is not None else node
    if node.type == "function_definition":
        return []
    if node.type != "lambda":
        raise Refused("the place is not a lambda")
    body, parameters = node.child_by_field_name("body"), node.child_by_field_name("parameters")
    if body is None:
        raise Refused("the lambda has no body")
    _refuse_closure(site, node)
    name = _free_name(site, render(str(edit["name"]), names))
    statement = node
    for parent in ancestors(node):
        if parent.type != "module":
            statement = parent
    start = site.line_start(site.span(statement)[0])
    newline, unit = site.draft.newline, site.unit()
    written = site.source(parameters) if parameters is not None else ""
    returned = site.source(body)
    if "\n" in returned:
        returned = f"({returned})"
    before, _ = blank_lines(site, start)
    text = f"{newline * (2 - before)}def {name}({written}):{newline}{unit}return {returned}{newline * 3}"
    return [TextEdit(start, start, text), site.replace(node, name)]


def _refuse_closure(site: Site, node: Node) -> None:
    """Refuse a lambda that uses what only the function around it knows."""
    function = site.draft.module.function_of(node)
    if function is None and not any(parent.type == "lambda" for parent in ancestors(node)):
        return
    own: set[str] = set()
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        own = {site.source(item) for item in walk(parameters, "identifier")}
    scopes = site.draft.module.scopes
    for use in walk(node, "identifier"):
        text = site.source(use)
        if text in own:
            continue
        found = scopes.find(text, use)
        if found is not None and found[0].type in ("function_definition", "lambda"):
            raise Refused(f"the lambda uses {text}, which only the function around it knows")


def _free_name(site: Site, name: str) -> str:
    taken = {site.source(node) for node in walk(site.draft.module.tree.root, "identifier")}
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name}_{number}", number + 1
    return candidate
