"""The nested schema of the public package `deadends-dev` to `Record`."""

from __future__ import annotations

from detour_lsp.knowledge.record import Record
from detour_lsp.knowledge.problem import Problem, RecordError


def is_nested(data: object) -> bool:
    """Whether decoded JSON looks like a record in the nested schema (`error.regex`, `verdict`, ...)."""
    return isinstance(data, dict) and isinstance(data.get("error"), dict)  # pyright: ignore[reportUnknownMemberType]


def parse_nested(data: object, origin: str) -> Record:
    """Turn decoded JSON of the nested schema into a record; raises RecordError."""
    raise RecordError([Problem(origin, "", "nested schema: being written")])
