"""What is handed to the grammar: whole statements of a large file, and no long runs of comments."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from detour_lsp.source.parsing import SourceTree, grammatical_bytes
from detour_lsp.source.sections import Sections

from .source_rules import checker

CHECKER = checker({"call": "torch.load", "keyword": {"weights_only": {"is": False}}})
#: More functions than are read for one finding.
MANY = "".join(f"\n\ndef step_{number}(x):\n    return x + {number}\n" for number in range(400))
FINDING = "\n\ndef g(p):\n    return torch.load(p, weights_only=False)\n"


def test_a_statement_that_goes_on_at_the_left_margin_is_not_cut() -> None:
    going_on = '\n\ndef name(a):\n    return f"{a}/parts/\\\n{a.kind}_{a.number}.rec"\n'
    text = "import torch\n" + going_on + MANY + FINDING
    sections = Sections(text.encode())
    sections.keep([text.index("torch.load") + len("torch.load")])
    selection = sections.selection()
    assert selection is not None, "so small a part of the file is not read as a whole"
    assert not SourceTree.parse(text, selection).broken
    assert [finding.line for finding in CHECKER.check(text, "a.py")] == [text.count("\n")]


def test_a_chain_inside_brackets_is_no_half_typed_line() -> None:
    chain = (
        "\n\ndef samples(p, device):\n    yield Sample(\n"
        "        torch.load(p, weights_only=False)\n        .to_dense()\n"
        "        .requires_grad_(True),\n        p,\n    )\n"
    )
    text = "import torch\n" + chain + MANY
    state = CHECKER.start(text, "a.py")
    assert [finding.line for finding in state.findings] == [6]
    assert state.tree is not None
    assert not state.tree.broken


LINES = st.sampled_from(["# a\n", "  # é b\n", "#\n", "x = 1  # c\n", "\n", 'y = "#"\n', "# detour: ignore\n", "\r\n"])


@given(st.lists(st.tuples(LINES, st.sampled_from([1, 1, 2, 18, 19, 20, 21, 40])), max_size=8))
def test_only_long_runs_of_comments_are_blanked(pieces: list[tuple[str, int]]) -> None:
    text = "".join(line * times for line, times in pieces)
    plain = text.replace("\r\n", "\n").encode()
    runs = re.compile(rb"(?:\n[ \t]*#[^\n]*){20,}")

    def blank(match: re.Match[bytes]) -> bytes:
        return match[0] if b"detour" in match[0] else re.sub(rb"[^\n]", b" ", match[0])

    assert grammatical_bytes(text).replace(b"\r\n", b"\n") == runs.sub(blank, plain)
