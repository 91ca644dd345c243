"""The one-line text of a finding: what was done, and why it does not help."""

from __future__ import annotations

import re

from detour_lsp.knowledge.record import Record

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`(])")
_LONG = 240


def message_of(record: Record, dead_end: int) -> str:
    """What stands beside the squiggle; the card holds the rest."""
    item = record.dead_ends[dead_end]
    why = item.why_fails
    if item.refuted:
        # The claim as imported is false; what the run showed is what may be said.
        why = next((proof.note for proof in item.evidence if proof.outcome == "refuted" and proof.note), "")
    first = _SENTENCE.split(" ".join(why.split()), maxsplit=1)[0]
    if len(first) > _LONG:
        first = f"{first[: _LONG - 1].rstrip()}…"
    action = " ".join(item.action.split()).rstrip(".")
    return f"{action}: {first}" if first else action
