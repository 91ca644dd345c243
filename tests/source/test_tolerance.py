"""Findings away from a syntax error stay, and edits one by one end where a fresh check of the same text ends."""

from __future__ import annotations

import io
import random
import tokenize

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from source_rules import CACHE, LIMIT, LOAD, SUPPRESS, checker, expect, lines

from detour_lsp.source.check import Checker
from detour_lsp.source.parsing import Edit, SourceTree

CHECKER = checker(*LIMIT, *SUPPRESS, *LOAD, *CACHE)
SAMPLE = '''"""A module docstring."""
import os
import torch
import torch.nn as nn

TABLE = {
    "a": 1,
    "b": [1, 2, 3],
}
torch._dynamo.config.recompile_limit = 0


class Net(nn.Module):
    """Doc of the class."""

    def __init__(self, width: int = 3, *, depth=2) -> None:
        super().__init__()
        self.fc = nn.Linear(width, depth)

    @torch.no_grad()
    def forward(self, x, config=None):
        """Doc."""
        if x.sum() > 0:
            y = self.fc(x)
        elif x is None:
            y = x[0:2, ...]
        else:
            y = {k: v for k, v in x.items() if v}
        torch.load(x, weights_only=False)
        return y


def train(model, loader, *args, **kwargs):
    for step, batch in enumerate(loader):
        try:
            loss = model(
                batch,
                key="value",
            )
            loss.backward()
        except (RuntimeError, ValueError) as error:
            print(f"failed {error!r}", error)
            raise
        finally:
            pass
        torch.cuda.empty_cache()
    with open("x") as f, torch.no_grad():
        data = torch.load(f, weights_only=False)
    while True:
        break
    torch._dynamo.config.cache_size_limit = -1
    return [torch.load(p, weights_only=False) for p in loader], lambda z: z + 1


async def other(a, b):
    global STATE
    async with a as c:
        await c.run(a if b else c)
    assert a == b, "message"
    del a
    x: int = 3
    x += 1
    yield x


if __name__ == "__main__":
    train(Net(), [])
torch._dynamo.config.suppress_errors = True
'''
STARTS = [0]
for _line in SAMPLE.splitlines(keepends=True):
    STARTS.append(STARTS[-1] + len(_line))
