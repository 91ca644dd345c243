"""Edits of the arguments of a call: `set_keyword`, `remove_keyword`, `replace_value`."""

from __future__ import annotations

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits import lists
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.site import Site, fits, normal, value_of
from detour_lsp.source.edits.spelling import closest
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.names import Call
from detour_lsp.source.predicates import accepts
from detour_lsp.source.templates import Names, Refused, render


def set_keyword(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Give a call the keyword, or the keyword its value."""
    call = site.called
    name = render(str(edit["name"]), names)
    value, imports = adapted(site, render(str(edit["value"]), names))
    target = _existing(site, call, name, edit)
    if target is not None:
        if normal(site.source(target)) == normal(value):
            return []
        return [*imports, site.replace(target, value)]
    return [*imports, *lists.add_argument(site, call, f"{name}={value}")]


def _existing(site: Site, call: Call, name: str, edit: Clause) -> Node | None:
    """The value that the parameter has now, wherever it is written. Refuses where that cannot be known."""
    keyword = call.keywords.get(name)
    if keyword is not None:
        return keyword.value
    _refuse_unknown(site, call, name)
    if "position" in edit:
        if call.star:
            raise Refused("the call passes *arguments whose content is not known")
        if len(call.arguments) > int(edit["position"]):
            return call.arguments[int(edit["position"])]
    return None


def _refuse_unknown(site: Site, call: Call, name: str) -> None:
    """Refuse a call that may pass `name` inside `**options`: a keyword that is passed twice is an error."""
    container = lists.arguments_of(call)
    for member in lists.elements(container) if container is not None else []:
        if member.type != "dictionary_splat":
            continue
        options = site.source(member).removeprefix("**").strip()
        if call.double_star:
            raise Refused(f"the call passes **{options}, which may hold {name} already")


def remove_keyword(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Take a keyword away, if it has the value that the edit asks for."""
    call = site.called
    name = render(str(edit["name"]), names)
    keyword = call.keywords.get(name)
    if keyword is None:
        _refuse_unknown(site, call, name)
        position = int(edit.get("position", -1))
        if 0 <= position < len(call.arguments) and not call.star:
            if position != len(call.arguments) - 1:
                raise Refused(f"{name} is passed by position, with others behind it")
            return lists.remove(site, call.arguments[position])
        return []
    if "value" in edit and not accepts(site.draft.module, edit["value"], keyword.value):
        raise Refused(f"{name} is {site.source(keyword.value)}, which is not the value at fault")
    if keyword.node.type not in {"keyword_argument", "pair"}:
        raise Refused(f"{name} is written into the call's options by a statement of its own")
    return lists.remove(site, keyword.node)


def replace_value(site: Site, edit: Clause, names: Names) -> list[TextEdit]:
    """Put another value in the place of an argument, of what is assigned, or of the place itself."""
    target = _target(site, edit)
    if "closest" in edit:
        value, imports = closest(site.source(target), edit["closest"]), []
    else:
        value, imports = adapted(site, render(str(edit["value"]), names))
    if normal(site.source(target)) == normal(value):
        return []
    return [*imports, site.replace(target, fits(target, value))]


def _target(site: Site, edit: Clause) -> Node:
    if "keyword" in edit or "argument" in edit:
        call = site.called
        keyword = call.keywords.get(str(edit.get("keyword", "")))
        if keyword is not None:
            return keyword.value
        if "argument" in edit and len(call.arguments) > int(edit["argument"]):
            return call.arguments[int(edit["argument"])]
        raise Refused("the call does not pass that argument")
    return value_of(site)
