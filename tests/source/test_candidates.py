"""What is ruled out before parsing: never anything that a check of everything would find."""

from __future__ import annotations

import pytest
from test_shapes import CHECKER, SHAPES

from detour_lsp.source import sections
from detour_lsp.source.candidates import Candidates
from detour_lsp.source.import_lines import Source
from detour_lsp.source.loop_text import in_loop_possible
from detour_lsp.source.quoted import Quoted

FILLER = "".join(
    f"\n\ndef filler_{number}(load, config):\n    'A function that says nothing.'\n    return load(config, {number})\n"
    for number in range(60)
)


def found(text: str) -> list[tuple[str, int, int, int]]:
    return [(item.record, item.dead_end, item.start, item.end) for item in CHECKER.check(text, "train.py")]


@pytest.mark.parametrize(("name", "text"), SHAPES, ids=[name for name, _ in SHAPES])
def test_ruling_out_changes_nothing(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text + "\n", text + FILLER, "import os" + FILLER + "\n" + text + "\n" + FILLER]
    quick = [found(item) for item in texts]
    monkeypatch.setattr(Candidates, "possible", lambda _self, _plan, _words: True)
    monkeypatch.setattr(Candidates, "places", lambda self, word, _plans: self._hits.get(word, ()))
    monkeypatch.setattr(sections, "_WHOLE", 0.0)
    CHECKER._last = None
    whole = []
    for item in texts:
        CHECKER._last = None
        whole.append(found(item))
    CHECKER._last = None
    assert quick == whole, name


def test_functions_that_say_nothing_are_not_parsed() -> None:
    text = "import torch" + FILLER + "\ntorch._dynamo.config.recompile_limit = 0\n" + FILLER
    state = CHECKER.start(text, "a.py")
    assert state.tree is not None
    assert state.tree.selection is not None
    assert len(state.tree.selection.skipped) == 120
    assert [item.line for item in state.findings] == [text.count("\n", 0, text.index("torch._dynamo")) + 1]


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ('x = """\n@\n"""\n', True),
        ('x = "@"\n', True),
        ("x = 1  # @\n", True),
        ('x = f"{@}"\n', False),
        ('x = f"""\n{@}\n"""\n', False),
        ('x = """a"""; @\n', False),
        ('x = \'"""\'\n@\ny = \'"""\'\n', False),
        ('# """\n@\n# """\n', False),
        ('x = """\n@\n', False),
        ('x = """ \\""" @ """\n', True),
        ("x = 'it''s' + @\n", False),
        ("x = 'a\\\n@'\n", False),
    ],
)
def test_strings_and_comments(text: str, covered: bool) -> None:
    data = text.encode()
    assert Quoted(data).covers(data.index(b"@")) is covered


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("for x in y:\n    @\n", True),
        ("for x in y: @\n", True),
        ("for x in y:\n    pass\n@\n", False),
        ("for x in y:\n    def f():\n        @\n", True),
        ("for x in y:\n    pass\ndef f():\n    if a:\n        @\n", False),
        ("z = [\n    @\n    for x in y\n]\n", True),
        ("# for all\n@\n", False),
        ("while True:\n    if a:\n        @\n", True),
    ],
)
def test_loops(text: str, possible: bool) -> None:
    data = text.encode()
    assert in_loop_possible(data, data.index(b"@"), Quoted(data)) is possible


@pytest.mark.parametrize(
    ("text", "name", "meanings"),
    [
        (b"import torch as t\n", b"t", {"torch"}),
        (b"import torch\ncfg = torch._dynamo.config\n", b"cfg", {"torch._dynamo.config"}),
        (b"import torch\ncfg: Any = torch._dynamo.config  # x\n", b"cfg", {"torch._dynamo.config"}),
        (b"import torch\nself.cfg = torch._dynamo.config\n", b"self.cfg", {"torch._dynamo.config"}),
        (b"import torch\nif (m := torch.nn):\n    pass\n", b"m", {"torch.nn"}),
        (b"import torch\na, b = torch.nn, torch.cuda\n", b"b", {"torch.nn", "torch.cuda"}),
        (b"import torch\nm = None if x else torch.nn\n", b"m", {"torch.nn"}),
        (b"import torch\nm = torch.nn.Linear(1)\n", b"m", set[str]()),
        (b"import torch\na = torch\nb = a.cuda\n", b"b", {"torch.cuda"}),
    ],
)
def test_meanings(text: bytes, name: bytes, meanings: set[str]) -> None:
    assert Source(text).meanings(name) == meanings
