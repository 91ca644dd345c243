"""`guard_main`: what a module does when it runs goes under `if __name__ == "__main__":`.

Worker processes that are spawned import the main module. Definitions, imports and constants must stay where the workers
find them; only what starts things may not run again.
"""

from __future__ import annotations

from itertools import groupby

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits.imports import IMPORTS, top_level
from detour_lsp.source.edits.site import Site, ancestors
from detour_lsp.source.edits.statements import reindent
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import Names, Refused

_DEFINITIONS = frozenset({"function_definition", "class_definition", "decorated_definition"})
GUARD = 'if __name__ == "__main__":'


def guard_main(site: Site, edit: Clause, names: Names) -> list[TextEdit]:  # noqa: ARG001
    """Guard the module's executable statements."""
    root = Site(site.draft, site.draft.module.tree.root)
    statements = top_level(root)
    started = _top(site)
    if started is not None and (_is_guard(root, started) or started.type in _DEFINITIONS):
        # Guarded already, or the place runs in a function: then what calls the function is what must be guarded.
        if _is_guard(root, started):
            return []
        started = None
    if any(_is_guard(root, statement) for statement in statements) and started is None:
        return []
    kept = _kept(root, statements, started)
    guarded = [statement for statement in statements if statement.id not in kept]
    if not guarded:
        raise Refused("the module runs nothing that could be guarded")
    for statement in guarded:
        start, end = root.span(statement)
        if not root.first_on_line(start) or not root.last_on_line(end):
            raise Refused("several statements stand on one line")
    edits: list[TextEdit] = []
    for keep, run in groupby(statements, key=lambda statement: statement.id in kept):
        if not keep:
            edits += _guard(root, list(run))
    return edits


def _guard(root: Site, run: list[Node]) -> list[TextEdit]:
    start, end = root.span(run[0])[0], root.span(run[-1])[1]
    line = root.line_start(start)
    head = TextEdit(line, line, f"{GUARD}{root.draft.newline}{root.unit()}")
    return [head, *reindent(root, root.next_line(line), end, "", root.unit())]


def _top(site: Site) -> Node | None:
    top: Node | None = None
    for node in (site.node, *ancestors(site.node)):
        if node.type != "module":
            top = node
    return top


def _is_guard(root: Site, statement: Node) -> bool:
    condition = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
    return condition is not None and "__name__" in root.source(condition)


def _kept(root: Site, statements: list[Node], started: Node | None) -> set[int]:
    """The statements that stay: what defines, and what definitions need."""
    kept: set[int] = set()
    for index, statement in enumerate(statements):
        inner = (
            statement.named_children[0]
            if statement.type == "expression_statement" and statement.named_children
            else statement
        )
        docstring = index == 0 and inner.type == "string"
        defines = statement.type in IMPORTS | _DEFINITIONS or _is_guard(root, statement)
        if statement.type in ("try_statement", "if_statement"):
            defines = defines or any(True for _ in walk(statement, *IMPORTS, *_DEFINITIONS))
        constant = inner.type == "assignment" and not any(True for _ in walk(inner, "call", "await"))
        if docstring or defines or constant or _before_imports(statements, index):
            kept.add(statement.id)
    changed = True
    while changed:
        changed = False
        needed = {
            root.source(node)
            for statement in statements
            if statement.id in kept
            for node in walk(statement, "identifier")
        }
        for statement in statements:
            if statement.id in kept or (started is not None and statement.id == started.id):
                continue
            if _bound(root, statement) & needed:
                kept.add(statement.id)
                changed = True
    if started is not None:
        kept.discard(started.id)
    return kept


def _before_imports(statements: list[Node], index: int) -> bool:
    """Whether an import follows: the statement prepares it (`sys.path`, `os.environ`)."""
    return any(other.type in IMPORTS for other in statements[index + 1 :])


def _bound(root: Site, statement: Node) -> set[str]:
    if statement.type != "expression_statement" or not statement.named_children:
        return set()
    inner = statement.named_children[0]
    left = inner.child_by_field_name("left") if inner.type == "assignment" else None
    return {root.source(node) for node in walk(left, "identifier")} if left is not None else set()
