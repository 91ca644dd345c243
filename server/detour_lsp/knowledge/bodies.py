"""A record as bytes and back, for the compiled cache: plain JSON, not checked again after its way in."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from detour_lsp.knowledge import record as model
from detour_lsp.knowledge.record import Record


def encode(record: Record) -> bytes:
    """The record as JSON; `decode` gives an equal one back."""
    return json.dumps(dataclasses.asdict(record), ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def decode(data: bytes) -> Record:
    """The record that `encode` was given."""
    fields: dict[str, Any] = json.loads(data.decode("utf-8", "surrogatepass"))
    fields["versions"] = tuple(model.VersionBound(**item) for item in fields["versions"])
    fields["dead_ends"] = tuple(_dead_end(item) for item in fields["dead_ends"])
    fields["workarounds"] = tuple(_workaround(item) for item in fields["workarounds"])
    fields["signatures"] = tuple(model.Signature(**_tuples(item, "versions")) for item in fields["signatures"])
    fields["evidence"] = _evidence(fields["evidence"])
    fields["transition_graph"] = model.Edges(**_tuples(fields["transition_graph"], *fields["transition_graph"]))
    return Record(**_tuples(fields, "workarounds_zh", "tags", "aliases", "sources", "outranks"))


def _tuples(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        fields[name] = tuple(fields[name])
    return fields


def _evidence(items: list[dict[str, Any]]) -> tuple[model.Evidence, ...]:
    return tuple(model.Evidence(**item) for item in items)


def _repair(fields: dict[str, Any] | None) -> model.Repair | None:
    return None if fields is None else model.Repair(**_tuples(fields, "edits"))


def _dead_end(fields: dict[str, Any]) -> model.DeadEnd:
    fields["repair"] = _repair(fields["repair"])
    fields["evidence"] = _evidence(fields["evidence"])
    return model.DeadEnd(**_tuples(fields, "sources", "detect"))


def _workaround(fields: dict[str, Any]) -> model.Workaround:
    fields["repair"] = _repair(fields["repair"])
    fields["evidence"] = _evidence(fields["evidence"])
    return model.Workaround(**_tuples(fields, "sources"))
