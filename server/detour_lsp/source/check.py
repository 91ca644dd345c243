"""Findings of one Python text: the selectors of all records, run where the text names what they look for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from detour_lsp.knowledge.record import Clause, Record, Severity
from detour_lsp.knowledge.versions import matches as version_matches
from detour_lsp.source import shortcut
from detour_lsp.source.finding import Finding
from detour_lsp.source.match import Match
from detour_lsp.source.names import Module
from detour_lsp.source.parsing import Edit, SourceTree
from detour_lsp.source.sections import Sections
from detour_lsp.source.selectors import matches
from detour_lsp.source.sites import Sites, find_sites
from detour_lsp.source.spellings import names_of
from detour_lsp.source.suppression import Suppressions, UnusedSuppression
from detour_lsp.source.triggers import Active, Triggers
from detour_lsp.source.wording import message_of

#: The torch that is assumed where none is known: the newest that the records were tried on.
NEWEST = "2.14.1"


class Detection(Protocol):
    """One selector of one dead end, as `knowledge.compiled.Detection` holds it."""

    @property
    def record(self) -> str: ...
    @property
    def dead_end(self) -> int: ...
    @property
    def selector(self) -> Clause: ...
    @property
    def severity(self) -> Severity: ...


@dataclass(frozen=True, slots=True)
class _Plain:
    record: str
    dead_end: int
    selector: Clause
    severity: Severity


class Knowledge(Protocol):
    """What the checker needs of `knowledge`; compiled knowledge has `detections` besides."""

    @property
    def records(self) -> Mapping[str, Record]: ...


@dataclass(frozen=True, slots=True)
class State:
    """A text that was checked, for checking it again after an edit."""

    text: str
    path: str
    tree: SourceTree | None
    findings: tuple[Finding, ...]
    #: What edits have to keep away from; None where every edit is checked.
    guard: shortcut.Guard | None = None


class Checker:
    """Checks texts against the records of a knowledge base for one torch version (None: unknown, all apply)."""

    def __init__(self, knowledge: Knowledge, torch: str | None = None) -> None:
        self.torch = torch
        self._records = knowledge.records
        found: Sequence[Detection] | None = getattr(knowledge, "detections", None)
        every = found if found is not None else detections_of(knowledge.records.values())
        # A selector for old versions alone says nothing about code whose torch is not known.
        version = torch or NEWEST
        self._detections = [
            item for item in every if version_matches(names_of(item.selector.get("versions", ())), version)
        ]
        self._last: tuple[bytes, str, Active] | None = None
        self._triggers = Triggers([item.selector for item in self._detections])

    def check(self, text: str, path: str) -> list[Finding]:
        """The findings of a text, in its order, without those that it suppresses."""
        return list(self._state(text, path, None, lasting=False).findings)

    def may_have_findings(self, data: bytes, path: str = "") -> bool:
        """Whether a file's bytes hold any of the names that selectors look for; most files do not."""
        return bool(self._active(data, path).selectors)

    def may_have_findings_escaped(self, data: bytes, _path: str = "") -> bool:
        """The same for a notebook's JSON, where a line may begin with a quote or behind the letters of `\\n`."""
        return self._triggers.mentioned(data)

    def start(self, text: str, path: str) -> State:
        """Check a text and keep what is needed to check it again after an edit."""
        return self._state(text, path, None)

    def update(self, state: State, edits: Iterable[Edit]) -> State:
        """The state after the edits, applied in order; equal to a fresh start with the new text."""
        rest = list(edits)
        state, rest = self._passed_over(state, rest)
        if not rest:
            return state
        text, tree, guard = state.text, state.tree, state.guard
        if tree is not None and (tree.broken or tree.selection is not None):
            # Little was read, or much was mended: reading it afresh is quicker than bringing it up to date.
            tree = None
        for edit in guard.skipped(text) if guard is not None else ():
            tree = tree.update(edit) if tree is not None else None
        for edit in rest:
            if tree is not None:
                tree = tree.update(edit)
            text = text[: edit.start] + edit.text + text[edit.old_end :]
        return self._state(text, state.path, tree)

    def pass_over(self, state: State, edits: Iterable[Edit]) -> State | None:
        """As `update`, for edits that cannot change a finding: quick whatever the size of the file. None for others."""
        after, rest = self._passed_over(state, list(edits))
        return None if rest else after

    def _passed_over(self, state: State, edits: list[Edit]) -> tuple[State, list[Edit]]:
        """The state after those edits at the front that can be passed over, and the edits that are left."""
        text, findings, guard = state.text, state.findings, state.guard
        done = 0
        while done < len(edits) and guard is not None:
            passed = shortcut.pass_over(text, findings, guard, edits[done], self._triggers.sensitive)
            if passed is None:
                break
            text, findings, guard = passed.text, passed.findings, passed.guard
            done += 1
        return State(text, state.path, state.tree, findings, guard) if done else state, edits[done:]

    def _active(self, data: bytes, path: str) -> Active:
        """The selectors that may match; asked twice for a file, first by its bytes and then by its text."""
        last = self._last
        if last is None or last[1] != path or last[0] != data:
            last = self._last = (data, path, self._triggers.active(data, path))
        return last[2]

    def _state(self, text: str, path: str, tree: SourceTree | None, *, lasting: bool = True) -> State:
        data = text.encode("utf-8", "surrogatepass")
        active = self._active(data, path)
        # Only a text that will be edited needs to know which edits matter.
        guard = shortcut.guard(text, self._triggers.guarded_places(text, data)) if lasting else None
        if not active.selectors:
            return State(text, path, None, (), guard)
        module, sites = self._read(text, data, path, active, tree)
        findings = self._findings(module, sites, active.selectors, Suppressions(module.tree))
        return State(text, path, module.tree, tuple(findings), None if module.tree.broken else guard)

    def _read(self, text: str, data: bytes, path: str, active: Active, tree: SourceTree | None) -> tuple[Module, Sites]:
        """The part of a text that matters, parsed, and its places."""
        sections = Sections(data.replace(b"\r", b"\n") if b"\r" in data else data)
        ends = [end for _, end in active.places]
        while True:
            sections.keep(ends)
            selection = sections.selection()
            if selection is not None or tree is None or tree.selection is not None:
                tree = SourceTree.parse(text, selection)
            module = Module(text, path, tree)
            sites = find_sites(module, active.words, active.places)
            if not tree.broken and sites.glued(module):
                tree = SourceTree.mended(text, selection)
                module = Module(text, path, tree)
                sites = find_sites(module, active.words, active.places)
            # A name that is given to what was found may be used in functions that were not read.
            ends = sections.lacks(sites.names) if selection is not None else []
            if not ends:
                return module, sites
            tree = None

    def unused(self, text: str, path: str) -> list[UnusedSuppression]:
        """The suppression comments of a text that silence nothing."""
        active = range(len(self._detections))
        suppressions = Suppressions(SourceTree.parse(text))
        module = Module(text, path, suppressions.tree)
        self._findings(module, find_sites(module, self._triggers.words(active)), active, suppressions)
        return suppressions.unused()

    def _findings(
        self, module: Module, sites: Sites, active: Sequence[int], suppressions: Suppressions
    ) -> list[Finding]:
        found: dict[tuple[str, int, int, int], Finding] = {}
        for index in active:
            detection = self._detections[index]
            for match in matches(module, sites, detection.selector):
                finding = self._finding(module, detection, match)
                key = (finding.record, finding.dead_end, finding.start, finding.end)
                if key not in found and not suppressions.cover(finding):
                    found[key] = finding
        return _numbered(sorted(found.values(), key=lambda item: (item.start, item.end, item.record, item.dead_end)))

    def _finding(self, module: Module, detection: Detection, match: Match) -> Finding:
        start, end = module.tree.start(match.node), module.tree.end(match.node)
        line, column = module.tree.position(start)
        end_line, end_column = module.tree.position(end)
        record = self._records[detection.record]
        return Finding(
            record=detection.record,
            dead_end=detection.dead_end,
            file=module.path,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            severity=detection.severity,
            message=message_of(record, detection.dead_end),
            start=start,
            end=end,
            fingerprint=module.tree.source(match.node)[:400],
            tags=record.tags,
        )


def detections_of(records: Iterable[Record]) -> list[Detection]:
    """The selectors of records that were not compiled."""
    return [
        _Plain(record.id, index, selector, selector.get("severity", dead_end.severity))
        for record in records
        for index, dead_end in enumerate(record.dead_ends)
        for selector in dead_end.detect
    ]


def _numbered(findings: list[Finding]) -> list[Finding]:
    """Fingerprints that outlive moved lines: of what is written there, and the how-many-eth of its kind it is."""
    seen: dict[tuple[str, int, str], int] = {}
    done: list[Finding] = []
    for finding in findings:
        key = (finding.record, finding.dead_end, finding.fingerprint)
        seen[key] = seen.get(key, 0) + 1
        text = "\0".join((finding.record, str(finding.dead_end), finding.fingerprint, str(seen[key])))
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        done.append(replace(finding, fingerprint=digest))
    return done
