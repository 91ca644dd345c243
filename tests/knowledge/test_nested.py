"""Records of the nested schema become records like any other, or are named and skipped."""

import json
from pathlib import Path
from typing import Any

import pytest
from nested_example import NESTED, nested

from detour_lsp.knowledge.loading import load, locate, signatures_of
from detour_lsp.knowledge.nested import is_nested, parse_nested
from detour_lsp.knowledge.problem import RecordError


def test_every_field_finds_its_place() -> None:
    record = parse_nested(NESTED, "flux.json")
    assert record.id == "pytorch/flux-overflow/pt2-linux"
    assert record.regex == "(?i)flux capacitor overflow.*(\\d+)"
    assert [bound.version for bound in record.versions] == ["torch>=2.0,<2.4", "python>=3.8"]
    assert record.os_specific == {"os": "linux"}
    assert (record.root_cause, record.resolvable, record.confidence) == ("Too much flux.", "partial", 0.7)
    assert record.verification_tier == "ai_generated"
    assert record.official_doc_url == "https://example.org/flux"
    assert record.dead_ends[0].why_fails == "It comes back.\n\nCommon misconception: Flux drains."
    assert record.dead_ends[0].condition == "always"
    assert record.workarounds[0].how == "open the valve\n\nTrade-off: slow"
    assert record.transition_graph.leads_to == ("pytorch/other/pt2-linux",)
    assert record.evidence_count == 3
    assert record.origin == "flux.json"
    assert [signature.example for signature in signatures_of(record)] == ["Flux capacitor overflow"]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"error__regex": "(unclosed"}, "error.regex"),
        ({"error__regex": None}, "error.regex"),
        ({"error__regex": 7}, "error.regex"),
        ({"verdict__confidence": 7.0}, "verdict.confidence"),
        ({"verdict": None}, "verdict.summary"),
        ({"dead_ends": "none"}, "dead_ends"),
        ({"dead_ends": [7]}, "dead_ends.0"),
        ({"workarounds": [{"how": "x"}]}, "workarounds.0.action"),
        ({"transition_graph__leads_to": 3}, "transition_graph.leads_to"),
        ({"id": "../../etc/passwd"}, "id"),
    ],
)
def test_a_bad_record_is_named_by_its_own_keys(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_nested(nested(**changes), "bad.json")
    assert key in [problem.key for problem in caught.value.problems]
    assert all(problem.file == "bad.json" for problem in caught.value.problems)


def test_kinds_are_told_apart() -> None:
    assert is_nested(NESTED)
    assert not is_nested({"id": "a/b", "regex": "x"})
    assert not is_nested([NESTED])
    assert not is_nested({"error": "text"})


def test_bad_ones_are_skipped_and_the_rest_load(tmp_path: Path) -> None:
    (tmp_path / "pytorch").mkdir()
    (tmp_path / "pytorch" / "good.json").write_text(json.dumps(NESTED))
    (tmp_path / "pytorch" / "bad.json").write_text(json.dumps(nested(error__regex="(")))
    (tmp_path / "pytorch" / "broken.json").write_text("{")
    knowledge = load([tmp_path], builtin=False)
    assert list(knowledge.records) == [NESTED["id"]]
    assert sorted(Path(problem.file).name for problem in knowledge.problems) == ["bad.json", "broken.json"]


def test_an_installed_distribution_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Like deadends-dev: the import packages are called something else, and the records lie deep in one of them.
    records = tmp_path / "data" / "canons" / "pytorch"
    records.mkdir(parents=True)
    (records / "flux.json").write_text(json.dumps(NESTED))
    (tmp_path / "generator").mkdir()
    (tmp_path / "generator" / "__init__.py").write_text("raise SystemExit('must not be imported')")
    info = tmp_path / "fluxends_dev-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fluxends-dev\nVersion: 1.0\n")
    (info / "RECORD").write_text(
        "generator/__init__.py,,\ndata/canons/pytorch/flux.json,,\nfluxends_dev-1.0.dist-info/METADATA,,\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir("/")
    assert locate("fluxends-dev") == records
    assert list(load(["fluxends-dev"], builtin=False).records) == [NESTED["id"]]
    assert locate("no-such-distribution-here") is None
    problems = load(["no-such-distribution-here"], builtin=False).problems
    assert "no such file, folder or installed package" in problems[0].reason
