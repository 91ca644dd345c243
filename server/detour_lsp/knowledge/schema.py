"""JSON to `Record`: the edge where records come in, and the only module of `knowledge` that imports pydantic.

A record may come from anybody, so every complaint names the file, the key and what to do, and one bad record never
keeps the others from loading.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import regex
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from detour_lsp.knowledge import grammar
from detour_lsp.knowledge.problem import Problem, RecordError
from detour_lsp.knowledge.record import (
    Clause,
    DeadEnd,
    Edges,
    Evidence,
    Record,
    Repair,
    Signature,
    VersionBound,
    Workaround,
)

Rate = Annotated[float, Field(ge=0, le=1)]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}(-\d{2})?$")]


class _Model(BaseModel):
    # Unknown keys are kept, so that a record of a later version loads; `kb check` names them.
    model_config = ConfigDict(extra="allow", strict=True)


class _Evidence(_Model):
    package: str
    version: str
    outcome: Literal["confirmed", "refuted", "partly"]
    program: str = ""
    note: str = ""
    note_zh: str = ""
    date: Date = "2026-11-30"


class _Repair(_Model):
    title: Text
    title_zh: str = ""
    applicability: Literal["safe", "unsafe", "display"] = "unsafe"
    edits: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])


class _DeadEnd(_Model):
    action: Text
    why_fails: Text
    fail_rate: Rate | None = None
    condition: str = ""
    sources: list[str] = Field(default_factory=list[str])
    detect: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    severity: Literal["error", "warning", "information", "hint"] = "warning"
    repair: _Repair | None = None
    when: dict[str, Any] = Field(default_factory=dict[str, Any])
    evidence: list[_Evidence] = Field(default_factory=list[_Evidence])
    action_zh: str = ""
    why_fails_zh: str = ""


class _Workaround(_Model):
    action: Text
    success_rate: Rate | None = None
    how: str = ""
    condition: str = ""
    sources: list[str] = Field(default_factory=list[str])
    when: dict[str, Any] = Field(default_factory=dict[str, Any])
    repair: _Repair | None = None
    evidence: list[_Evidence] = Field(default_factory=list[_Evidence])
    action_zh: str = ""
    how_zh: str = ""


class _Version(_Model):
    version: str
    introduced: str | None = None
    deprecated: str | None = None
    removed: str | None = None
    behavior_change: str | None = None
    status: str = "active"


class _Edges(_Model):
    leads_to: list[str] = Field(default_factory=list[str])
    preceded_by: list[str] = Field(default_factory=list[str])
    frequently_confused_with: list[str] = Field(default_factory=list[str])


class _Signature(_Model):
    regex: Text
    example: str = ""
    versions: list[str] = Field(default_factory=list[str])
    level: Literal["error", "warning", "symptom"] = "error"


class _Record(_Model):
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*(/[a-z0-9][a-z0-9_.-]*)+$", max_length=200)]
    signature: Text
    signature_zh: str
    regex: Text
    domain: Text
    category: Text
    subcategory: str | None
    root_cause: Text
    root_cause_type: str
    root_cause_zh: str
    versions: list[_Version]
    os_specific: dict[str, Any]
    dead_ends: list[_DeadEnd]
    workarounds: list[_Workaround]
    workarounds_zh: list[str]
    transition_graph: _Edges
    official_doc_url: str | None
    official_doc_section: str | None
    error_code: str | None
    verification_tier: Literal["ai_generated", "documented", "reproduced", "proven"]
    confidence: Rate
    fix_success_rate: Rate | None
    resolvable: str
    first_seen: Date
    last_confirmed: Date
    last_updated: Date
    evidence_count: Annotated[int, Field(ge=0)]
    tags: list[str]
    locale: str
    aliases: list[str]
    signatures: list[_Signature] = Field(default_factory=list[_Signature])
    title: str = ""
    title_zh: str = ""
    correction: str = ""
    correction_zh: str = ""
    sources: list[str] = Field(default_factory=list[str])
    evidence: list[_Evidence] = Field(default_factory=list[_Evidence])
    outranks: list[str] = Field(default_factory=list[str])


#: The 30 keys of a seed record, in their order.
SEED_KEYS: tuple[str, ...] = tuple(name for name, info in _Record.model_fields.items() if info.is_required())


def parse_record(data: object, origin: str) -> Record:
    """Turn decoded JSON into a record.

    `origin` names the file in messages. Raises RecordError with one problem per bad key.
    """
    if not isinstance(data, dict):
        raise RecordError([Problem(origin, "", f"a record is a JSON object, not {type(data).__name__}")])
    try:
        model = _Record.model_validate(data)
    except ValidationError as error:
        raise RecordError([_problem(origin, dict(item)) for item in error.errors()]) from error
    problems: list[Problem] = []
    _check_regexes(model, origin, problems)
    _check_clauses(model, origin, problems)
    if problems:
        raise RecordError(problems)
    return _record(model, origin)


def unknown_keys(data: dict[str, Any]) -> list[str]:
    """The keys, dotted, of a valid record that the schema does not know."""
    found: list[str] = []
    _collect_extra(_Record.model_validate(data), "", found)
    return found


def _collect_extra(value: object, prefix: str, found: list[str]) -> None:
    if isinstance(value, BaseModel):
        found.extend(f"{prefix}{name}" for name in value.model_extra or ())
        for name in type(value).model_fields:
            _collect_extra(getattr(value, name), f"{prefix}{name}.", found)
    elif isinstance(value, list):
        for index, item in enumerate(value):  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
            _collect_extra(item, f"{prefix}{index}.", found)  # pyright: ignore[reportUnknownArgumentType]


def _problem(origin: str, item: dict[str, Any]) -> Problem:
    key = ".".join(str(part) for part in item["loc"])
    reason = "this key is missing" if item["type"] == "missing" else str(item["msg"])
    return Problem(origin, key, reason)


def _check_regexes(model: _Record, origin: str, problems: list[Problem]) -> None:
    named = [("regex", model.regex), *((f"signatures.{i}.regex", s.regex) for i, s in enumerate(model.signatures))]
    for key, pattern in named:
        try:
            regex.compile(pattern, regex.MULTILINE)
        except (regex.error, OverflowError, RecursionError) as error:
            problems.append(Problem(origin, key, f"not a regular expression: {error}"))


def _check_clauses(model: _Record, origin: str, problems: list[Problem]) -> None:
    def report(key: str, reason: str) -> None:
        problems.append(Problem(origin, key, reason))

    for i, dead_end in enumerate(model.dead_ends):
        for j, selector in enumerate(dead_end.detect):
            grammar.check_selector(selector, f"dead_ends.{i}.detect.{j}", report)
        _check_repair(dead_end.repair, f"dead_ends.{i}", report)
    for i, workaround in enumerate(model.workarounds):
        _check_repair(workaround.repair, f"workarounds.{i}", report)


def _check_repair(repair: _Repair | None, key: str, report: grammar.Report) -> None:
    if repair is None:
        return
    if not repair.edits and repair.applicability != "display":
        report(f"{key}.repair.edits", "a repair that is applied needs at least one edit")
    for i, edit in enumerate(repair.edits):
        grammar.check_edit(edit, f"{key}.repair.edits.{i}", report)


def _evidence(items: list[_Evidence]) -> tuple[Evidence, ...]:
    return tuple(Evidence(e.package, e.version, e.outcome, e.program, e.note, e.date, note_zh=e.note_zh) for e in items)


def _repair(model: _Repair | None) -> Repair | None:
    if model is None:
        return None
    edits: tuple[Clause, ...] = tuple(model.edits)
    return Repair(edits, model.applicability, model.title, model.title_zh)


def _dead_end(model: _DeadEnd) -> DeadEnd:
    return DeadEnd(
        action=model.action,
        why_fails=model.why_fails,
        fail_rate=model.fail_rate,
        condition=model.condition,
        sources=tuple(model.sources),
        detect=tuple(model.detect),
        severity=model.severity,
        repair=_repair(model.repair),
        when=model.when,
        evidence=_evidence(model.evidence),
        action_zh=model.action_zh,
        why_fails_zh=model.why_fails_zh,
    )


def _workaround(model: _Workaround, zh: str) -> Workaround:
    return Workaround(
        action=model.action,
        success_rate=model.success_rate,
        how=model.how,
        condition=model.condition,
        sources=tuple(model.sources),
        when=model.when,
        repair=_repair(model.repair),
        evidence=_evidence(model.evidence),
        action_zh=model.action_zh or zh,
        how_zh=model.how_zh,
    )


def _record(model: _Record, origin: str) -> Record:
    zh = [*model.workarounds_zh, *[""] * len(model.workarounds)]
    return Record(
        **{name: getattr(model, name) for name in _PLAIN},
        versions=tuple(
            VersionBound(v.version, v.introduced, v.deprecated, v.removed, v.behavior_change, v.status)
            for v in model.versions
        ),
        dead_ends=tuple(_dead_end(item) for item in model.dead_ends),
        workarounds=tuple(_workaround(item, zh[i]) for i, item in enumerate(model.workarounds)),
        workarounds_zh=tuple(model.workarounds_zh),
        transition_graph=Edges(
            tuple(model.transition_graph.leads_to),
            tuple(model.transition_graph.preceded_by),
            tuple(model.transition_graph.frequently_confused_with),
        ),
        tags=tuple(model.tags),
        aliases=tuple(model.aliases),
        signatures=tuple(Signature(s.regex, s.example, tuple(s.versions), s.level) for s in model.signatures),
        sources=tuple(model.sources),
        evidence=_evidence(model.evidence),
        outranks=tuple(model.outranks),
        origin=origin,
    )


#: The fields that model and data class share as they are.
_PLAIN = (
    "id", "signature", "signature_zh", "regex", "domain", "category", "subcategory", "root_cause", "root_cause_type",
    "root_cause_zh", "os_specific", "official_doc_url", "official_doc_section", "error_code", "verification_tier",
    "confidence", "fix_success_rate", "resolvable", "first_seen", "last_confirmed", "last_updated", "evidence_count",
    "locale", "title", "title_zh", "correction", "correction_zh",
)  # fmt: skip
