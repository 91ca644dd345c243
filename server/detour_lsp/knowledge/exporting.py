"""Records back to JSON in the seeds' schema, in the layout that people edit by hand."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from detour_lsp.knowledge.record import Record
from detour_lsp.knowledge.schema import SEED_KEYS

_DERIVED = frozenset({"origin"})


def record_json(record: Record) -> dict[str, Any]:
    """A record as the JSON object that `schema.parse_record` reads: the 30 keys first, optional keys only if set."""
    data = _plain(record)
    ordered = {key: data[key] for key in SEED_KEYS}
    ordered.update((key, value) for key, value in data.items() if key not in ordered and value)
    return ordered


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.name not in _DERIVED]
        plain = {name: _plain(getattr(value, name)) for name in names}
        # Optional keys that say nothing would only be noise in a file that people read.
        defaults = {f.name for f in dataclasses.fields(value) if _has_default(f)}
        return {name: item for name, item in plain.items() if item or name not in defaults or name in SEED_KEYS}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def write_records(records: Iterable[Record], into: Path) -> int:
    """Write each record to `into/<id>/record.json`; returns how many were written."""
    count = 0
    for record in records:
        folder = into / record.id
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record_json(record), indent=2, ensure_ascii=False) + "\n"
        (folder / "record.json").write_text(text, encoding="utf-8")
        count += 1
    return count
