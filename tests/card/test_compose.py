"""Cards: verdict first, refuted claims never shown as true, hostile text harmless, two languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from detour_lsp.card import CardContext, compose_card, one_line
from detour_lsp.card.labels import language_of
from detour_lsp.card.markdown import code_block, code_span, prose, source_link
from detour_lsp.knowledge.record import Record
from detour_lsp.knowledge.schema import parse_record

SEED = Path(__file__).resolve().parents[2] / "seeds/pytorch/compile-recompilation-limit/record.json"


def record(**changes: Any) -> Record:
    """A small record; `changes` replace keys."""
    data = json.loads(SEED.read_text(encoding="utf-8"))
    for key in ("signatures", "correction", "correction_zh", "evidence", "sources"):
        data.pop(key, None)
    data["dead_ends"] = [{"action": "Reboot", "why_fails": "The driver is the same afterwards.", "fail_rate": 0.9}]
    data["workarounds"] = [{"action": "Use less", "success_rate": 0.8, "how": "batch_size = 4"}]
    data["workarounds_zh"] = ["少用一些"]
    data.update(changes)
    return parse_record(data, "test")


def evidence(outcome: str, note: str = "Seen.", version: str = "2.13.0") -> dict[str, str]:
    return {
        "package": "torch",
        "version": version,
        "outcome": outcome,
        "program": "p.py",
        "note": note,
        "date": "2026-11-30",
    }


def test_the_verdict_comes_before_the_cause_and_dead_ends_before_workarounds() -> None:
    card = compose_card(record())
    places = [card.index(text) for text in ("What to do", "What happened", "Dead ends", "What works", "Versions")]
    assert places == sorted(places)
    assert "**What to do:** Use less" in card


def test_a_rate_without_evidence_is_an_estimate_and_a_run_is_named() -> None:
    card = compose_card(record())
    assert "fails in about 90% (estimate)" in card
    ends = [{"action": "Reboot", "why_fails": "No.", "fail_rate": 0.9, "evidence": [evidence("confirmed")]}]
    card = compose_card(record(dead_ends=ends))
    assert "seen to fail: torch 2.13.0" in card
    assert "estimate" not in card.split("Dead ends")[1].split("What works")[0]


def test_a_source_stands_beside_the_estimate_and_not_as_what_the_number_rests_on() -> None:
    ends = [{"action": "Reboot", "why_fails": "No.", "fail_rate": 0.9, "sources": ["pytorch/pytorch#1"]}]
    card = compose_card(record(dead_ends=ends))
    assert "*(fails in about 90% (estimate); see [pytorch/pytorch\\#1](" in card
    chinese = compose_card(record(dead_ends=ends), CardContext(language="zh"))
    assert "*(约 90% 会失败（估计）；参见 [pytorch/pytorch\\#1](" in chinese


def test_no_rate_is_shown_where_none_is_known() -> None:
    ends = [{"action": "Old name", "why_fails": "It warns."}]
    assert "- ✗ Old name: It warns.\n" in compose_card(record(dead_ends=ends))
    ends[0]["sources"] = ["pytorch/pytorch#1"]  # type: ignore[assignment]
    assert "It warns. *(see [pytorch/pytorch\\#1](" in compose_card(record(dead_ends=ends))


def test_many_versions_are_a_range_with_their_number() -> None:
    runs = [evidence("confirmed", version="2.10.0, 2.4.1, 2.9.1"), evidence("confirmed", version="2.13.0")]
    ends = [{"action": "Reboot", "why_fails": "No.", "fail_rate": 0.9, "evidence": runs}]
    assert "torch 2.4.1 – 2.13.0 (4)" in compose_card(record(dead_ends=ends))


def test_what_evidence_refutes_is_never_shown_as_true() -> None:
    ends = [
        {
            "action": "Limit 0",
            "why_fails": "It loops for ever.",
            "fail_rate": 0.9,
            "evidence": [evidence("refuted", "It compiles nothing.")],
        }
    ]
    cures = [
        {"action": "Pray", "success_rate": 0.9, "how": "x", "evidence": [evidence("refuted", "No effect.")]},
        {"action": "Fix it", "success_rate": 0.2, "how": "y"},
    ]
    card = compose_card(record(dead_ends=ends, workarounds=cures, workarounds_zh=["", ""]))
    assert "loops for ever" not in card
    assert "It compiles nothing." in card
    assert "refuted by runs" in card
    assert "**What to do:** Fix it" in card
    assert "~~Pray~~ **Not here:** No effect." in card
    corrected = compose_card(record(correction="Really this."))
    assert "Really this." in corrected
    assert record().root_cause not in corrected


def test_when_decides_what_is_recommended() -> None:
    cures = [
        {
            "action": "For sizes",
            "success_rate": 0.9,
            "how": "",
            "when": {"captures": {"reason": "size"}, "why": "Not a size."},
        },
        {"action": "For all", "success_rate": 0.5, "how": ""},
    ]
    known = record(workarounds=cures, workarounds_zh=["", ""])
    assert one_line(known, CardContext(captures={"reason": "size"})).endswith("For sizes")
    card = compose_card(known, CardContext(captures={"reason": "rank"}))
    assert "**What to do:** For all" in card
    assert "~~For sizes~~ **Not here:** Not a size." in card
    # Without a log it may apply: it keeps its place, and the card says when it would not help.
    unknown = compose_card(known)
    assert "**What to do:** For sizes" in unknown
    assert "**No help when:** Not a size." in unknown


def test_a_findings_card_says_how_to_take_the_dead_end_out() -> None:
    repair = {"title": "Delete it", "applicability": "unsafe", "edits": [{"edit": "remove_statement", "at": "finding"}]}
    ends = [{"action": "Limit 0", "why_fails": "Compiles nothing.", "fail_rate": 0.9, "repair": repair}]
    card = compose_card(record(dead_ends=ends), CardContext(dead_end=0))
    assert "**What to do:** Delete it" in card
    assert "**Do not:** Limit 0: Compiles nothing." in card


def test_symptoms_ranks_counts_and_torn_logs_are_told() -> None:
    card = compose_card(record(), CardContext(level="symptom", ranks=(0, 1, 2, 7), count=9, truncated=True, stale=True))
    assert "look for the first error above" in card
    assert "ranks 0-2, 7" in card
    assert "seen 9 times" in card
    assert "cut off" in card
    assert "has changed since" in card


def test_chinese_where_there_is_some_and_english_where_not() -> None:
    card = compose_card(record(), CardContext(language="zh"))
    assert "该怎么做" in card
    assert "少用一些" in card
    assert "Reboot" in card, "no Chinese text in this record: the English one stands in"


HOSTILE = "[click](command:evil) <img src=x onerror=y> ![i](http://e/x.png) \x1b[31mred\u202e `tick` $(math)"


def test_captures_and_records_cannot_become_links_or_markup() -> None:
    cures = [{"action": HOSTILE, "success_rate": 0.5, "how": "```\n" + HOSTILE + "\n```"}]
    card = compose_card(
        record(workarounds=cures, workarounds_zh=[""], sources=["javascript:alert(1)", "command:x"]),
        CardContext(captures={"free": HOSTILE}),
    )
    check_rendering(card)
    assert "\x1b" not in card
    assert "\u202e" not in card


def check_rendering(markdown: str) -> None:
    """Fail on HTML, images and links to anything but the web, as a Markdown renderer sees them."""
    from markdown_it import MarkdownIt

    for token in MarkdownIt("commonmark").parse(markdown):
        assert token.type != "html_block", token.content
        for child in token.children or ():
            assert child.type not in ("html_inline", "image"), child.content
            if child.type == "link_open":
                href = str(child.attrs["href"])
                assert href.startswith(("https://", "http://")), href


@pytest.mark.parametrize("text", ["`", "``", "a`b``c", "", " `x` ", "```"])
def test_code_cannot_end_itself(text: str) -> None:
    from markdown_it import MarkdownIt

    (block,) = [t for t in MarkdownIt().parse(code_block(text or "x")) if t.type == "fence"]
    assert block.content == (text or "x") + "\n"
    if text.strip():
        inline = MarkdownIt().parse(code_span(text))[1]
        assert inline.children
        assert [child.type for child in inline.children] == ["code_inline"]


def test_prose_keeps_code_spans_and_escapes_the_rest() -> None:
    assert prose("use `a*b` and a*b") == r"use `a*b` and a\*b"
    assert prose("a\n\n# b") == r"a \# b"


def test_sources_become_links_only_where_they_are_web_addresses_or_issues() -> None:
    assert source_link("https://pytorch.org/docs/x") == "[pytorch.org/docs/x](https://pytorch.org/docs/x)"
    assert (
        source_link("pytorch/pytorch#123") == r"[pytorch/pytorch\#123](https://github.com/pytorch/pytorch/issues/123)"
    )
    assert source_link("torch/nn/functional.py:3 (2.13.0)") == "`torch/nn/functional.py:3 (2.13.0)`"
    assert source_link("command:evil") == "`command:evil`"


def test_the_language_of_a_locale() -> None:
    assert [language_of(item) for item in ("zh-cn", "zh_CN.UTF-8", "ZH", "en", "de_DE", "", None, "zhuang")] == [
        "zh", "zh", "zh", "en", "en", "en", "en", "en",
    ]  # fmt: skip


def test_captures_are_named_in_the_language_of_the_card() -> None:
    seen = {"limit": "8", "side_effect": "print", "own_name": "x"}
    assert "**In this run:** limit `8`, side effect `print`, own name `x`" in compose_card(
        record(), CardContext(captures=seen)
    )
    chinese = compose_card(record(), CardContext(captures=seen, language="zh"))
    assert "**本次运行:** 上限 `8`, 副作用 `print`, own name `x`" in chinese
    other = [{"action": "w", "success_rate": 0.5, "how": "h", "when": {"reason": ["size", "rank"]}}]
    chinese = compose_card(record(workarounds=other), CardContext(captures={"reason": "dtype"}, language="zh"))
    assert "“原因”是 'dtype'，此方法只适用于 'size' 或 'rank'" in chinese
