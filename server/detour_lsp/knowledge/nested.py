"""The nested schema of the public package `deadends-dev` to `Record`.

Its records are rewritten into the seeds' schema and then checked like any other, so there is one set of rules. What it
has and Detour has not (page views, environment of an AI agent) is left behind; nothing is made up for what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from detour_lsp.knowledge.problem import Problem, RecordError
from detour_lsp.knowledge.record import Record
from detour_lsp.knowledge.schema import parse_record

#: Key of the seeds' schema -> key of the nested one, where it is the same thing under another name.
_SAME = {
    "id": "id",
    "signature": "error.signature",
    "regex": "error.regex",
    "domain": "error.domain",
    "category": "error.category",
    "first_seen": "error.first_seen",
    "last_confirmed": "error.last_confirmed",
    "root_cause": "verdict.summary",
    "resolvable": "verdict.resolvable",
    "confidence": "verdict.confidence",
    "fix_success_rate": "verdict.fix_success_rate",
    "last_updated": "verdict.last_updated",
    "evidence_count": "metadata.evidence_count",
    "official_doc_url": "url",
    "dead_ends": "dead_ends",
    "workarounds": "workarounds",
}
#: What the nested schema calls the programs whose versions Detour compares.
_PACKAGES = {"pytorch": "torch"}


def is_nested(data: object) -> bool:
    """Whether decoded JSON looks like a record in the nested schema (`error.regex`, `verdict`, ...)."""
    return isinstance(data, dict) and isinstance(cast("dict[str, Any]", data).get("error"), dict)


def parse_nested(data: object, origin: str) -> Record:
    """Turn decoded JSON of the nested schema into a record; raises RecordError naming the keys of that schema."""
    if not is_nested(data):
        raise RecordError([Problem(origin, "error", "this object is missing")])
    nested = cast("dict[str, Any]", data)
    flat: dict[str, Any] = {
        "signature_zh": "",
        "subcategory": None,
        "root_cause_type": "",
        "root_cause_zh": "",
        "versions": list(_versions(nested)),
        "os_specific": _os_specific(nested),
        "workarounds_zh": [],
        "transition_graph": _edges(nested, origin),
        "official_doc_section": None,
        "error_code": None,
        # Whatever its own review status says: Detour has not run it.
        "verification_tier": "ai_generated",
        "tags": [],
        "locale": "en",
        "aliases": [],
        "official_doc_url": None,
        "fix_success_rate": None,
        "evidence_count": 0,
    }
    for key, path in _SAME.items():
        found, value = _at(nested, path)
        if found:
            flat[key] = value
    if isinstance(flat.get("regex"), str):
        # The package searches without regard to case.
        flat["regex"] = "(?i)" + flat["regex"]
    if isinstance(flat.get("resolvable"), bool):
        flat["resolvable"] = str(flat["resolvable"]).lower()
    if isinstance(flat.get("workarounds"), list):
        flat["workarounds"] = [_with_tradeoff(item) for item in cast("list[Any]", flat["workarounds"])]
    if isinstance(flat.get("dead_ends"), list):
        flat["dead_ends"] = [_with_misconception(item) for item in cast("list[Any]", flat["dead_ends"])]
    try:
        return parse_record(flat, origin)
    except RecordError as error:
        raise RecordError([_renamed(problem) for problem in error.problems]) from error


def _at(data: Mapping[str, Any], path: str) -> tuple[bool, Any]:
    value: Any = data
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return False, None
        value = cast("dict[str, Any]", value)[part]
    return True, value


def _renamed(problem: Problem) -> Problem:
    """The complaint with the key that stands in the file."""
    head, dot, rest = problem.key.partition(".")
    return replace(problem, key=_SAME.get(head, head) + dot + rest)


def _versions(nested: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    _, name = _at(nested, "environment.runtime.name")
    _, bounds = _at(nested, "environment.runtime.version_range")
    if isinstance(name, str) and isinstance(bounds, str) and bounds[:1] in tuple("<>=!~"):
        yield {"version": _PACKAGES.get(name.lower(), name.lower()) + bounds}
    _, python = _at(nested, "environment.python")
    if isinstance(python, str) and python[:1] in tuple("<>=!~"):
        yield {"version": f"python{python}"}


def _os_specific(nested: Mapping[str, Any]) -> dict[str, Any]:
    _, system = _at(nested, "environment.os")
    return {"os": system} if isinstance(system, str) and system != "any" else {}


def _edges(nested: Mapping[str, Any], origin: str) -> dict[str, list[str]]:
    edges: dict[str, list[str]] = {}
    for kind in ("leads_to", "preceded_by", "frequently_confused_with"):
        found, items = _at(nested, f"transition_graph.{kind}")
        if found and not isinstance(items, list):
            raise RecordError([Problem(origin, f"transition_graph.{kind}", "a list is expected")])
        edges[kind] = [
            item["error_id"]
            for item in cast("list[Any]", items or [])
            if isinstance(item, dict) and isinstance(cast("dict[str, Any]", item).get("error_id"), str)
        ]
    return edges


def _fields(item: Any) -> dict[str, Any]:
    """A copy of the fields of an entry; empty for what is no entry, which the schema then complains about."""
    return dict(cast("dict[str, Any]", item)) if isinstance(item, dict) else {}


def _with_tradeoff(item: object) -> object:
    """A workaround keeps what it costs, as a sentence of how it is done."""
    fields = _fields(item)
    tradeoff = fields.pop("tradeoff", None)
    if not isinstance(tradeoff, str):
        return item
    how = str(fields.get("how") or "")
    return {**fields, "how": f"{how}\n\nTrade-off: {tradeoff}".strip()}


def _with_misconception(item: object) -> object:
    """A dead end keeps the belief that leads into it."""
    fields = _fields(item)
    belief, why = fields.pop("common_misconception", None), fields.get("why_fails")
    if not isinstance(belief, str) or not isinstance(why, str):
        return item
    return {**fields, "why_fails": f"{why}\n\nCommon misconception: {belief}"}
