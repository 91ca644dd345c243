"""Edits of statements that are there: `remove_statement`, `wrap_statement`, `replace_text`."""

from __future__ import annotations

import difflib
import re

import regex
from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits import lists
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.site import COMPOUND, Site, ancestors, blank_lines, header_end, is_statement, normal
from detour_lsp.source.edits.spelling import LIKENESS
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.patterns import compiled, every
from detour_lsp.source.templates import Names, NotFound, Refused, fill_place, render


def remove_statement(site: Site, edit: Clause, names: Names) -> list[TextEdit]:  # noqa: ARG001
    """Take a statement out, with its line and the comment on it; a block that becomes empty gets `pass`."""
    container = site.node.parent if site.node.type in ("keyword_argument", "pair") else None
    if container is not None and len(lists.elements(container)) > 1:
        return lists.remove(site, site.node)
    decorator = next((item for item in (site.node, *ancestors(site.node)) if item.type == "decorator"), None)
    if decorator is not None:
        start, end = site.span(decorator)
        return [TextEdit(site.line_start(start), site.next_line(end), "")]
    statement = site.statement()
    if statement.type == "decorated_definition" and site.node.id != statement.id:
        raise Refused("the place is part of a definition")
    if statement.type == "with_statement" and statement.id != site.node.id:
        return unwrap_with(site, statement)
    _refuse_needed(site)
    if statement.type in COMPOUND and statement.id != site.node.id:
        raise Refused(f"the place is part of a {statement.type.replace('_', ' ')}, which does more")
    return take_out(site, statement)


def take_out(site: Site, statement: Node) -> list[TextEdit]:
    """The edits that remove a statement and leave its block valid."""
    start, end = site.span(statement)
    block = statement.parent
    others = [
        c for c in (block.named_children if block is not None else []) if c.type != "comment" and c.id != statement.id
    ]
    if block is not None and block.type == "block" and not others:
        behind = site.line_end(end) if site.last_on_line(end) else end
        return [TextEdit(start, behind, "pass")]
    if site.first_on_line(start) and site.last_on_line(end):
        return [TextEdit(site.line_start(start), _past_blank_lines(site, start, end), "")]
    following = re.compile(r"[ \t]*;[ \t]*").match(site.draft.text, end)
    if following is not None and not site.last_on_line(following.end()):
        return [TextEdit(start, following.end(), "")]
    if following is not None:
        end = following.end()
    head = site.draft.text[site.line_start(start) : start]
    kept = re.sub(r"[ \t]*;[ \t]*$", "", head)
    return [TextEdit(start - (len(head) - len(kept)), end, "")]


def _past_blank_lines(site: Site, start: int, end: int) -> int:
    """Where the lines that go with a statement end: of the blank lines around it, the larger number stays."""
    behind = site.next_line(end)
    before, after = blank_lines(site, site.line_start(start))[0], blank_lines(site, behind)[1]
    if behind < len(site.draft.text):
        for _ in range(min(before, after)):
            behind = site.next_line(behind)
    return behind


def _refuse_needed(site: Site) -> None:
    """Refuse where the rest of the program uses what the statement gives it."""
    if is_statement(site.node):
        return
    for parent in [site.node, *ancestors(site.node)]:
        if is_statement(parent):
            return
        if parent.type == "pattern_list" or (parent.type == "expression_list" and parent.parent is not None):
            raise Refused("the statement also sets something else")
        if parent.type in ("argument_list", "conditional_expression", "boolean_operator") and parent.id != site.node.id:
            owner = parent.parent
            if owner is not None and owner.type == "call" and owner.id != (site.call.node.id if site.call else -1):
                raise Refused("the place is part of a larger expression")
        if parent.type == "assignment" and parent.id != site.node.id and site.value is None:
            left = parent.child_by_field_name("left")
            if left is not None and _used_elsewhere(site, left):
                raise Refused(f"{site.source(left)} is used elsewhere")


