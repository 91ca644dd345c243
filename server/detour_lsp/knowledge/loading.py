"""Finds record files, reads them, and keeps the good ones apart from the complaints about the bad ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from detour_lsp.knowledge.places import builtin_seeds, locate, record_files
from detour_lsp.knowledge.problem import Problem, RecordError
from detour_lsp.knowledge.record import Record, Signature

__all__ = ["Knowledge", "builtin_seeds", "load", "locate", "record_files", "signatures_of"]

#: Larger than any honest record (the longest of ours has 40 KB); guards against a log that ends in `.json`.
MAX_RECORD_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All records by id, and what was wrong with the files that gave none."""

    records: Mapping[str, Record]
    problems: tuple[Problem, ...]


def signatures_of(record: Record) -> tuple[Signature, ...]:
    """Every wording of a record: its `signatures`, then its own `regex` where none of them has it."""
    if any(signature.regex == record.regex for signature in record.signatures):
        return record.signatures
    own = Signature(record.regex, record.signature, tuple(bound.version for bound in record.versions))
    return (*record.signatures, own)


def load(paths: Sequence[str | Path] = (), *, builtin: bool = True) -> Knowledge:
    """Read all records of the built-in folder and of `paths`; a later record replaces an earlier one of the same id."""
    records: dict[str, Record] = {}
    problems: list[Problem] = []
    for name in [*([builtin_seeds()] if builtin else []), *paths]:
        path = locate(name)
        if path is None:
            problems.append(Problem(str(name), "", "no such file, folder or installed package; check the spelling"))
            continue
        count = 0
        for file in record_files(path):
            count += 1
            _load_file(file, records, problems)
        if count == 0:
            problems.append(Problem(str(path), "", "no records here: expected record.json in folders, or *.json files"))
    return Knowledge(records, tuple(problems))


def _load_file(file: Path, records: dict[str, Record], problems: list[Problem]) -> None:
    # Here, because the schema brings pydantic: whoever starts from the compiled cache never gets to this point.
    from detour_lsp.knowledge import nested
    from detour_lsp.knowledge.schema import parse_record

    try:
        if file.stat().st_size > MAX_RECORD_BYTES:
            problems.append(Problem(str(file), "", f"larger than {MAX_RECORD_BYTES} bytes: not a record"))
            return
        data: object = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        problems.append(Problem(str(file), "", f"cannot be read: {error.strerror or error}"))
        return
    except UnicodeDecodeError as error:
        problems.append(Problem(str(file), "", f"not UTF-8 at byte {error.start}: save the file as UTF-8"))
        return
    except json.JSONDecodeError as error:
        problems.append(Problem(str(file), "", f"not JSON: {error.msg} at line {error.lineno} column {error.colno}"))
        return
    except RecursionError:
        problems.append(Problem(str(file), "", "not a record: nested too deeply"))
        return
    # A file may hold one record or a list of them.
    entries: list[object] = data if isinstance(data, list) else [data]  # pyright: ignore[reportUnknownVariableType]
    for index, entry in enumerate(entries):
        origin = str(file) if entry is data else f"{file}[{index}]"
        try:
            parse = nested.parse_nested if nested.is_nested(entry) else parse_record
            record = parse(entry, origin)
        except RecordError as error:
            problems.extend(error.problems)
            continue
        records[record.id] = record
