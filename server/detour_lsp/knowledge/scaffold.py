"""`detour kb new`: a record's folder that passes `kb check` once the gaps are filled in."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*/[a-z0-9][a-z0-9_.-]*")
#: What a person must replace; `kb check` reports what is left.
GAP = "TODO"


class ScaffoldError(ValueError):
    """Why no folder was made, in a sentence for the user."""


def new_record(record_id: str, seeds: Path) -> list[Path]:
    """Make the folder of a new record and return the files in it; raises ScaffoldError."""
    if not _ID.fullmatch(record_id):
        raise ScaffoldError(f"{record_id!r} is no id: write domain/slug, such as cuda/out-of-memory")
    folder = seeds / record_id
    if folder.exists():
        raise ScaffoldError(f"{folder} exists already")
    (folder / "logs").mkdir(parents=True)
    files = {
        "record.json": json.dumps(_record(record_id), indent=2, ensure_ascii=False) + "\n",
        "repro.py": '"""TODO: a program of under 30 lines that fails with this error."""\n\nimport torch\n',
        "near-miss.txt": "TODO: text that looks like the error and must not match, such as a docstring of it\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def _record(record_id: str) -> dict[str, Any]:
    today = datetime.date.today().isoformat()
    domain = record_id.partition("/")[0]
    return {
        "id": record_id,
        "signature": f"{GAP}: the error's first line",
        "signature_zh": f"{GAP}",
        "regex": f"{GAP}: the error's first line",
        "domain": domain,
        "category": "runtime_error",
        "subcategory": None,
        "root_cause": f"{GAP}: what goes wrong, as an expert would say it",
        "root_cause_type": "generic",
        "root_cause_zh": f"{GAP}",
        "versions": [_version("torch>=2.0")],
        "os_specific": {},
        "dead_ends": [
            {
                "action": f"{GAP}: a fix that people try in vain",
                "why_fails": f"{GAP}",
                "fail_rate": 0.5,
                "condition": "",
                "sources": [],
                "action_zh": f"{GAP}",
                "why_fails_zh": f"{GAP}",
            }
        ],
        "workarounds": [
            {
                "action": f"{GAP}: a fix that works",
                "success_rate": 0.5,
                "how": f"{GAP}: code",
                "condition": "",
                "sources": [],
                "action_zh": f"{GAP}",
            }
        ],
        "workarounds_zh": [f"{GAP}"],
        "transition_graph": {"leads_to": [], "preceded_by": [], "frequently_confused_with": []},
        "official_doc_url": None,
        "official_doc_section": None,
        "error_code": None,
        "verification_tier": "ai_generated",
        "confidence": 0.5,
        "fix_success_rate": None,
        "resolvable": "true",
        "first_seen": today,
        "last_confirmed": today,
        "last_updated": today,
        "evidence_count": 0,
        "tags": [],
        "locale": "en",
        "aliases": [],
        "title": f"{GAP}: a short name",
        "title_zh": f"{GAP}",
        "signatures": [
            {
                "regex": f"{GAP}: the error's first line",
                "example": f"{GAP}: the error's first line",
                "versions": ["torch>=2.0"],
                "level": "error",
            }
        ],
        "sources": [],
    }


def _version(bound: str) -> dict[str, Any]:
    return {
        "version": bound,
        "introduced": None,
        "deprecated": None,
        "removed": None,
        "behavior_change": None,
        "status": "active",
    }
