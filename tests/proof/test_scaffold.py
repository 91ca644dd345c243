"""`kb new` makes a folder that `kb check` finds nothing wrong with once every gap is filled in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.knowledge.scaffold import GAP, ScaffoldError, new_record
from detour_lsp.proof.consistency import check_records

WORDING = "einsum(): the number of subscripts in the equation does not fit operand 0"


def problems(seeds: Path) -> dict[str, str]:
    return {found.key: found.reason for found in check_records(compile_knowledge(load([seeds], builtin=False)))}


def filled(data: Any, key: str = "") -> Any:
    """What a person writes in the place of each gap."""
    if isinstance(data, dict):
        return {name: filled(value, name) for name, value in data.items()}
    if isinstance(data, list):
        return [filled(value, key) for value in data]
    if not isinstance(data, str) or GAP not in data:
        return data
    if key == "regex":
        return r"einsum\(\): the number of subscripts in the equation does not fit operand (?P<operand>\d+)"
    return "等式与操作数不符" if key.endswith("_zh") else WORDING


def test_a_new_record_passes_once_it_is_filled_in(tmp_path: Path) -> None:
    files = new_record("pytorch/einsum-operand", tmp_path)
    assert [file.name for file in files] == ["record.json", "repro.py", "near-miss.txt"]
    before = problems(tmp_path)
    assert {"root_cause", "dead_ends.0.why_fails", "workarounds.0.how", "repro.py", "near-miss.txt"} <= set(before)
    assert before["signatures.0.regex"] == "a TODO is left to fill in"

    record, program, near_miss = files
    data = filled(json.loads(record.read_text(encoding="utf-8")))
    data["sources"] = ["aten/src/ATen/native/Linear.cpp (2.13.0)"]
    record.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    program.write_text("import torch\n")
    near_miss.write_text("the number of subscripts fits\n")
    (record.parent / "logs/torch-2.13.0.txt").write_text(f"RuntimeError: {WORDING}\n")
    assert problems(tmp_path) == {}


def test_a_folder_is_never_overwritten_and_an_id_has_a_domain(tmp_path: Path) -> None:
    new_record("pytorch/einsum-operand", tmp_path)
    with pytest.raises(ScaffoldError, match="exists already"):
        new_record("pytorch/einsum-operand", tmp_path)
    with pytest.raises(ScaffoldError, match="is no id"):
        new_record("../outside", tmp_path)
