"""`when`: which remedy is for what happened, and what is said of the others."""

from __future__ import annotations

from typing import Any

import pytest

from detour_lsp.knowledge.conditions import holds


@pytest.mark.parametrize(
    ("when", "captures", "expected"),
    [
        ({}, {}, True),
        ({"reason": "size"}, {"reason": "size"}, True),
        ({"reason": "size"}, {"reason": "rank"}, False),
        ({"reason": ["size", "stride"]}, {"reason": "stride"}, True),
        ({"captures": {"limit": {"le": 0}}}, {"limit": "0"}, True),
        ({"captures": {"limit": {"le": 0}}}, {"limit": "8"}, False),
        ({"captures": {"limit": 8}}, {"limit": "8"}, True),
        ({"free": {"matches": r"GiB$"}}, {"free": "3.5 GiB"}, True),
        ({"free": {"not": {"matches": "GiB"}}}, {"free": "3.5 GiB"}, False),
        ({"key": {"present": True}}, {"key": "x"}, True),
        ({"key": {"present": False}}, {"key": ""}, True),
        ({"key": {"present": True}}, {}, False),
        ({"key": {"in": ["a", "b"]}}, {"key": "b"}, True),
        ({"free": {"matches": "(a+)+$"}}, {"free": "a" * 5000 + "b"}, False),
    ],
)
def test_captures(when: dict[str, Any], captures: dict[str, str], expected: bool) -> None:
    verdict = holds(when, captures, None)
    assert verdict.applies is expected
    assert verdict.known
    assert expected or verdict.why


def test_versions() -> None:
    assert holds({"torch": ">=2.7"}, {}, "2.13.0").applies
    assert holds({"torch": ">=2.7"}, {}, None).applies
    assert holds({"torch": [">=2.2", "<2.7"]}, {}, "2.6.0+cpu").applies
    verdict = holds({"torch": ">=2.7"}, {}, "2.6.0")
    assert not verdict.applies
    assert verdict.why == "this needs torch >=2.7, and 2.6.0 is used"
    assert not holds({"numpy": "<2"}, {}, None, others={"numpy": "2.1"}).applies


def test_log() -> None:
    assert holds({"signature": [0, 2]}, {}, None, signature=2).applies
    assert not holds({"signature": 0}, {}, None, signature=1).applies
    assert holds({"message": "size mismatch"}, {}, None, message="x size mismatch y").applies
    assert not holds({"message": {"without": "size"}}, {}, None, message="size").applies


def test_without_a_log_nothing_that_needs_one_holds() -> None:
    for when in ({"reason": "size"}, {"signature": 0}, {"message": "x"}):
        verdict = holds(when, None, "2.13.0")
        assert not verdict.applies
        assert not verdict.known


def test_code() -> None:
    place = {"call": "torch.compile", "keyword": {"fullgraph": {"is": True}}}
    assert holds({"without": place}, {}, None, lambda _: False).applies
    verdict = holds({"without": place}, {}, None, lambda clause: clause == place)
    assert verdict.why == "the code has torch.compile(fullgraph=True), which rules this out"
    several = {"with": {"call": ["torch.a", "torch.b"]}}
    assert holds(several, {}, None, lambda _: False).why == "the code has no torch.a or torch.b"
    assert holds({"with": [place, place]}, {}, None, lambda _: True).applies
    assert holds({"with": place}, {}, None, None).applies


def test_reasons_of_the_record_and_in_chinese() -> None:
    when = {"reason": "size", "why": "Only sizes.", "why_zh": "仅适用于尺寸。"}
    assert holds(when, {"reason": "rank"}, None).why == "Only sizes."
    assert holds(when, {"reason": "rank"}, None, language="zh").why == "仅适用于尺寸。"
    assert "torch >=2.7" in holds({"torch": ">=2.7"}, {}, "2.1", language="zh").why


def test_a_sentence_about_one_condition_is_not_said_of_another() -> None:
    when = {
        "signature": 0,
        "with": {"call": "torch.a"},
        "without": {"call": "torch.b"},
        "why": "The file has it already.",
        "why_about": "without",
    }
    everything, nothing = (lambda _: True), (lambda _: False)
    assert holds(when, {}, None, everything, signature=0).why == "The file has it already."
    assert holds(when, {}, None, nothing, signature=0).why == "the code has no torch.a"
    assert holds(when, {}, None, everything, signature=1).why == "this helps for another wording of the error"
    # Where nobody knows, the sentence says in which case it does not help.
    assert holds(when, {}, None).why == "The file has it already."
    assert holds({**when, "why_about": ["with", "without"]}, {}, None, nothing, signature=0).why == (
        "The file has it already."
    )
