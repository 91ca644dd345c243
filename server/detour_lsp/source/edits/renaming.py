"""`replace_name`: another qualified name in the place of one, with the imports that come and go with it."""

from __future__ import annotations

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits import imports
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.imports import Wanted
from detour_lsp.source.edits.site import Site
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import Names, Refused, render
from detour_lsp.source.use_selectors import import_around


def replace_name(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Write `to` where the place uses `name`; a name that was imported is imported from its new home."""
    old, new = render(str(edit["name"]), names), render(str(edit["to"]), names)
    module = site.draft.module
    statement = import_around(site.node)
    if statement is not None:
        return _reimport(site, statement, old, new)
    node = site.call.function if site.call is not None else site.node
    use = _use(site, node, old)
    if use is None:
        if any(module.resolve(item) == new for item in walk(node, "identifier", "attribute")):
            return []
        raise Refused(f"the code at the place does not use {old}")
    if use.type == "identifier":
        bound = _bound_by(site, site.source(use))
        if bound is not None and bound[0].type == "import_from_statement" and module.resolve(use) == old:
            return _reimport(site, bound[0], old, new)
    text, extra = adapted(site, new)
    return [*extra, site.replace(use, text), *_forgotten(site, use)]


def _use(site: Site, node: Node, name: str) -> Node | None:
    """The expression that stands for the qualified name: the place itself, or the first one inside it."""
    module = site.draft.module
    for item in walk(node, "identifier", "attribute"):
        if name in module.resolve_all(item):
            return item
    return None


def _bound_by(site: Site, name: str) -> tuple[Node, Node] | None:
    """The module-level import that gives a plain name, if just one does."""
    found: list[tuple[Node, Node]] = []
    for statement in imports.top_level(site):
        for item, node in imports.members(site, statement):
            if (item.alias or item.name or item.module) == name:
                found.append((statement, node))
    return found[0] if len(found) == 1 else None


def _reimport(site: Site, statement: Node, old: str, new: str) -> list[TextEdit]:
    """Import the name from its new home, and follow the uses if it is called otherwise there."""
    for item, node in imports.members(site, statement):
        if f"{item.module}.{item.name}" != old if item.name else item.module != old:
            continue
        home, _, last = new.rpartition(".")
        if not item.name:
            raise Refused(f"{old} is imported as a module; the uses have to be changed one by one")
        wanted = Wanted(home, last, item.alias)
        edits: list[TextEdit] = []
        if not item.alias and last != item.name:
            edits = _renamed_uses(site, item.name, last)
        removed = imports.drop(site, statement, node)
        if len(imports.members(site, statement)) == 1 and len(removed) == 1:
            # The only name of the statement: it is rewritten where it stands.
            if imports.present(site, wanted):
                return [*edits, *removed]
            return [*edits, site.replace(statement, wanted.code)]
        return [*edits, *removed, *imports.add(site, [wanted])]
    raise Refused(f"the import does not name {old}")


def _renamed_uses(site: Site, old: str, new: str) -> list[TextEdit]:
    root = site.draft.module.tree.root
    identifiers = list(walk(root, "identifier"))
    if any(site.source(node) == new for node in identifiers):
        raise Refused(f"{new} is already another name in this file")
    edits: list[TextEdit] = []
    for node in identifiers:
        parent = node.parent
        if site.source(node) != old or parent is None or import_around(node) is not None:
            continue
        if parent.type == "attribute" and parent.child_by_field_name("attribute") == node:
            continue
        if parent.type == "keyword_argument" and parent.child_by_field_name("name") == node:
            continue
        found = site.draft.module.scopes.find(old, node)
        if found is not None and found[0].type == "module":
            edits.append(site.replace(node, new))
    return edits


def _forgotten(site: Site, use: Node) -> list[TextEdit]:
    """The import that the old spelling needed, if nothing else needs it."""
    root = use
    while root.type == "attribute":
        inner = root.child_by_field_name("object")
        if inner is None:
            return []
        root = inner
    name = site.source(root)
    bound = _bound_by(site, name)
    if bound is None or bound[0].type != "import_from_statement":
        return []
    return imports.forget(site, name, [site.span(use)])
