"""Imports come and go with the names that an edit writes: `add_import`, and what `replace_name` and others need."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits.site import Site
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import Names, render

IMPORTS = frozenset({"import_statement", "import_from_statement", "future_import_statement"})
#: A merged `from` import longer than this would be wrapped by every formatter; it gets a line of its own instead.
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """An import: `import module`, `import module as alias`, `from module import name [as alias]`."""

    module: str
    name: str = ""
    alias: str = ""

    @property
    def code(self) -> str:
        """The import statement."""
        tail = f" as {self.alias}" if self.alias else ""
        return f"from {self.module} import {self.name}{tail}" if self.name else f"import {self.module}{tail}"

    @property
    def member(self) -> str:
        """The part behind `import` of a `from` import."""
        return f"{self.name} as {self.alias}" if self.alias else self.name


def add_import(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """The edit of that name."""
    texts = {key: render(str(edit[key]), names) for key in ("module", "name", "as") if edit.get(key)}
    return add(site, [Wanted(texts["module"], texts.get("name", ""), texts.get("as", ""))])


def top_level(site: Site) -> list[Node]:
    """The module-level statements, without comments."""
    return [child for child in site.draft.module.tree.root.named_children if child.type != "comment"]


def add(site: Site, wanted: Sequence[Wanted]) -> list[TextEdit]:
    """Edits that import what is not imported yet, each once, where an import sorter would put it."""
    missing = [item for item in dict.fromkeys(wanted) if not present(site, item)]
    return [_merged(site, item) or _inserted(site, item) for item in missing]


def present(site: Site, wanted: Wanted) -> bool:
    """Whether a module-level import already gives the name."""
    return any(wanted == item for statement in top_level(site) for item, _ in members(site, statement))


def members(site: Site, statement: Node) -> list[tuple[Wanted, Node]]:
    """What an import statement imports, with the node of each member."""
    if statement.type not in IMPORTS:
        return []
    source = statement.child_by_field_name("module_name")
    module = "__future__" if statement.type == "future_import_statement" else site.source(source) if source else ""
    return [(_member(site, module, node), node) for node in statement.children_by_field_name("name")]


def _member(site: Site, module: str, node: Node) -> Wanted:
    name = node.child_by_field_name("name") if node.type == "aliased_import" else node
    alias = node.child_by_field_name("alias") if node.type == "aliased_import" else None
    text, other = site.source(name) if name is not None else "", site.source(alias) if alias is not None else ""
    return Wanted(module, text, other) if module else Wanted(text, "", other)


def _merged(site: Site, wanted: Wanted) -> TextEdit | None:
    """`from m import a` becomes `from m import a, b` where that is how the file does it and the line stays short."""
    if not wanted.name:
        return None
    for statement in top_level(site):
        found = members(site, statement)
        if statement.type != "import_from_statement" or not found or found[0][0].module != wanted.module:
            continue
        written = [site.source(node) for _, node in found]
        after = next((i for i, text in enumerate(written) if text.lower() > wanted.member.lower()), len(written))
        ordered = written == sorted(written, key=str.lower) or written == sorted(written)
        index = after if ordered else len(written)
        start, end = site.span(statement)
        if "\n" in site.draft.source(start, end):
            return _merged_lines(site, [node for _, node in found], index, wanted)
        if end - site.line_start(start) + len(wanted.member) + 2 > WIDTH:
            return None
        if index < len(found):
            place = site.span(found[index][1])[0]
            return TextEdit(place, place, f"{wanted.member}, ")
        place = site.span(found[-1][1])[1]
        return TextEdit(place, place, f", {wanted.member}")
    return None


def _merged_lines(site: Site, nodes: list[Node], index: int, wanted: Wanted) -> TextEdit | None:
    """The same for a parenthesised import with a line per name; other layouts are left alone."""
    if not all(site.first_on_line(site.span(node)[0]) for node in nodes):
        return None
    if index < len(nodes):
        start = site.span(nodes[index])[0]
        return TextEdit(start, start, f"{wanted.member},{site.draft.newline}{site.indent(start)}")
    start, end = site.span(nodes[-1])
    if site.draft.text[end : end + 1] != ",":
        return None
    place = site.line_end(end)
    return TextEdit(place, place, f"{site.draft.newline}{site.indent(start)}{wanted.member},")


def _inserted(site: Site, wanted: Wanted) -> TextEdit:
    text = wanted.code
    block = _block(site, wanted)
    newline = site.draft.newline
    if not block:
        place = header(site)
        return _line(site, place, text)
    order = _order(site, block)
    if order is not None:
        for statement in block:
            if order(_first(site, statement)) > order(wanted):
                start = site.line_start(site.span(statement)[0])
                return TextEdit(start, start, f"{text}{newline}")
        return _behind(site, block[-1], text)
    same = [item for item in block if _root(_first(site, item)) == _root(wanted)]
    return _behind(site, (same or block)[-1], text)


def _behind(site: Site, statement: Node, text: str) -> TextEdit:
    end = site.span(statement)[1]
    return _line(site, site.next_line(end), text)


def _line(site: Site, place: int, text: str) -> TextEdit:
    """A line of its own at the beginning of a line, or at the end of a text whose last line has no line ending."""
    newline = site.draft.newline
    if place and site.draft.text[place - 1] != "\n":
        return TextEdit(place, place, f"{newline}{text}")
    return TextEdit(place, place, f"{text}{newline}")


def _first(site: Site, statement: Node) -> Wanted:
    return members(site, statement)[0][0]


def _root(wanted: Wanted) -> str:
    return wanted.module.partition(".")[0]


def _standard(wanted: Wanted) -> bool:
    return _root(wanted) in sys.stdlib_module_names


def _block(site: Site, wanted: Wanted) -> list[Node]:
    """The run of imports that the new one belongs to: that of its package, else of its kind, else the last one."""
    runs: list[list[Node]] = []
    previous: Node | None = None
    for statement in top_level(site):
        usable = statement.type in IMPORTS - {"future_import_statement"} and members(site, statement)
        if (
            not usable
            or not site.first_on_line(site.span(statement)[0])
            or not site.last_on_line(site.span(statement)[1])
        ):
            previous = None
            continue
        if previous is not None and not _gap(site, previous, statement):
            runs[-1].append(statement)
        else:
            runs.append([statement])
        previous = statement
    if not runs:
        return []
    for run in runs:
        if any(_root(_first(site, item)) == _root(wanted) for item in run):
            return run
    for run in runs:
        if any(_standard(_first(site, item)) == _standard(wanted) for item in run):
            return run
    return runs[0] if _standard(wanted) else runs[-1]


def _gap(site: Site, first: Node, second: Node) -> bool:
    """Whether something other than one line ending (and comments) stands between two statements."""
    between = site.draft.source(site.span(first)[1], site.span(second)[0])
    return any(not line.strip() for line in between.split("\n")[1:-1])


def _order(site: Site, run: list[Node]):
    """The sort key that a run of imports follows (isort's default, or by module alone); None where it follows none."""

    def by_kind(item: Wanted) -> tuple[bool, bool, str]:
        return (not _standard(item), bool(item.name), item.module.lower())

    def by_module(item: Wanted) -> tuple[bool, str]:
        return (not _standard(item), item.module.lower())

    found = [_first(site, statement) for statement in run]
    for key in (by_kind, by_module):
        if [key(item) for item in found] == sorted(key(item) for item in found):
            return key
    return None


def header(site: Site) -> int:
    """Offset of the line where the first import of a file goes: behind shebang, cookie, docstring and `__future__`."""
    statements = top_level(site)
    place = 0
    for line in site.draft.text.split("\n", 2)[:2]:
        if line.startswith("#!") or (line.startswith("#") and "coding" in line):
            place += len(line) + 1
    for index, statement in enumerate(statements):
        docstring = (
            index == 0 and statement.type == "expression_statement" and statement.named_children[0].type == "string"
        )
        if docstring or statement.type == "future_import_statement":
            place = site.next_line(site.span(statement)[1])
            continue
        break
    return min(place, len(site.draft.text))


def forget(site: Site, name: str, gone: Sequence[tuple[int, int]]) -> list[TextEdit]:
    """Take the import of a plain name away if the uses at `gone` were the last ones."""
    tree = site.draft.module.tree
    bound = [
        (statement, node)
        for statement in top_level(site)
        for item, node in members(site, statement)
        if (item.alias or item.name or item.module) == name
    ]
    if len(bound) != 1 or site.draft.path.endswith("__init__.py"):
        return []
    statement, node = bound[0]
    for use in walk(tree.root, "identifier"):
        if site.source(use) != name:
            continue
        start, end = site.span(use)
        inside_import = site.span(statement)[0] <= start < site.span(statement)[1]
        if not inside_import and not any(low <= start and end <= high for low, high in gone):
            return []
    if any(name == site.source(text)[1:-1] for text in walk(tree.root, "string")):
        # `__all__ = ["name"]`, or something that looks names up.
        return []
    return drop(site, statement, node)


def drop(site: Site, statement: Node, node: Node) -> list[TextEdit]:
    """Take one member out of an import statement, or the statement with its last one."""
    names = [member for _, member in members(site, statement)]
    if len(names) == 1:
        start, end = site.span(statement)
        if site.first_on_line(start) and site.last_on_line(end):
            return [TextEdit(site.line_start(start), site.next_line(end), "")]
        return [TextEdit(start, end, "pass")]
    return _out_of_names(site, names, node)


def _out_of_names(site: Site, names: list[Node], node: Node) -> list[TextEdit]:
    index = next(i for i, other in enumerate(names) if other.id == node.id)
    start, end = site.span(node)
    behind = end + 1 if site.draft.text[end : end + 1] == "," else end
    if site.first_on_line(start) and site.last_on_line(behind) and behind > end:
        return [TextEdit(site.line_start(start), site.next_line(behind), "")]
    if index + 1 < len(names):
        return [TextEdit(start, site.span(names[index + 1])[0], "")]
    return [TextEdit(site.span(names[index - 1])[1], end, "")]
