"""The keys that selectors, edits, places and value predicates may have (docs/architecture.md states their meaning).

A record is data from strangers: a misspelt key must be reported when it loads, not ignored when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

SELECTOR_HEADS = frozenset({"set", "call", "decorator", "use", "env", "class"})
SELECTOR_KEYS = frozenset(
    {
        "value", "keyword", "missing", "position", "arguments", "receiver", "on", "on_kind", "after_import",
        "after_call", "missing_call", "in", "within", "statement", "versions", "inside", "outside", "inside_class",
        "severity",
    }
)  # fmt: skip
PLACE_WORDS = frozenset({"finding", "frame"})
PLACE_HEADS = SELECTOR_HEADS | {"statement"}
PLACE_KEYS = (SELECTOR_KEYS - {"severity", "versions"}) | {
    "scope", "which", "argument", "keyword_value", "receiver", "assigned", "definition", "callee", "right_side",
    "feeds",
}  # fmt: skip
SCOPES = frozenset({"frame", "function", "class", "file", "workspace"})
WHICH = frozenset({"nearest", "previous", "next", "first", "last", "all"})
CONTEXTS = frozenset(
    {"loop", "function", "class", "module", "test", "main_guard", "flag", "with", "handler", "released"}
)
VALUE_KEYS = frozenset({"is", "le", "lt", "ge", "gt", "in", "matches", "not", "kind", "call", "source", "unless"})
INSERT_WHERE = frozenset({"before", "after", "top", "first_in_function", "first_in_init", "after_import"})

#: For each edit: the keys that it must have, and those that it may have.
EDITS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    name: (frozenset(must.split()), frozenset(may.split()))
    for name, must, may in (
        ("set_keyword", "at name value", "position"),
        ("remove_keyword", "at name", "value position"),
        ("replace_value", "at", "value closest argument keyword"),
        ("replace_call", "at to", "map"),
        ("remove_statement", "at", ""),
        ("replace_name", "at name to", ""),
        ("replace_method", "at name to", ""),
        ("insert_statement", "at where code", ""),
        ("add_import", "module", "name as at"),
        ("add_decorator", "at code", ""),
        ("remove_decorator", "at name", ""),
        ("wrap_expression", "at before after", ""),
        ("append_call", "at call", ""),
        ("move_before_import", "at package", ""),
        ("move_statement", "at to where", ""),
        ("guard_main", "", "at"),
        ("wrap_statement", "at header", ""),
        ("if_to_where", "", "at"),
        ("lambda_to_function", "at name", ""),
        ("replace_text", "at pattern", "to closest"),
    )
}

Report = Callable[[str, str], None]


def check_value(value: object, key: str, report: Report) -> None:
    """Report what is wrong with a value predicate such as `{"le": 0}`."""
    if not isinstance(value, Mapping):
        report(key, 'a value predicate is an object such as {"le": 0}')
        return
    for name in value:  # pyright: ignore[reportUnknownVariableType]
        if name not in VALUE_KEYS:
            report(f"{key}.{name}", f"unknown predicate; known are {', '.join(sorted(VALUE_KEYS))}")
    if "not" in value:
        check_value(value["not"], f"{key}.not", report)  # pyright: ignore[reportUnknownArgumentType]


def _check_common(clause: Mapping[str, Any], key: str, report: Report) -> None:
    if "value" in clause:
        check_value(clause["value"], f"{key}.value", report)
    for table in ("keyword", "position"):
        if table in clause:
            predicates = clause[table]
            if not isinstance(predicates, Mapping):
                report(f"{key}.{table}", "must be an object of value predicates")
                continue
            for name, predicate in predicates.items():  # pyright: ignore[reportUnknownVariableType]
                check_value(predicate, f"{key}.{table}.{name}", report)  # pyright: ignore[reportUnknownArgumentType]
    for table in ("inside", "outside"):
        for context in clause.get(table, ()):
            if context not in CONTEXTS and not str(context).startswith("method:"):
                known = ", ".join([*sorted(CONTEXTS), "method:NAME"])
                report(f"{key}.{table}", f"unknown context {context!r}; known are {known}")


def _head(clause: Mapping[str, Any], heads: frozenset[str], key: str, report: Report) -> None:
    found = [head for head in heads if head in clause]
    if len(found) != 1:
        report(key, f"must have exactly one of {', '.join(sorted(heads))}")


def check_selector(clause: object, key: str, report: Report) -> None:
    """Report what is wrong with a selector of `detect`."""
    if not isinstance(clause, Mapping):
        report(key, "a selector is an object")
        return
    selector: Mapping[str, Any] = clause  # pyright: ignore[reportUnknownVariableType]
    _head(selector, SELECTOR_HEADS, key, report)
    for name in selector:
        if name not in SELECTOR_HEADS | SELECTOR_KEYS:
            report(f"{key}.{name}", f"unknown key; known are {', '.join(sorted(SELECTOR_HEADS | SELECTOR_KEYS))}")
    _check_common(selector, key, report)


def check_place(place: object, key: str, report: Report) -> None:
    """Report what is wrong with an `at`."""
    if isinstance(place, str):
        if place not in PLACE_WORDS:
            report(key, f"a place is one of {', '.join(sorted(PLACE_WORDS))} or an object")
        return
    if not isinstance(place, Mapping):
        report(key, "a place is a word or an object")
        return
    clause: Mapping[str, Any] = place  # pyright: ignore[reportUnknownVariableType]
    _head(clause, PLACE_HEADS, key, report)
    for name in clause:
        if name not in PLACE_HEADS | PLACE_KEYS:
            report(f"{key}.{name}", f"unknown key; known are {', '.join(sorted(PLACE_HEADS | PLACE_KEYS))}")
    if clause.get("scope", "file") not in SCOPES:
        report(f"{key}.scope", f"must be one of {', '.join(sorted(SCOPES))}")
    if clause.get("which", "nearest") not in WHICH:
        report(f"{key}.which", f"must be one of {', '.join(sorted(WHICH))}")
    _check_common(clause, key, report)


def check_edit(clause: object, key: str, report: Report) -> None:
    """Report what is wrong with an edit of `repair.edits`."""
    if not isinstance(clause, Mapping):
        report(key, "an edit is an object")
        return
    edit: Mapping[str, Any] = clause  # pyright: ignore[reportUnknownVariableType]
    name = edit.get("edit")
    if name not in EDITS:
        report(f"{key}.edit", f"unknown edit {name!r}; known are {', '.join(sorted(EDITS))}")
        return
    must, may = EDITS[str(name)]
    for missing in sorted(must - edit.keys()):
        report(f"{key}.{missing}", f"{name} needs this key")
    for extra in sorted(edit.keys() - must - may - {"edit", "optional", "bind", "unless_used", "why", "why_zh"}):
        report(f"{key}.{extra}", f"{name} has no such key; known are {', '.join(sorted(must | may))}")
    if "at" in edit:
        check_place(edit["at"], f"{key}.at", report)
    if name == "move_statement":
        check_place(edit.get("to"), f"{key}.to", report)
        if edit.get("where") not in ("before", "after"):
            report(f"{key}.where", "must be before or after")
    if name == "insert_statement" and edit.get("where") not in INSERT_WHERE:
        report(f"{key}.where", f"must be one of {', '.join(sorted(INSERT_WHERE))}")
    if name == "remove_keyword" and "value" in edit:
        check_value(edit["value"], f"{key}.value", report)
