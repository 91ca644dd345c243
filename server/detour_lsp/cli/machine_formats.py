"""Formats that programs read: json, jsonl, SARIF 2.1.0 and GitHub's workflow commands. Stable and versioned."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath, PureWindowsPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from detour_lsp.version import __version__

if TYPE_CHECKING:
    from detour_lsp.knowledge.record import Record

FORMATS = ("text", "json", "jsonl", "sarif", "github")

_SARIF_LEVELS = {"error": "error", "warning": "warning", "symptom": "note", "information": "note", "hint": "note"}
_GITHUB_COMMANDS = {"error": "error", "warning": "warning"}


def write_json(kind: str, shapes: Iterable[dict[str, Any]], version: int, write: Callable[[str], object]) -> None:
    """One object `{"version": ..., kind: [...]}`, written as the items come so that memory stays bounded."""
    write(f'{{"version": {version}, "{kind}": [')
    for index, shape in enumerate(shapes):
        write((",\n" if index else "\n") + _dumps(shape))
    write("]}\n")


def jsonl(shapes: Iterable[dict[str, Any]]) -> Iterator[str]:
    """One object per line."""
    for shape in shapes:
        yield _dumps(shape) + "\n"


def sarif(shapes: Sequence[dict[str, Any]], records: Mapping[str, Record]) -> str:
    """A SARIF 2.1.0 log: one run, the records that occur as rules."""
    ids = list(dict.fromkeys(shape["record"] for shape in shapes))
    rules = [_sarif_rule(records[record]) for record in ids]
    results = [
        {
            "ruleId": shape["record"],
            "ruleIndex": ids.index(shape["record"]),
            "level": _SARIF_LEVELS.get(shape.get("level") or shape["severity"], "warning"),
            "message": {"text": shape["message"]},
            "partialFingerprints": {"detour/v1": shape["fingerprint"]},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _reference(shape["file"])},
                        "region": {
                            "startLine": shape["line"],
                            "startColumn": shape["column"],
                            "endLine": shape["end_line"],
                            "endColumn": shape["end_column"],
                        },
                    }
                }
            ],
            **_sarif_related(shape),
        }
        for shape in shapes
    ]
    driver = {"name": "Detour", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return _dumps(document, indent=1) + "\n"


def _dumps(value: object, indent: int | None = None) -> str:
    """JSON as readable as standard output allows; what it cannot carry is escaped, such as odd bytes of a file name."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        # Strictly: bytes that are no text would make the JSON unreadable.
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text


def _sarif_rule(record: Record) -> dict[str, Any]:
    # Only SARIF needs the card, and JSON should start fast.
    from detour_lsp.card.compose import title_of

    rule: dict[str, Any] = {
        "id": record.id,
        "shortDescription": {"text": title_of(record)},
        "fullDescription": {"text": record.correction or record.root_cause},
    }
    if record.official_doc_url:
        rule["helpUri"] = record.official_doc_url
    return rule


def _reference(path: str) -> str:
    """A path as SARIF wants it: a relative reference, or a file URI; a log may name paths of another system."""
    windows = PureWindowsPath(path)
    if windows.is_absolute() and not path.startswith("/"):
        name = quote(windows.as_posix().encode("utf-8", "replace"), safe="/:")
        return f"file:{name}" if name.startswith("//") else f"file:///{name}"
    name = quote(os.fsencode(PurePath(path).as_posix()))
    return f"file://{name}" if name.startswith("/") else name


def _sarif_related(shape: dict[str, Any]) -> dict[str, Any]:
    frame = shape.get("frame")
    if not frame:
        return {}
    location = {
        "physicalLocation": {
            "artifactLocation": {"uri": _reference(frame["resolved"] or frame["file"])},
            "region": {"startLine": max(frame["line"], 1)},
        },
        "message": {"text": "raised here"},
    }
    return {"relatedLocations": [location]}


def github(shapes: Iterable[dict[str, Any]]) -> Iterator[str]:
    """GitHub workflow commands; an incident is put on the line of code that raised it where that is known."""
    for shape in shapes:
        command = _GITHUB_COMMANDS.get(shape.get("level") or shape["severity"], "notice")
        frame = shape.get("frame")
        file, line = (
            (frame["resolved"], frame["line"]) if frame and frame["resolved"] else (shape["file"], shape["line"])
        )
        place = f"file={_property(str(file))},line={line},title={_property(shape['record'])}"
        line_out = f"::{command} {place}::{_data(shape['message'])}\n"
        encoding = sys.stdout.encoding or "utf-8"
        yield line_out.encode(encoding, "replace").decode(encoding)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
