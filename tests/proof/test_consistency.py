"""`kb check` reports each thing that can be wrong with a record, under the key where it is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.proof.consistency import check_records

LOG = (
    'Traceback (most recent call last):\n  File "/home/user/project/repro.py", line 3, in <module>\n    frob(3)\n'
    "RuntimeError: frobnication of 3 tensors failed\n"
)


def record(**more: Any) -> dict[str, Any]:
    """A record with which nothing is wrong."""
    return {
        "id": "pytorch/frobnication", "signature": "frobnication of 3 tensors failed", "signature_zh": "张量处理失败",
        "regex": r"frobnication of (?P<count>\d+) tensors failed", "domain": "pytorch", "category": "runtime_error",
        "subcategory": None, "root_cause": "r", "root_cause_type": "generic", "root_cause_zh": "原因",
        "versions": [{"version": "torch>=2.0", "introduced": None, "deprecated": None, "removed": None,
                      "behavior_change": None, "status": "active"}],
        "os_specific": {}, "dead_ends": [{"action": "d", "why_fails": "w", "fail_rate": 0.5, "action_zh": "做法",
                                          "why_fails_zh": "原因"}],
        "workarounds": [{"action": "w", "success_rate": 0.5, "how": "h", "action_zh": "办法"}],
        "workarounds_zh": ["办法"], "transition_graph": {"leads_to": ["pytorch/other"]},
        "official_doc_url": "https://docs.pytorch.org/docs/stable/torch.html", "official_doc_section": None,
        "error_code": None, "verification_tier": "documented", "confidence": 0.5, "fix_success_rate": None,
        "resolvable": "true", "first_seen": "2024-01-01", "last_confirmed": "2024-02-01", "last_updated": "2024-02-01",
        "evidence_count": 0, "tags": [], "locale": "en", "aliases": [],
        "signatures": [{"regex": r"frobnication of (?P<count>\d+) tensors failed",
                        "example": "RuntimeError: frobnication of 3 tensors failed", "versions": ["torch>=2.0"],
                        "level": "error"}],
        **more,
    }  # fmt: skip


def other() -> dict[str, Any]:
    """A second record, which the first one's edge names and whose wording is another."""
    regex = r"reticulation of splines failed"
    wording = signature(regex=regex, example=f"RuntimeError: {regex}")
    return record(id="pytorch/other", signature=regex, regex=regex, transition_graph={}, signatures=wording)


