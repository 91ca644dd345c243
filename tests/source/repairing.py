"""Helpers of the repair tests: a record made in memory, planned and applied on a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from detour_lsp.knowledge.record import Edges, Record, Repair, Workaround
from detour_lsp.source.apply import apply
from detour_lsp.source.finding import PlannedRepair
from detour_lsp.source.repair import Place, plan


def record_of(*workarounds: Workaround, dead_ends: tuple[Any, ...] = ()) -> Record:
    return Record(
        id="pytorch/test", signature="s", signature_zh="", regex="s", domain="pytorch", category="c", subcategory=None,
        root_cause="r", root_cause_type="generic", root_cause_zh="", versions=(), os_specific={}, dead_ends=dead_ends,
        workarounds=workarounds, workarounds_zh=(), transition_graph=Edges(), official_doc_url=None,
        official_doc_section=None, error_code=None, verification_tier="documented", confidence=0.5,
        fix_success_rate=None, resolvable="true", first_seen="2024-01-01", last_confirmed="2024-01-01",
        last_updated="2024-01-01", evidence_count=0, tags=(), locale="en", aliases=(),
    )  # fmt: skip


def workaround(
    *edits: Mapping[str, Any], when: Mapping[str, Any] | None = None, applicability: Any = "safe"
) -> Workaround:
    return Workaround("w", 0.5, "how", when=when or {}, repair=Repair(tuple(edits), applicability, "Repair it"))


def planned(text: str, edits: Sequence[Mapping[str, Any]], line: int | None = None, **more: Any) -> PlannedRepair:
    place = None if line is None else Place("train.py", line, None, text.split("\n")[line - 1].strip())
    (repair,) = plan(record_of(workaround(*edits)), text=text, path="train.py", incident_place=place, **more)
    return repair


def repaired(text: str, *edits: Mapping[str, Any], line: int | None = None, again: bool = True, **more: Any) -> str:
    """The text after the repair; checks that a second plan on the result offers nothing."""
    repair = planned(text, edits, line, **more)
    assert not repair.disabled, repair.disabled
    (file,) = repair.files
    result = apply(text, file.edits)
    if again:
        place = None
        if line is not None:
            # The frame's statement may have moved or changed; a log of the old program names the old line.
            place = Place("train.py", line, None, None)
        second = plan(record_of(workaround(*edits)), text=result, path="train.py", incident_place=place, **more)[0]
        assert second.disabled or apply(result, second.files[0].edits) == result, apply(result, second.files[0].edits)
    return result
