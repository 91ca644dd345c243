"""Edits of a call or an expression as a whole: `replace_call`, `replace_method`, `append_call`, `wrap_expression`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits import imports, lists
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.site import Site, fits, is_atom, normal, tight, value_of
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.names import Call
from detour_lsp.source.templates import Names, Refused, render

_ARGUMENT = re.compile(r"(?<!\{)\{(arg\d+|kw:\w+|args|rest|func|receiver)\}(?!\})")
#: A template of one field unwraps a call; what else it passed belongs to the wrapper and goes with it.
_UNWRAP = re.compile(r"\{(arg\d+|receiver|kw:\w+)\}")


def replace_call(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Write a call anew from a template that names its parts."""
    call = site.called
    template = str(edit["to"])
    if call.kind == "decorator" and call.definition is not None and not _passes_anything(call):
        return _redecorate(site, call, template, names)
    fields = set(_ARGUMENT.findall(template))
    parts = _parts(site, call, fields, edit.get("map") or {})
    # A template that names no part, or only one, means to leave the rest of the call out.
    if fields and not _UNWRAP.fullmatch(template) and not fields & {"args", "rest"}:
        _refuse_loss(call, fields)
    text = _render_parts(template, parts, names)
    text, added = adapted(site, text)
    if normal(text) == normal(site.source(call.node)):
        return []
    old = call.function
    gone: list[TextEdit] = []
    if old.type == "identifier" and not fields & {"func"}:
        gone = imports.forget(site, site.source(old), [site.span(call.node)])
    return [*added, site.replace(call.node, fits(call.node, text)), *gone]


def _passes_anything(call: Call) -> bool:
    """Whether a decorator passes anything by itself; `{arg0}` of one that does not is the decorated function."""
    container = lists.arguments_of(call)
    return container is not None and bool(lists.elements(container))


def _redecorate(site: Site, call: Call, template: str, names: Names) -> list[TextEdit]:
    """`@f` is a call of `f` with the function below it: `{arg0}` takes it off, `g({arg0})` makes it `@g`."""
    decorator = call.node.parent
    if decorator is None or decorator.type != "decorator":
        raise Refused("the place is not a call")
    if template.strip() == "{arg0}":
        start, end = site.span(decorator)
        if not site.first_on_line(start) or not site.last_on_line(end):
            raise Refused("the decorator does not have a line of its own")
        return [TextEdit(site.line_start(start), site.next_line(end), "")]
    match = re.fullmatch(r"\s*([\w.]+)\(\{arg0\}\)\s*", template)
    if match is None:
        raise Refused("a decorator cannot be written so")
    text, added = adapted(site, render(match[1], names))
    return [*added, site.replace(call.node, text)] if normal(text) != normal(site.source(call.node)) else []


def _refuse_loss(call: Call, fields: set[str]) -> None:
    lost = [f"argument {i + 1}" for i in range(len(call.arguments)) if f"arg{i}" not in fields]
    lost += [name for name in call.keywords if f"kw:{name}" not in fields]
    if lost or call.star or call.double_star:
        raise Refused(f"the call also passes {', '.join(lost) or 'arguments that are not known here'}")


def _parts(site: Site, call: Call, fields: set[str], mapping: Mapping[str, str]) -> dict[str, str]:
    parts: dict[str, str] = {}
    used: set[int] = set()
    for field in fields:
        if field == "func":
            parts[field] = site.source(call.function)
        elif field == "receiver":
            if call.receiver is None:
                raise Refused("the call is not that of a method")
            parts[field] = site.source(call.receiver)
        elif field.startswith("arg") and field != "args":
            index = int(field[3:])
            if index >= len(call.arguments) or call.star:
                raise Refused("the call does not pass that argument")
            parts[field] = _mapped(site, call, index, mapping)
            used.add(call.arguments[index].id)
        elif field.startswith("kw:"):
            keyword = call.keywords.get(field[3:])
            if keyword is None:
                raise Refused(f"the call does not pass {field[3:]}")
            parts[field] = site.source(keyword.value)
            used.add(keyword.node.id)
    container = lists.arguments_of(call)
    if "args" in fields:
        parts["args"] = site.source(container)[1:-1].strip() if container is not None else ""
    if "rest" in fields:
        members = lists.elements(container) if container is not None else []
        skip = 1 if call.kind == "partial" else 0
        parts["rest"] = ", ".join(site.source(node) for node in members[skip:] if node.id not in used)
    return parts


