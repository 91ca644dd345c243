"""What one record holds, as plain frozen data: everything behind the edge works with these and never with JSON.

`schema.py` turns JSON into these classes and is the only module that knows pydantic, so that a start from the
compiled cache pays for neither pydantic nor JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Tier = Literal["ai_generated", "documented", "reproduced", "proven"]
Level = Literal["error", "warning", "symptom"]
Severity = Literal["error", "warning", "information", "hint"]
Applicability = Literal["safe", "unsafe", "display"]
Outcome = Literal["confirmed", "refuted", "partly"]

#: A condition, selector, edit or place as written in the record: checked by `schema.py`, read by `source`.
Clause = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Signature:
    """One wording of an error; named groups of `regex` are the captures shown on the card."""

    regex: str
    example: str
    versions: tuple[str, ...] = ()
    level: Level = "error"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What happened when a claim was tried: the program, what it ran on, and how it came out."""

    package: str
    version: str
    outcome: Outcome
    program: str
    note: str
    date: str
    note_zh: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """The edits that carry out a remedy; `safe` keeps the meaning, `unsafe` needs a look, `display` is only shown."""

    edits: tuple[Clause, ...]
    applicability: Applicability
    title: str
    title_zh: str = ""


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A fix that people try and that does not work. `detect` finds it in code, `repair` takes it out again."""

    action: str
    why_fails: str
    fail_rate: float | None
    condition: str = ""
    sources: tuple[str, ...] = ()
    detect: tuple[Clause, ...] = ()
    severity: Severity = "warning"
    repair: Repair | None = None
    when: Clause = field(default_factory=dict[str, Any])
    evidence: tuple[Evidence, ...] = ()
    action_zh: str = ""
    why_fails_zh: str = ""

    @property
    def refuted(self) -> bool:
        """Whether a run showed the claim to be false; a refuted claim is never shown as true."""
        return any(item.outcome == "refuted" for item in self.evidence)


@dataclass(frozen=True, slots=True)
class Workaround:
    """A fix that works; `when` says for which captures, versions and code, `repair` carries it out."""

    action: str
    success_rate: float | None
    how: str
    condition: str = ""
    sources: tuple[str, ...] = ()
    when: Clause = field(default_factory=dict[str, Any])
    repair: Repair | None = None
    evidence: tuple[Evidence, ...] = ()
    action_zh: str = ""
    how_zh: str = ""

    @property
    def refuted(self) -> bool:
        """Whether a run showed the claim to be false."""
        return any(item.outcome == "refuted" for item in self.evidence)


@dataclass(frozen=True, slots=True)
class VersionBound:
    """One entry of `versions`, such as `torch>=2.0`; see `versions.py` for how entries combine."""

    version: str
    introduced: str | None = None
    deprecated: str | None = None
    removed: str | None = None
    behavior_change: str | None = None
    status: str = "active"


@dataclass(frozen=True, slots=True)
class Edges:
    """The record's neighbours in the transition graph, as ids."""

    leads_to: tuple[str, ...] = ()
    preceded_by: tuple[str, ...] = ()
    frequently_confused_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One known error. The field names are the seeds' keys; the optional keys of DESIGN section 3 follow them."""

    id: str
    signature: str
    signature_zh: str
    regex: str
    domain: str
    category: str
    subcategory: str | None
    root_cause: str
    root_cause_type: str
    root_cause_zh: str
    versions: tuple[VersionBound, ...]
    os_specific: Clause
    dead_ends: tuple[DeadEnd, ...]
    workarounds: tuple[Workaround, ...]
    workarounds_zh: tuple[str, ...]
    transition_graph: Edges
    official_doc_url: str | None
    official_doc_section: str | None
    error_code: str | None
    verification_tier: Tier
    confidence: float
    fix_success_rate: float | None
    resolvable: str
    first_seen: str
    last_confirmed: str
    last_updated: str
    evidence_count: int
    tags: tuple[str, ...]
    locale: str
    aliases: tuple[str, ...]
    signatures: tuple[Signature, ...] = ()
    title: str = ""
    title_zh: str = ""
    correction: str = ""
    correction_zh: str = ""
    sources: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    outranks: tuple[str, ...] = ()
    #: The file that the record was read from, for messages; empty for records made in memory.
    origin: str = ""

    @property
    def slug(self) -> str:
        """The part of the id behind the domain."""
        return self.id.partition("/")[2]