def problems(folder: Path, data: dict[str, Any], files: dict[str, str] | None = None) -> dict[str, str]:
    """What `kb check` says of `pytorch/frobnication`: key -> reason."""
    second = other()
    for name, content in (("frobnication", data), ("other", second)):
        seed = folder / "pytorch" / name
        (seed / "logs").mkdir(parents=True)
        (seed / "record.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    seed = folder / "pytorch" / "frobnication"
    for name, text in {"logs/torch-2.13.0.txt": LOG, **(files or {})}.items():
        (seed / name).write_text(text, encoding="utf-8")
    found = check_records(compile_knowledge(load([folder], builtin=False)))
    return {problem.key: problem.reason for problem in found if "frobnication" in problem.file}


def signature(**more: Any) -> list[dict[str, Any]]:
    return [{**record()["signatures"][0], **more}]


def test_nothing_is_wrong_with_a_good_record(tmp_path: Path) -> None:
    assert problems(tmp_path, record()) == {}


WRONG: list[tuple[str, Callable[[], dict[str, Any]], str, str]] = [
    ("id", lambda: record(id="pytorch/frobnicating"), "id", "but the folder says 'pytorch/frobnication'"),
    ("domain", lambda: record(domain="cuda"), "domain", "but the id begins with 'pytorch'"),
    ("key", lambda: record(root_caus="x"), "root_caus", "unknown key"),
    ("example", lambda: record(signatures=signature(example="Error: no such text")), "signatures.0.example",
     "does not match its own example"),
    ("no example", lambda: record(signatures=signature(example="")), "signatures.0.example", "an example is missing"),
    ("literal", lambda: record(signatures=[*signature(), {"regex": r"\w+ \d+", "example": "a 1", "versions": [],
                                                         "level": "error"}]), "signatures.1.regex", "has no literal"),
    ("backtracking", lambda: record(signatures=[*signature(), {"regex": r"frobnicated (?:[a-z ]+)*: done",
                                                              "versions": [],
                                                              "example": "frobnicated all: done", "level": "error"}]),
     "signatures.1.regex", "catastrophic backtracking"),
    ("bounds of a wording", lambda: record(signatures=signature(versions=["torch 2"])), "signatures.0.versions",
     "is no version bound"),
    ("log", lambda: record(regex=r"frobnication of 4 tensors failed",
                           signatures=signature(regex=r"frobnication of 4 tensors failed",
                                                example="RuntimeError: frobnication of 4 tensors failed")),
     "logs/torch-2.13.0.txt", "is not recognised as this record"),
    ("edge", lambda: record(transition_graph={"leads_to": ["pytorch/nowhere"]}), "transition_graph.leads_to",
     "'pytorch/nowhere' is no record"),
    ("outranks", lambda: record(outranks=["pytorch/nowhere"]), "outranks", "'pytorch/nowhere' is no record"),
    ("versions", lambda: record(versions=[{**record()["versions"][0], "version": "torch two"}]), "versions.0",
     "is no version bound"),
    ("sources", lambda: record(official_doc_url=None), "sources", "cite at least one primary source"),
    ("no dead end", lambda: record(dead_ends=[]), "dead_ends", "name at least one"),
    ("no workaround", lambda: record(workarounds=[], workarounds_zh=[]), "workarounds", "name at least one"),
    ("tier", lambda: record(verification_tier="proven"), "verification_tier", "only `detour kb verify` writes it"),
    ("date", lambda: record(first_seen="2024-13-45"), "first_seen", "is no date"),
    ("future", lambda: record(last_updated="2199-01-01"), "last_updated", "cannot be"),
    ("before torch", lambda: record(first_seen="1999-01-01"), "first_seen", "cannot be"),
    ("order of dates", lambda: record(first_seen="2024-03-01"), "last_confirmed", "lies before first_seen"),
    ("no Chinese", lambda: record(root_cause_zh=""), "root_cause_zh", "the Chinese text is missing"),
    ("copy", lambda: record(signature_zh=record()["signature"]), "signature_zh", "the Chinese text is missing"),
    ("title", lambda: record(title="Frobnication failed", title_zh="Echec"), "title_zh", "is not Chinese"),
    ("action", lambda: record(dead_ends=[{"action": "d", "why_fails": "w", "fail_rate": 0.5, "action_zh": "x",
                                          "why_fails_zh": "原因"}]), "dead_ends.0.action_zh", "is not Chinese"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "key", "reason"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_what_is_wrong_is_named(tmp_path: Path, make: Callable[[], dict[str, Any]], key: str, reason: str) -> None:
    found = problems(tmp_path, make())
    assert reason in found.get(key, ""), found


def test_a_log_that_shows_another_record_needs_an_edge(tmp_path: Path) -> None:
    both = {"logs/torch-2.12.1.txt": LOG + LOG.replace("frobnication of 3 tensors", "reticulation of splines")}
    assert problems(tmp_path / "declared", record(), both) == {}
    found = problems(tmp_path / "undeclared", record(transition_graph={}), both)
    assert "is taken for pytorch/other" in found["logs/torch-2.12.1.txt"]


def test_a_near_miss_must_not_match(tmp_path: Path) -> None:
    assert problems(tmp_path / "a", record(), {"near-miss.txt": "frobnication of 3 tensors went well\n"}) == {}
    found = problems(tmp_path / "b", record(), {"near-miss.txt": LOG})
    assert "must not match, and does" in found["near-miss.txt"]


def test_code_is_flagged_where_its_comments_say(tmp_path: Path) -> None:
    dead_end = {**record()["dead_ends"][0], "detect": [{"call": "torch.frob"}]}
    data = record(dead_ends=[dead_end])
    assert "is missing" in problems(tmp_path / "a", data)["bad.py"]
    code = "import torch\ntorch.frob(1)  # finding: 0\n"
    assert problems(tmp_path / "b", data, {"bad.py": code}) == {}
    assert "must be flagged" in problems(tmp_path / "c", data, {"bad.py": code.replace("frob", "free")})["bad.py"]
    assert "must stay silent" in problems(tmp_path / "d", data, {"bad.py": code, "good.py": code})["good.py"]


def test_gaps_are_reported(tmp_path: Path) -> None:
    dead_end = {**record()["dead_ends"][0], "why_fails": "TODO"}
    found = problems(tmp_path, record(root_cause="TODO: say it", dead_ends=[dead_end]), {"near-miss.txt": "TODO: text"})
    assert found == dict.fromkeys(("root_cause", "dead_ends.0.why_fails", "near-miss.txt"), "a TODO is left to fill in")