def _mapped(site: Site, call: Call, index: int, mapping: Mapping[str, str]) -> str:
    node = call.arguments[index]
    source = site.source(node)
    if not mapping:
        return source
    for key in (site.draft.module.resolve(node), source, source.strip("\"'")):
        if key is not None and key in mapping:
            return mapping[key]
    raise Refused(f"there is no replacement for {source}")


def _render_parts(template: str, parts: Mapping[str, str], names: Names) -> str:
    """The template with arguments in parentheses where what stands next to them asks for it."""
    # Parts go in last: they are code, in which braces are not fields.
    holes: dict[str, str] = {}

    def hole(match: re.Match[str]) -> str:
        before, behind = template[: match.start()].rstrip()[-1:], template[match.end() :].lstrip()[:1]
        code = parts[match[1]]
        list_field = match[1] in ("args", "rest")
        enclosed = before in ("", "(", ",", "[", "=") and behind in ("", ")", ",", "]")
        holes[f"\0{len(holes)}\0"] = code if enclosed or list_field else tight(code)
        return list(holes)[-1]

    text = render(_ARGUMENT.sub(hole, template), names)
    for mark, code in holes.items():
        if not code:
            text = re.sub(rf",\s*{mark}|{mark}\s*,\s*|{mark}", "", text)
        else:
            text = text.replace(mark, code.rstrip(",") if text[text.index(mark) + len(mark) :][:1] == ")" else code)
    return text


def replace_method(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Call another method of the same object."""
    call = site.called
    new = render(str(edit["to"]), names)
    attribute = call.function.child_by_field_name("attribute") if call.function.type == "attribute" else None
    if attribute is None:
        raise Refused("the call is not that of a method")
    current = site.source(attribute)
    if current == new:
        return []
    if edit["name"] not in ("*", current):
        raise Refused(f"the method called is {current}, not {edit['name']}")
    return [site.replace(attribute, new)]


def append_call(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Put a method call (or an attribute) behind an expression."""
    node = value_of(site)
    added, extra = adapted(site, f"_{render(str(edit['call']), names)}")
    added = added[1:]
    start, end = site.span(node)
    source = site.draft.source(start, end)
    inner = source.strip("() \t\r\n")
    following = site.draft.text[end:].lstrip(" )\r\n\t")
    if normal(source).endswith(normal(added)) or normal(inner).endswith(normal(added)) or following.startswith(added):
        return []
    if is_atom(source) and node.type not in ("integer",):
        return [*extra, TextEdit(end, end, added)]
    return [*extra, TextEdit(start, start, "("), TextEdit(end, end, f"){added}")]


def wrap_expression(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Put code in front of and behind an expression."""
    node = value_of(site)
    mark = "_detour_"
    code, extra = adapted(site, render(str(edit["before"]), names) + mark + render(str(edit["after"]), names))
    before, _, after = code.partition(mark)
    start, end = site.span(node)
    text = site.draft.text
    source = text[start:end]
    if source.startswith(before) and source.endswith(after):
        return []
    if text[:start].endswith(before) and text[end:].startswith(after):
        return []
    if not before.rstrip().endswith(("(", "[", ",", "{")) and not is_atom(source):
        before, after = f"{before}(", f"){after}"
    if fits(node, f"{before}{source}{after}") != f"{before}{source}{after}":
        before, after = f"({before}", f"{after})"
    return [*extra, TextEdit(start, start, before), TextEdit(end, end, after)]
