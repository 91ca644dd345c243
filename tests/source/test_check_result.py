"""A repair's result is judged by the statements that it touches, and as strictly as by the whole file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Parser

from detour_lsp.source.draft import Draft
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import LANGUAGE
from detour_lsp.source.repair import check_result
from detour_lsp.source.templates import Refused

STATEMENTS = [
    '"""Text."""\n',
    "from __future__ import annotations\n",
    "import torch\n",
    "x = torch.ones(2)  # é𝒳\n",
    "def f(a):\n    global y\n    return a\n",
    "@torch.compile\ndef g():\n    yield 1\n",
    "class A:\n    b = 1\n\n    def m(self):\n        nonlocal_ = 2\n",
    "for i in range(3):\n    break\n",
    "\n\n",
    "# a comment\n",
]
INSERTED = [
    "return 1\n", "break\n", "nonlocal z\n", "import os\n", "x = (\n", "y = 1\n", "    pass\n", "",
    "from __future__ import division\n", "await f()\n", "def f(a, a): pass\n", "f(k=1, k=2)\n", "1 = x\n", "def h():\n",
]  # fmt: skip


def compiles(text: str) -> bool:
    try:
        compile(text, "x", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def refused(text: str, edit: TextEdit) -> bool:
    draft = Draft("x.py", text)
    _ = draft.module.tree
    if not draft.change([edit]):
        return False
    try:
        check_result(draft)
    except Refused:
        return True
    return False


@given(st.lists(st.sampled_from(STATEMENTS), max_size=8), st.data())
def test_the_touched_statements_tell_what_the_whole_file_tells(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    starts = [0, *(i + 1 for i, char in enumerate(text) if char == "\n")]
    first = data.draw(st.sampled_from(starts))
    last = data.draw(st.sampled_from([start for start in starts if start >= first]))
    edit = TextEdit(first, last, data.draw(st.sampled_from(INSERTED)))
    after = text[:first] + edit.text + text[last:]
    if not compiles(text):
        return
    has_error = Parser(LANGUAGE).parse(after.encode()).root_node.has_error
    assert refused(text, edit) == (has_error or not compiles(after)) or after == text


@pytest.mark.parametrize("where", [0, 1])
def test_nothing_may_come_before_an_import_from_the_future(where: int) -> None:
    text = '"""Text."""\nfrom __future__ import annotations\nx = 1\n'
    at = [text.index("from"), text.index("x")][where]
    assert refused(text, TextEdit(at, at, "import torch\n")) == (where == 0)