def _used_elsewhere(site: Site, target: Node) -> bool:
    """Whether anything but the assignment names what it gives a value."""
    kind = "identifier" if target.type == "identifier" else "attribute"
    last = target.child_by_field_name("attribute") or target
    text = site.source(last)
    for node in walk(site.draft.module.tree.root, kind):
        other = node.child_by_field_name("attribute") or node
        if other.id != last.id and site.source(other) == text:
            return True
    return False


def unwrap_with(site: Site, statement: Node) -> list[TextEdit]:
    """Take one item out of a `with`; with its last item, its body moves out."""
    clause = next((child for child in statement.named_children if child.type == "with_clause"), None)
    items = list(walk(clause, "with_item")) if clause is not None else []
    mine = next(
        (item for item in items if item.start_byte <= site.node.start_byte and site.node.end_byte <= item.end_byte),
        None,
    )
    body = statement.child_by_field_name("body")
    if mine is None or body is None:
        raise Refused("the place is inside a with statement, which does more")
    if len(items) > 1:
        index = next(i for i, item in enumerate(items) if item.id == mine.id)
        start, end = site.span(mine)
        if index + 1 < len(items):
            return [TextEdit(start, site.span(items[index + 1])[0], "")]
        return [TextEdit(site.span(items[index - 1])[1], end, "")]
    start = site.span(statement)[0]
    first = site.span(body.named_children[0])[0]
    if not site.first_on_line(first) or not site.first_on_line(start):
        raise Refused("the with statement stands on one line with its body")
    alias = mine.named_children[0] if mine.named_children else None
    if alias is not None and alias.type == "as_pattern":
        raise Refused("the with statement binds a name")
    outer, inner = site.indent(start), site.indent(first)
    edits = [TextEdit(site.line_start(start), site.line_start(first), _comments(site, start, first, outer))]
    edits += reindent(site, site.line_start(first), site.span(body)[1], inner, outer)
    return edits


def _comments(site: Site, start: int, first: int, indent: str) -> str:
    """The comment lines between a header and its body, which stay."""
    lines = site.draft.text[site.next_line(start) : site.line_start(first)].splitlines(keepends=True)
    return "".join(indent + line.lstrip() for line in lines if line.lstrip().startswith("#"))


def reindent(site: Site, start: int, end: int, old: str, new: str) -> list[TextEdit]:
    """Edits that move whole lines from one indentation to another, but not the lines inside strings."""
    strings = [site.span(node) for node in walk(site.draft.module.tree.root, "string")]
    edits: list[TextEdit] = []
    line = start
    while line < end:
        inside = any(low < line < high for low, high in strings)
        if not inside and site.draft.text[line : site.line_end(line)].strip():
            if site.draft.text.startswith(old, line):
                edits.append(TextEdit(line, line + len(old), new))
            elif not old:
                edits.append(TextEdit(line, line, new))
        following = site.next_line(line)
        if following <= line:
            break
        line = following
    return edits