TOKENS = [
    token
    for token in tokenize.generate_tokens(io.StringIO(SAMPLE).readline)
    if token.type not in {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
]


def away(found: list[int], first: int, last: int) -> list[int]:
    return [line for line in found if not first <= line <= last]


def test_any_one_token_may_be_missing() -> None:
    whole = lines(CHECKER.check(SAMPLE, "a.py"))
    assert whole == [10, 29, 46, 48, 51, 52, 68]
    for token in TOKENS:
        start = STARTS[token.start[0] - 1] + token.start[1]
        end = STARTS[token.end[0] - 1] + token.end[1]
        text = SAMPLE[:start] + "\n" * SAMPLE.count("\n", start, end) + SAMPLE[end:]
        found = lines(CHECKER.check(text, "a.py"))
        near = (token.start[0], token.end[0])
        assert away(found, *near) == away(whole, *near), (token.start, token.string)


def test_any_one_character_may_be_missing() -> None:
    whole = lines(CHECKER.check(SAMPLE, "a.py"))
    for position in random.Random(1).sample(range(len(SAMPLE)), 300):
        if SAMPLE[position].isspace():
            continue
        line = SAMPLE.count("\n", 0, position) + 1
        found = lines(CHECKER.check(SAMPLE[:position] + SAMPLE[position + 1 :], "a.py"))
        # A letter less in the keyword of a loop makes it another statement.
        if SAMPLE[position : position + 1] in "for" and line == 34:
            continue
        assert away(found, line, line) == away(whole, line, line), (line, SAMPLE[position])


@pytest.mark.parametrize(
    "typed",
    [
        "x = foo(", "x = [1, 2", "def f(", "def f(a, b", "class A(", "class A(nn.Module", "if x", "if x:", "for i in",
        "for i in range(", "with open(", "try:", "except ValueError", "x = ", "x = torch.", "import ", "from torch",
        "from torch import", "from torch import (", "return", "@", "@torch.", "x = 'abc", 'x = "abc', 'x = """abc',
        "'''", 'f"{x', "lambda", "assert", "raise", "x = {", "x = {'a': ", "print(f'{a", "while", "while (x", "async",
        "async def", "match x:", "else", "elif x", "x = y if", "del", "global", "%matplotlib inline", "!pip install x",
        "x = )", "]", "}", "x = = 3", "x y z", "def def", "λ = (", "\\",
    ],
)  # fmt: skip
@pytest.mark.parametrize("indent", ["", "    "])
def test_half_a_line_hides_nothing(typed: str, indent: str) -> None:
    before = "import torch\ndef g():\n    torch.load(p, weights_only=False)\n"
    after = "    torch.load(p, weights_only=False)\n" if indent else ""
    tail = "torch._dynamo.config.recompile_limit = 0\n\n\ndef h(x):\n    torch.load(p, weights_only=False)\n"
    text = f"{before}{indent}{typed}\n{after}{tail}"
    shift = 1 if indent else 0
    wanted = [3, *([5] if indent else []), 5 + shift, 9 + shift]
    assert lines(CHECKER.check(text, "a.py")) == wanted


def test_what_is_being_typed_is_already_found() -> None:
    text = "import torch\nx = torch.load(p, weights_only=False\ny = 2\n"
    (finding,) = CHECKER.check(text, "a.py")
    assert (finding.line, finding.column) == (2, 5)


def test_magics_and_shell_lines() -> None:
    text = (
        "# %%\n%env X=1\n!pip install -U torch\nimport torch\nfiles = !ls\n"
        "%time torch.load(p, weights_only=False)  # bad\n"
        "for p in files:\n    !echo {p}\n    torch.cuda.empty_cache()  # bad\ntorch.load?\n"
    )
    expect(CHECKER, text)
    (timed,) = [item for item in CHECKER.check(text, "a.py") if item.line == 6]
    assert text[timed.start : timed.end] == "torch.load(p, weights_only=False)"


@pytest.mark.parametrize("quote", ['"""', "'''"])
def test_an_open_triple_quote_hides_nothing_behind_it(quote: str) -> None:
    text = (
        f"import torch\ndef f():\n    {quote}Doc.\n    torch.load(p, weights_only=False)\n\n"
        f"def g():\n    {quote}Doc.{quote}\n    torch.load(p, weights_only=False)\n"
    )
    assert lines(CHECKER.check(text, "a.py")) == [4, 8]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000, "[" * 3000 + "\nimport torch\n", "x = " + "-" * 5000 + "1", "a" + ".b" * 5000 + " = 0\n",
        "if x:\n" * 3000, "\0\0\0", "\ud800 = torch.load(1)", "'" * 5001, '"""' * 1001, "\\\n" * 3000, "\r" * 3000,
        "x = [" + "torch.load(" * 1000, "else:\n" * 2000, "@" * 4000, "import torch as " * 500, "\ufeff" * 100,
        "f(" + "lambda: " * 2000, "a = a\n" * 10 + "b = a\na = b\na.recompile_limit = 0\n",
        "\n".join(f"a{n} = a{n + 1}" for n in range(2000)) + "\nimport torch\na0.load(weights_only=False)\n",
    ],
)  # fmt: skip
def test_hostile_texts_end_quickly(text: str) -> None:
    CHECKER.check(text + "\nimport torch\nx = torch.load(p, weights_only=False)\n", "a.py")


PIECES = [
    "torch._dynamo.config.recompile_limit = 0\n", "torch.load(p, weights_only=False)\n", "    ", "\n", "(", ")", '"""',
    "def f(x):\n", "for x in y:\n", "x", ":", "é字\U0001f600", "'", "import torch\n", "#", "\r\n", "\r", "\ufeff", "0",
]  # fmt: skip


def _edited(text: str, start: float, length: int, piece: str) -> Edit:
    begin = int(start * len(text))
    return Edit(begin, min(len(text), begin + length), piece)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(PIECES)), min_size=1, max_size=6),
    st.sampled_from([SAMPLE, "", "import torch\n# é字\nx = '\U0001f600'; torch._dynamo.config.recompile_limit = 0\n"]),
)
def test_edits_one_by_one_equal_a_fresh_check(edits: list[tuple[float, int, str]], text: str) -> None:
    state = CHECKER.start(text, "a.py")
    for start, length, piece in edits:
        edit = _edited(state.text, start, length, piece)
        state = CHECKER.update(state, [edit])
        fresh = CHECKER.start(state.text, "a.py")
        assert state.findings == fresh.findings
        assert (state.tree is None) == (fresh.tree is None)
        if state.tree is not None and fresh.tree is not None:
            assert (state.tree.broken, str(state.tree.root)) == (fresh.tree.broken, str(fresh.tree.root))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab =()[]{}\"'\\\n\r\t#:.,@é字\U0001f600\ufeff\0%!?", max_size=80))
def test_positions_point_into_the_text(text: str) -> None:
    tree = SourceTree.parse(text)
    stack = [tree.root]
    while stack:
        node = stack.pop()
        start, end = tree.start(node), tree.end(node)
        assert 0 <= start <= end <= len(text)
        if not tree.broken:
            line, column = tree.position(start)
            assert tree.offset(line, column) == start or text[start - 1 : start + 1] == "\r\n"
        stack.extend(node.children)


def test_a_checker_without_selectors_finds_nothing() -> None:
    empty: Checker = checker()
    assert empty.check(SAMPLE, "a.py") == []
    assert not empty.may_have_findings(SAMPLE.encode(), "train.py")
