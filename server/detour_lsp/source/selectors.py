"""The selectors of `detect`: what a record calls a known-bad pattern, found among a file's sites.

A selector matches only what is certain. What a version check guards, what is put back in the same function, and what a
test does for its own duration is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source import context
from detour_lsp.source.call_selectors import find_calls, find_decorators
from detour_lsp.source.class_selectors import find_classes
from detour_lsp.source.match import Match
from detour_lsp.source.names import Module
from detour_lsp.source.objects import bases
from detour_lsp.source.paths import in_own_library
from detour_lsp.source.selector_plan import head_of, words_of
from detour_lsp.source.setting_selectors import find_writes
from detour_lsp.source.sites import Sites, find_sites
from detour_lsp.source.spellings import names_of, same_name
from detour_lsp.source.use_selectors import find_uses


def find(module: Module, selector: Clause) -> list[Match]:
    """Every place in the file that the selector describes, guards and tests included (what edits look for)."""
    return list(matches(module, find_sites(module, words_of(selector)), selector, guards=False))


def matches(module: Module, sites: Sites, selector: Clause, *, guards: bool = True) -> Iterator[Match]:
    """The places among the sites; with `guards` only those that are really bad."""
    match head_of(selector):
        case "set" | "env":
            found = find_writes(module, sites, selector, guards=guards)
        case "call":
            found = find_calls(module, sites, selector, guards=guards)
        case "decorator":
            found = find_decorators(module, sites, selector)
        case "use":
            found = find_uses(module, sites, selector)
        case "class":
            found = find_classes(module, sites, selector)
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
    return holder is not None and any(same_name(name, own) for name in names_of(base) for own in bases(module, holder))