def wrap_statement(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Put a statement into an indented block under a header."""
    statement = site.statement()
    header, extra = adapted(site, render(str(edit["header"]), names).strip(), statements=True)
    if _wrapped(site, statement, header):
        return []
    if statement.type in {"function_definition", "class_definition", "decorated_definition", *_IMPORT_TYPES}:
        raise Refused(f"a {statement.type.replace('_', ' ')} is not wrapped")
    if header.startswith(("if ", "while ", "for ")) and _binds(statement):
        raise Refused("names that the statement binds would be missing where the block does not run")
    start, end = site.span(statement)
    parent = statement.parent
    indent = site.indent(start)
    newline = site.draft.newline
    if site.first_on_line(start):
        if not site.last_on_line(end):
            raise Refused("other statements follow on the same line")
        head = [TextEdit(start, start, f"{header}{newline}{indent}{site.unit()}")]
        rest = reindent(site, site.next_line(start), end, "", site.unit()) if site.next_line(start) < end else []
        return [*extra, *head, *rest]
    if parent is None or parent.type != "block" or len(parent.named_children) != 1 or not site.last_on_line(end):
        raise Refused("other statements stand on the same line")
    inner = indent + site.unit()
    gap = len(site.draft.text[:start]) - len(site.draft.text[:start].rstrip(" \t"))
    text = f"{newline}{inner}{header}{newline}{inner}{site.unit()}"
    return [*extra, TextEdit(start - gap, start, text)]


_IMPORT_TYPES = frozenset({"import_statement", "import_from_statement", "future_import_statement"})


def _binds(statement: Node) -> bool:
    return any(
        True for _ in walk(statement, "assignment", "augmented_assignment", "return_statement", "named_expression")
    )


def _wrapped(site: Site, statement: Node, header: str) -> bool:
    """Whether the statement has such a header already, or stands in a block under one."""
    for owner in (statement, *ancestors(statement)):
        body = header_end(owner) if owner.type in COMPOUND else None
        if body is None:
            continue
        start = site.span(owner)[0]
        written = site.draft.source(start, site.span(body)[0])
        if normal(re.sub(r"#.*", "", written)) == normal(header):
            return True
        if owner.type in ("function_definition", "class_definition"):
            return False
    return False


def replace_text(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Replace what a regex matches in the place's source."""
    start, end = site.start, site.end
    body = header_end(site.node)
    if body is not None and is_statement(site.node):
        end = start + len(site.draft.source(start, site.span(body)[0]).rstrip())
    source = site.draft.source(start, end)
    pattern = str(fill_place(str(edit["pattern"]), names, "statement"))
    if "closest" in edit:
        return _respell(start, source, pattern, [render(str(item), names) for item in edit["closest"]])
    template = render(str(edit["to"]), names)
    edits: list[TextEdit] = []
    done = False
    for match in every(pattern, source):
        if match.start() == match.end():
            continue
        try:
            new = match.expand(template)
        except (regex.error, IndexError) as error:
            raise Refused(f"the record's replacement is wrong: {error}") from error
        if new == match[0] or _inside(source, match, new) or _written_before(source, match, template):
            done = True
            continue
        new, extra = adapted(site, new) if "." in new and "." not in match[0] else (new, [])
        edits += [*extra, TextEdit(start + match.start(), start + match.end(), new)]
    if not edits and not done:
        if template and _whole(template).search(source) is not None:
            return []
        raise NotFound("the code at the place does not read as the repair expects")
    return edits


def _whole(text: str) -> re.Pattern[str]:
    """A piece of code where it is no part of longer words: `np.prod` is not in `np.product`."""
    begin, end = (r"(?<!\w)" if text[:1].isalnum() else ""), (r"(?!\w)" if text[-1:].isalnum() else "")
    return re.compile(begin + re.escape(text) + end)


def _inside(source: str, match: regex.Match[str], new: str) -> bool:
    """Whether the match already stands inside what would replace it."""
    offset = new.find(match[0])
    while offset >= 0:
        begin = match.start() - offset
        if begin >= 0 and source[begin : begin + len(new)] == new:
            return True
        offset = new.find(match[0], offset + 1)
    return False


def _written_before(source: str, match: regex.Match[str], template: str) -> bool:
    """Whether what the template adds to the groups stands at the match already, as after an earlier repair."""
    parts = re.split(r"\\g<\w+>|\\\d+", template)
    added = max(parts, key=len)
    if len(parts) < 2 or len(added.strip()) < 4 or not re.search("[A-Za-z]", added):
        return False
    written = re.compile(r"[\s\S]{0,300}?".join(_whole(part).pattern for part in parts if part.strip()))
    first = written.search(source, max(0, match.start() - len(added)))
    return first is not None and first.start() <= match.end()


def _respell(start: int, source: str, pattern: str, right: list[str]) -> list[TextEdit]:
    group = 1 if compiled(pattern).groups else 0
    edits: list[TextEdit] = []
    seen = False
    for match in every(pattern, source):
        seen = True
        if match[group] in right:
            continue
        found = difflib.get_close_matches(match[group], right, n=1, cutoff=LIKENESS)
        if not found:
            raise Refused(f"nothing that is known is spelt like {match[group]!r}")
        edits.append(TextEdit(start + match.start(group), start + match.end(group), found[0]))
    if not seen:
        raise NotFound("the code at the place does not read as the repair expects")
    return edits
