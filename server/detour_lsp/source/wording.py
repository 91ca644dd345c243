"""The one-line text of a finding: what was done, and why it does not help."""

from __future__ import annotations

import re

from detour_lsp.knowledge.record import Record

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`(])|(?<=[。！？])")
_LONG = 240


def message_of(record: Record, dead_end: int, language: str = "en") -> str:
    """What stands beside the squiggle; the card holds the rest."""
    item, chinese = record.dead_ends[dead_end], language == "zh"
    why = (item.why_fails_zh if chinese else "") or item.why_fails
    if item.refuted:
        # The claim as imported is false; what the run showed is what may be said.
        notes = (
            (proof.note_zh if chinese else "") or proof.note for proof in item.evidence if proof.outcome == "refuted"
        )
        why = next((note for note in notes if note), "")
    first = _SENTENCE.split(" ".join(why.split()), maxsplit=1)[0]
    if len(first) > _LONG:
        first = f"{first[: _LONG - 1].rstrip()}…"
    action = " ".join(((item.action_zh if chinese else "") or item.action).split()).rstrip(".。")
    if not first:
        return action
    return f"{action}：{first}" if chinese else f"{action}: {first}"
