"""Where a new statement goes, and how it gets there: `insert_statement`, `move_before_import`."""

from __future__ import annotations

import re

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits import imports
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.imports import IMPORTS, Wanted
from detour_lsp.source.edits.site import COMPOUND, Site, ancestors, blank_lines, normal
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import Names, Refused, render

_ENDS = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_ASSIGNMENT = re.compile(r"\s*(?P<target>[A-Za-z_][\w.]*(?:\[[^\]\n]+\])?)\s*=(?!=)\s*(?P<value>.+)\s*\Z", re.DOTALL)


def insert_statement(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Put a statement where `where` says."""
    where = str(edit["where"])
    code = render(str(edit["code"]), names).strip("\n")
    root = site.draft.module.tree.root
    if where in ("top", "after_import"):
        return _module_level(Site(site.draft, root), site, code)
    if where == "first_in_function":
        return _first_in_function(site, code)
    if where == "first_in_init":
        return _first_in_init(site, code)
    code, extra = adapted(site, code)
    statement = site.statement()
    return [*extra, *(_before(site, statement, code) if where == "before" else _after(site, statement, code))]


def _before(site: Site, statement: Node, code: str) -> list[TextEdit]:
    if _neighbour(site, statement, code, step=-1):
        return []
    start = site.span(statement)[0]
    if site.first_on_line(start):
        line = site.line_start(start)
        return [TextEdit(line, line, site.block(code, site.indent(start)) + site.draft.newline)]
    _simple(code)
    return [TextEdit(start, start, f"{code}; ")]


def _after(site: Site, statement: Node, code: str) -> list[TextEdit]:
    if _neighbour(site, statement, code, step=1):
        return []
    if statement.type in _ENDS:
        raise Refused("nothing runs behind that statement")
    start, end = site.span(statement)
    if not site.first_on_line(start) or not site.last_on_line(end):
        _simple(code)
        return [TextEdit(end, end, f"; {code}")]
    place = site.line_end(max(end - 1, start))
    return [TextEdit(place, place, site.draft.newline + site.block(code, site.indent(start)))]


def _simple(code: str) -> None:
    if "\n" in code or code.rstrip().endswith(":"):
        raise Refused("other statements stand on the same line")


def _neighbour(site: Site, statement: Node, code: str, step: int) -> bool:
    """Whether the code stands already next to the statement, or is the statement."""
    if normal(site.source(statement)) == normal(code):
        return True
    block = statement.parent
    siblings = [child for child in block.named_children if child.type != "comment"] if block is not None else []
    index = next((i for i, child in enumerate(siblings) if child.id == statement.id), 0)
    count = len(_statements(code))
    run = siblings[max(0, index - count) : index] if step < 0 else siblings[index + 1 : index + 1 + count]
    return [normal(site.source(node)) for node in run] == [normal(item) for item in _statements(code)]


def _statements(code: str) -> list[str]:
    """The top-level statements of a piece of code."""
    found: list[str] = []
    for line in code.split("\n"):
        if line[:1] in (" ", "\t", ")", "]", "}") and found:
            found[-1] += f"\n{line}"
        elif line.strip() and not line.lstrip().startswith("#"):
            found.append(line)
    return found


def _module_level(root: Site, site: Site, code: str) -> list[TextEdit]:
    """Behind the imports that stand in front of the place, at the module level."""
    last = _last_import(root, site)
    following = [node for node in imports.top_level(root) if last is None or node.start_byte > last.start_byte]
    anchor = Site(site.draft, following[0] if following else root.node)
    code, extra = adapted(anchor, code)
    existing = _assigned(root, code)
    if existing is not None:
        return [*extra, *existing]
    place, gap = _behind_imports(root, site)
    text = root.draft.text
    newline = root.draft.newline
    block = root.block(code, "")
    if place and text[place - 1] != "\n":
        return [*extra, TextEdit(place, place, f"{newline}{block}")]
    if code.startswith(("def ", "class ", "async def ", "@")):
        before, behind = blank_lines(root, place)
        return [*extra, TextEdit(place, place, f"{newline * (2 - before)}{block}{newline * (3 - behind)}")]
    lead = newline if gap and text[place : place + 2].startswith(("\n", "\r\n")) else ""
    return [*extra, TextEdit(place, place, f"{lead}{block}{newline}")]


def _assigned(root: Site, code: str) -> list[TextEdit] | None:
    """The statements are there already, or set the same names to something else: then there only the value changes."""
    edits: list[TextEdit] = []
    wanted = _statements(code)
    found = 0
    for statement in imports.top_level(root):
        source = root.source(statement)
        for item in wanted:
            if normal(source) == normal(item):
                found += 1
                continue
            new, old = _ASSIGNMENT.match(item), _ASSIGNMENT.match(source)
            if new is None or old is None or normal(new["target"]) != normal(old["target"]) or "." not in new["target"]:
                continue
            inner = statement.named_children[0] if statement.type == "expression_statement" else statement
            right = inner.child_by_field_name("right")
            if right is not None:
                found += 1
                edits.append(root.replace(right, new["value"].strip()))
    return edits if found >= len(wanted) else None


def _last_import(root: Site, site: Site) -> Node | None:
    """The last import of the file's head, not behind the statement that the place is in."""
    top: Node = site.node
    for parent in ancestors(site.node):
        if parent.type != "module":
            top = parent
    limit = top.start_byte if site.node.type != "module" else root.node.end_byte
    last: Node | None = None
    for statement in imports.top_level(root):
        if statement.start_byte >= limit:
            break
        if statement.type in IMPORTS or _only_imports(statement):
            last = statement
        elif statement.type in {"function_definition", "class_definition", "decorated_definition"}:
            break
    return last


def _only_imports(statement: Node) -> bool:
    """Whether a `try` or `if` at the module level holds imports (and what replaces them)."""
    if statement.type not in ("try_statement", "if_statement"):
        return False
    return any(True for _ in walk(statement, *IMPORTS)) and not any(
        True for _ in walk(statement, "function_definition", "class_definition", "for_statement", "while_statement")
    )


def _behind_imports(root: Site, site: Site) -> tuple[int, bool]:
    last = _last_import(root, site)
    if last is None:
        return imports.header(root), False
    end = root.span(last)[1]
    if not root.last_on_line(end):
        raise Refused("other statements stand on the line of the import")
    return root.next_line(max(end - 1, 0)) if root.draft.text[end - 1 : end] != "\n" else end, True


def _first_in_function(site: Site, code: str) -> list[TextEdit]:
    function = _definition(site.node) or site.draft.module.function_of(site.node)
    if function is None:
        raise Refused("the place is not inside a function")
    return _first_in_body(site, function, code, after=None)


def _definition(node: Node) -> Node | None:
    """The function that a node is, decorates, or names."""
    if node.type == "decorated_definition":
        node = node.child_by_field_name("definition") or node
    parent = node.parent
    if parent is not None and parent.type == "function_definition" and parent.child_by_field_name("name") == node:
        return parent
    return node if node.type == "function_definition" else None


def _first_in_init(site: Site, code: str) -> list[TextEdit]:
    holder = site.node if site.node.type == "class_definition" else site.draft.module.class_of(site.node)
    body = holder.child_by_field_name("body") if holder is not None else None
    for child in body.named_children if body is not None else ():
        definition = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        name = definition.child_by_field_name("name") if definition is not None else None
        if definition is not None and name is not None and site.source(name) == "__init__":
            return _first_in_body(site, definition, code, after=r"super\(.*\)\.__init__\(|\.__init__\(self")
    raise Refused("the class has no __init__ of its own")


def _first_in_body(site: Site, function: Node, code: str, after: str | None) -> list[TextEdit]:
    body = function.child_by_field_name("body")
    statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    if not statements:
        raise Refused("the function has no body")
    code, extra = adapted(Site(site.draft, statements[0]), code)
    wanted = [normal(item) for item in _statements(code)]
    present = [normal(site.source(statement)) for statement in statements]
    if all(item in present for item in wanted):
        return []
    if after is not None:
        for statement in statements:
            if re.search(after, site.source(statement)):
                return [*extra, *_after(site, statement, code)]
    first = statements[0]
    docstring = (
        first.type == "expression_statement" and first.named_children and first.named_children[0].type == "string"
    )
    if docstring:
        return [*extra, *_after(site, first, code)]
    return [*extra, *_before(site, first, code)]


def move_statement(site: Site, target: Site, where: str) -> list[TextEdit]:
    """Move a statement in front of or behind another one; nothing to do where it stands on that side already."""
    moved, anchor = site.statement(), target.statement()
    if moved.id == anchor.id or site.draft is not target.draft:
        raise Refused("there is nothing to move the statement past")
    start, end = site.span(moved)
    ahead = start < site.span(anchor)[0]
    same_block = moved.parent is not None and anchor.parent is not None and moved.parent.id == anchor.parent.id
    if same_block and ahead == (where == "before"):
        return []
    if not (site.first_on_line(start) and site.last_on_line(end)) or moved.type in _ENDS:
        raise Refused("the statement does not have a line of its own")
    if moved.parent is not None and len([c for c in moved.parent.named_children if c.type != "comment"]) == 1:
        raise Refused("the statement is alone in its block")
    first = site.span(anchor)[0]
    if not site.first_on_line(first) or not site.last_on_line(site.span(anchor)[1]):
        raise Refused("other statements stand on the same line")
    lines = site.draft.source(start, site.line_end(end))
    if "\n" in lines and site.indent(start) != site.indent(first):
        raise Refused("a statement of several lines is not moved into another block")
    removed = TextEdit(site.line_start(start), site.next_line(end), "")
    if where == "before":
        place = site.line_start(first)
        return [TextEdit(place, place, f"{site.indent(first)}{lines}{site.draft.newline}"), removed]
    if anchor.type in _ENDS:
        raise Refused("nothing runs behind that statement")
    place = site.line_end(max(site.span(anchor)[1] - 1, first))
    return [TextEdit(place, place, f"{site.draft.newline}{site.indent(first)}{lines}"), removed]


def move_before_import(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Move a module-level statement in front of the first import of a package, with the imports that it needs."""
    package = render(str(edit["package"]), names)
    statement = site.statement()
    root = site.draft.module.tree.root
    if statement.parent is None or statement.parent.id != root.id or statement.type in COMPOUND:
        raise Refused("only a plain statement of the module itself can be moved")
    head = Site(site.draft, root)
    target = next((s for s in imports.top_level(head) if _imports_package(head, s, package)), None)
    if target is None or target.start_byte > statement.start_byte:
        return []
    start, end = site.span(statement)
    if not site.first_on_line(start) or not site.last_on_line(end):
        raise Refused("other statements stand on the same line")
    needed = _needed_imports(site, statement, target)
    line = site.line_start(site.span(target)[0])
    newline = site.draft.newline
    removed = [TextEdit(site.line_start(start), site.next_line(end), "")]
    text = ""
    for item, wanted in needed:
        text += wanted.code + newline
        removed += imports.drop(head, item[0], item[1])
    text += site.draft.source(site.line_start(start), site.line_end(end)) + newline
    return [TextEdit(line, line, text), *removed]


def _imports_package(site: Site, statement: Node, package: str) -> bool:
    found = imports.members(site, statement)
    return any(item.module == package or item.module.startswith(f"{package}.") for item, _ in found)


def _needed_imports(site: Site, statement: Node, target: Node) -> list[tuple[tuple[Node, Node], Wanted]]:
    """The imports, standing behind the target, of the names that the statement uses."""
    names = {site.source(node) for node in walk(statement, "identifier") if not _attribute_name(node)}
    bound: dict[str, tuple[tuple[Node, Node], Wanted]] = {}
    earlier: set[str] = set()
    for other in imports.top_level(site):
        for wanted, node in imports.members(site, other):
            name = wanted.alias or wanted.name or wanted.module.partition(".")[0]
            if other.start_byte < target.start_byte:
                earlier.add(name)
            else:
                bound[name] = ((other, node), wanted)
    needed: list[tuple[tuple[Node, Node], Wanted]] = []
    for name in sorted(names - earlier):
        if name in bound:
            needed.append(bound[name])
        elif site.draft.module.bound(name, statement):
            raise Refused(f"the statement uses {name}, which is not known earlier")
    return needed


def _attribute_name(node: Node) -> bool:
    parent = node.parent
    return parent is not None and (
        (parent.type == "attribute" and parent.child_by_field_name("attribute") == node)
        or (parent.type == "keyword_argument" and parent.child_by_field_name("name") == node)
    )
