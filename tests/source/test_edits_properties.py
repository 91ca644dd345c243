"""Calls in any layout: an edit changes the arguments that it names, keeps every comment, and is settled."""

from __future__ import annotations

import ast
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from repairing import planned, repaired

from detour_lsp.source.apply import apply

VALUES = [
    "x",
    "1",
    "'a, b'",
    "f(1, 2)",
    "[1, 2]",
    "lambda q: q",
    "a if b else c",
    '"""t\n u"""',
    "{'k': (1,)}",
    "-1",
    "漢",
]
NAMES = ["mode", "dynamic", "backend", "options"]


@st.composite
def arguments(draw: st.DrawFn) -> str:
    """The text between the parentheses of a call."""
    positional = [draw(st.sampled_from(VALUES)) for _ in range(draw(st.integers(0, 2)))]
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=3))
    items = positional + [
        f"{name}{draw(st.sampled_from(['=', ' = ']))}{draw(st.sampled_from(VALUES))}" for name in names
    ]
    if not items:
        return draw(st.sampled_from(["", " ", "\n", "  # nothing\n"]))
    parts: list[str] = []
    for index, item in enumerate(items):
        last = index == len(items) - 1
        comma = draw(st.booleans()) if last else True
        before = draw(st.sampled_from(["", " ", "\n    ", "\n        "]))
        comment = draw(st.sampled_from(["", "", f"  # note {index}\n    ", "\n"]))
        parts.append(f"{before}{item}{',' if comma else ''}{comment}")
    return "".join(parts) + draw(st.sampled_from(["", "\n"]))


def keywords(text: str) -> dict[str, str]:
    """The keywords of the call in the text, as Python reads them."""
    (call,) = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile"
    ]
    return {str(item.arg): ast.dump(item.value) for item in call.keywords}


def comments(text: str) -> list[str]:
    return re.findall(r"# n\w+(?: \d)?", text)


def dump(code: str) -> str:
    return ast.dump(ast.parse(code, mode="eval").body)


@settings(max_examples=150, deadline=None)
@given(arguments(), st.sampled_from(NAMES), st.sampled_from(["True", "'x'"]), st.booleans())
def test_set_keyword(inside: str, name: str, value: str, crlf: bool) -> None:
    text = f"import torch\nm = torch.compile({inside})  # end\n"
    before = keywords(text)
    if crlf and '"""' not in text:
        text = text.replace("\n", "\r\n")
    edit = {"edit": "set_keyword", "at": {"call": "torch.compile"}, "name": name, "value": value}
    if before.get(name) == dump(value):
        return
    after = repaired(text, edit)
    assert keywords(after) == {**before, name: dump(value)}
    assert comments(after) == comments(text)
    assert after.endswith("# end\r\n" if "\r\n" in text else "# end\n")
    if "\r\n" in text:
        assert re.search(r"(?<!\r)\n", after) is None


@settings(max_examples=150, deadline=None)
@given(arguments(), st.sampled_from(NAMES))
def test_remove_keyword(inside: str, name: str) -> None:
    text = f"import torch\nm = torch.compile({inside})\n"
    before = keywords(text)
    edit = {"edit": "remove_keyword", "at": {"call": "torch.compile"}, "name": name}
    if name not in before:
        assert planned(text, [edit]).disabled
        return
    after = repaired(text, edit)
    expected = dict(before)
    del expected[name]
    assert keywords(after) == expected
    # Only the comment on the keyword's own line may go with it.
    assert len(comments(text)) - len(comments(after)) <= 1


STATEMENTS = [
    "x = 1",
    "f(x)",
    "x += f(\n    1,\n)",
    "s = '''\n a'''",
    "del x",
    "x[0] = 2; y = 3",
    "assert x, 'no'",
    "pass",
]
HEADERS = ["if a:", "for i in b:", "with c as d:", "while e:", "def f(x):", "class A:", "async def g():"]


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, int]:
    """A program with `target()` somewhere, and the line of it."""
    unit = draw(st.sampled_from(["  ", "    ", "\t"]))
    lines = ["import torch"]
    depth = draw(st.integers(0, 3))
    for level in range(depth):
        for _ in range(draw(st.integers(0, 2))):
            lines += _indented(draw(st.sampled_from(STATEMENTS)), unit * level)
        lines.append(unit * level + draw(st.sampled_from(HEADERS)))
    around = draw(st.lists(st.sampled_from(STATEMENTS), max_size=3))
    for statement in around:
        lines += _indented(statement, unit * depth)
    lines.append(f"{unit * depth}torch.target(){draw(st.sampled_from(['', '  # why']))}")
    line = len(lines)
    for statement in draw(st.lists(st.sampled_from(STATEMENTS), max_size=2)):
        lines += _indented(statement, unit * depth)
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"])), line


def _indented(statement: str, indent: str) -> list[str]:
    first, *rest = statement.split("\n")
    return [indent + first, *(line if "'''" in statement else indent + line for line in rest)]


AROUND = [
    {"edit": "wrap_statement", "at": "frame", "header": "with torch.no_grad():"},
    {"edit": "wrap_statement", "at": "frame", "header": "if not torch.compiler.is_compiling():"},
    {"edit": "insert_statement", "at": "frame", "where": "before", "code": "torch.manual_seed(0)"},
    {"edit": "insert_statement", "at": "frame", "where": "after", "code": "torch.manual_seed(0)"},
    {"edit": "insert_statement", "at": "frame", "where": "after_import", "code": "torch.set_num_threads(1)"},
    {"edit": "insert_statement", "at": "frame", "where": "top", "code": "def added():\n    return torch.ones(1)"},
    {"edit": "remove_statement", "at": {"call": "torch.target"}},
    {"edit": "replace_text", "at": "frame", "pattern": "target", "to": "other"},
    {"edit": "append_call", "at": "frame", "call": ".sum()"},
    {"edit": "guard_main", "at": "frame"},
]


@settings(max_examples=300, deadline=None)
@given(programs(), st.sampled_from(AROUND))
def test_statements_in_any_block(program: tuple[str, int], edit: dict[str, str]) -> None:
    text, line = program
    repair = planned(text, [edit], line)
    if repair.disabled:
        return
    after = apply(text, repair.files[0].edits)
    ast.parse(after)
    kept = [item for item in text.split("\n") if item.strip() and "target" not in item and item.lstrip() == item]
    if edit["edit"] != "guard_main":
        # Lines at the margin that are not the target stay as they are, in their order.
        rest = iter(after.split("\n"))
        assert all(item in rest for item in kept)
    if edit["edit"] == "remove_statement":
        assert "target" not in after
    elif edit["edit"] not in ("replace_text",):
        assert after.count("torch.target()") == 1
