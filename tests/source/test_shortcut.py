"""Edits that are passed over: the findings equal those of a fresh check, whatever is edited where."""

from __future__ import annotations

import random

import pytest

from detour_lsp.knowledge.loading import Knowledge, load
from detour_lsp.source.check import Checker, State
from detour_lsp.source.parsing import Edit

#: Three records, so that what other records look for does not decide which edits are passed over.
IDS = ("pytorch/compile-recompilation-limit", "pytorch/compile-errors-suppressed", "pytorch/autograd-nan")
ALL = load().records
CHECKER = Checker(Knowledge({record: ALL[record] for record in IDS}, ()))

HEAD = """import os
import torch
import torch._dynamo as dynamo

limit = 0
settings = dynamo.config
other = settings
"""
FILLER = '''
def step_{n}(model, batch, scale={n}):
    """One step, number {n}: don't do more."""
    outputs = model(batch["x"], mask=batch.get("mask"))  # the model's own
    loss = ((outputs - batch["goal"]) ** 2).mean() * scale
    if loss > {n}:
        print(loss, outputs, é)
    return {{"loss": loss, "names": [scale, {n}]}}
'''
TAIL = """
other.recompile_limit = limit
torch.autograd.set_detect_anomaly(
    True,
)
dynamo.config.suppress_errors = True  # detour: ignore
settings.cache_size_limit = 0
"""


def program(before: int = 20, after: int = 20) -> str:
    fill = [FILLER.format(n=n) for n in range(before + after)]
    return HEAD + "".join(fill[:before]) + TAIL + "".join(fill[before:])


def facts(state: State) -> list[tuple[object, ...]]:
    return [(f.record, f.dead_end, f.line, f.column, f.start, f.end, f.fingerprint) for f in state.findings]


def check(state: State) -> None:
    assert facts(state) == facts(CHECKER.start(state.text, state.path))


def was_passed_over(before: State, after: State) -> bool:
    return after.guard is not None and after.guard.pending is not None and before.tree is after.tree


@pytest.mark.parametrize(
    ("needle", "insert", "passed"),
    [
        ("outputs = model", "x", True),
        ("the model's own", "y", True),
        ('get("mask"', "(1)", True),
        ('get("mask"', "()", True),
        ("outputs = model", "a + ", True),
        ('get("mask"', "(", False),
        ("(loss, outputs", "z", True),
        ('get("mask"', "q", True),
        ("return {", "q", True),
        ("limit = 0", "x", False),
        ("settings = dynamo", "x", False),
        ("other = settings", "x", False),
        ("if loss", "x", False),
        ("True,", "#", False),
        ('"""One step', "#", False),
        ("outputs = model", "\n", False),
        ("\n    loss = ", "\n    ", True),
        ("\n\ndef step_21", "\n", True),
    ],
)
def test_which_edits_are_passed_over(needle: str, insert: str, passed: bool) -> None:
    text = program(before=40)
    before = CHECKER.start(text, "a.py")
    assert len(before.findings) >= 3
    at = text.index(needle, 0 if needle in HEAD else text.index("step_20"))
    after = CHECKER.update(before, [Edit(at, at, insert)])
    assert after.text == text[:at] + insert + text[at:]
    check(after)
    if passed:
        assert was_passed_over(before, after)
    else:
        assert not was_passed_over(before, after)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import torch\nfor n in names:\n    QQ\n{}    torch.cuda.empty_cache()\n", "m = load_model(n)"),
        ("import torch\nkw = dict(weights_only=False)\nQQ\n{}torch.load(p, **kw)\n", "kw.clear()"),
        (
            "from torch import nn\nclass A(nn.Module):\n    def __init__(self):\n{}        QQ\n        pass\n"
            "    def setup(self):\n        super().__init__()\n",
            "self.setup()",
        ),
    ],
)
def test_what_is_said_of_a_word_may_depend_on_a_line_far_away(text: str, line: str) -> None:
    indent = " " * (8 if "class" in text else 4 if "for" in text else 0)
    text = text.format("".join(f"{indent}x{number} = f({number})\n" for number in range(12)))
    at = text.index("QQ")
    checker = Checker(load())
    state = checker.start(text.replace("QQ", ""), "a.py")
    assert len(state.findings) == 1
    for offset, letter in enumerate(line):
        state = checker.update(state, [Edit(at + offset, at + offset, letter)])
    assert not state.findings


def test_typing_a_dead_end_is_found_at_the_letter_that_makes_it_one() -> None:
    text = program()
    state = CHECKER.start(text, "a.py")
    count = len(state.findings)
    at = text.index("    return", text.index("step_30"))
    typed = "    torch._dynamo.config.suppress_errors = True\n"
    for offset, letter in enumerate(typed):
        state = CHECKER.update(state, [Edit(at + offset, at + offset, letter)])
        check(state)
    assert len(state.findings) == count + 1


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_equal_a_fresh_check(seed: int) -> None:
    rng = random.Random(seed)
    state = CHECKER.start(program(rng.randrange(3, 30), rng.randrange(3, 30)), "a.py")
    names = ["x", "é", "1", "ab", "_", ""]
    others = [" ", ".", "(", ")", "'", "#", "\n", ":", "= 0", "limit", "torch", "settings", "  ", "cuda", "\\", ","]
    passed = 0
    for _ in range(60):
        if rng.random() < 0.4 or state.guard is None:
            state = CHECKER.start(program(rng.randrange(3, 30), rng.randrange(3, 30)), "a.py")
        text = state.text
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice([0, 0, 0, 1, 2]))
        after = CHECKER.update(state, [Edit(start, end, rng.choice(rng.choice([names, names, others])))])
        passed += was_passed_over(state, after)
        state = after
        check(state)
    assert passed > 5, "the shortcut is taken at all"


def test_many_edits_in_one_notification_and_then_a_slow_one() -> None:
    text = program(before=60)
    state = CHECKER.start(text, "a.py")
    first, second = text.index("outputs = model", text.index("step_20")), text.index("loss = ", text.index("step_5"))
    state = CHECKER.update(state, [Edit(first, first, "abc"), Edit(second, second, "de")])
    check(state)
    at = state.text.index("settings.cache_size_limit = 0") + len("settings.cache_size_limit = ")
    state = CHECKER.update(state, [Edit(at, at + 1, "64")])
    check(state)


def test_writing_a_whole_line_is_passed_over_letter_by_letter() -> None:
    text = program(before=60)
    state = CHECKER.start(text, "a.py")
    at = text.index("\n    loss = ", text.index("step_20"))
    passed = 0
    for offset, letter in enumerate("\n    extra = outputs * 2 - scale  # more"):
        after = CHECKER.update(state, [Edit(at + offset, at + offset, letter)])
        passed += was_passed_over(state, after)
        state = after
        check(state)
    assert passed > 20
