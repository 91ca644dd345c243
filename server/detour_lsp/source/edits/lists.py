"""Arguments in and out of a call, pairs in and out of a dictionary, in the style in which they are written."""

from __future__ import annotations

from tree_sitter import Node

from detour_lsp.source.edits.site import Site
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.names import Call
from detour_lsp.source.templates import Refused


def elements(container: Node) -> list[Node]:
    """The members of an argument list or a literal, without comments."""
    return [child for child in container.named_children if child.type != "comment"]


def arguments_of(call: Call) -> Node | None:
    """The argument list of a call, a partial or a decorator with arguments; None for a bare decorator."""
    return call.node.child_by_field_name("arguments") if call.node.type == "call" else None


def add_argument(site: Site, call: Call, text: str) -> list[TextEdit]:
    """Append `text` (`name=value`) to a call's arguments; a bare decorator becomes a call."""
    container = arguments_of(call)
    if container is None:
        if call.kind != "decorator":
            raise Refused("the call has no argument list")
        end = site.span(call.node)[1]
        return [TextEdit(end, end, f"({text})")]
    if container.type == "generator_expression":
        start, end = site.span(container)
        return [TextEdit(start, start, "("), TextEdit(end, end, f", {text})")]
    return append(site, container, text)


def append(site: Site, container: Node, text: str) -> list[TextEdit]:
    """Append an element to a bracketed list, on its own line where the elements have lines of their own."""
    members = elements(container)
    start, end = site.span(container)
    if not members:
        return [TextEdit(start + 1, start + 1, text)]
    last = members[-1]
    last_start, last_end = site.span(last)
    comma = _comma_behind(site, last, container)
    behind = last_end if comma is None else comma
    closing_own_line = site.first_on_line(end - 1)
    if closing_own_line and site.first_on_line(last_start) and site.last_on_line(behind):
        line_end = site.line_end(behind)
        added = f"{site.draft.newline}{site.indent(last_start)}{text}"
        if comma is not None:
            return [TextEdit(line_end, line_end, f"{added},")]
        return [TextEdit(last_end, last_end, ","), TextEdit(line_end, line_end, added)]
    if comma is not None:
        return [TextEdit(comma, comma, f" {text},")]
    return [TextEdit(last_end, last_end, f", {text}")]


def _comma_behind(site: Site, member: Node, container: Node) -> int | None:
    """Offset behind the comma that follows a member, if one does."""
    sibling = member.next_sibling
    while sibling is not None and sibling.type == "comment":
        sibling = sibling.next_sibling
    if sibling is None or sibling.type != "," or sibling.parent is None or sibling.parent.id != container.id:
        return None
    return site.span(sibling)[1]


def remove(site: Site, member: Node) -> list[TextEdit]:
    """Take a member out of its list, with its comma, and with its line where it has one of its own."""
    container = member.parent
    if container is None:
        raise Refused("nothing to take out")
    members = elements(container)
    index = next(i for i, other in enumerate(members) if other.id == member.id)
    start, end = site.span(member)
    comma = _comma_behind(site, member, container)
    behind = end if comma is None else comma
    if site.first_on_line(start) and site.last_on_line(behind):
        closing = site.span(container)[1] - 1
        if closing >= site.next_line(behind):
            return [TextEdit(site.line_start(start), site.next_line(behind), "")]
    if index + 1 < len(members):
        following = site.span(members[index + 1])[0]
        if not site.draft.source(behind, following).strip():
            return [TextEdit(start, following, "")]
        return [TextEdit(start, behind, "")]
    if index > 0:
        previous = site.span(members[index - 1])[1]
        between = site.draft.source(previous, start)
        if between.replace(",", "", 1).strip():
            # A comment stands between the two; it belongs to the one in front.
            return [TextEdit(start, behind, "")]
        return [TextEdit(previous, end, "")]
    return [TextEdit(start, behind, "")]
