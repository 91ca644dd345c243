"""The rules of the knowledge base over many ways in which people write things: what is found, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_rules import expect, lines

from detour_lsp.knowledge.loading import load
from detour_lsp.source.check import Checker

CHECKER = Checker(load())
SHAPES = [
    part.split("\n", 1) for part in f"\n{Path(__file__).with_name('shapes.txt').read_text('utf-8')}".split("\n== ")[1:]
]


@pytest.mark.parametrize(("name", "text"), SHAPES, ids=[name for name, _ in SHAPES])
def test_shape(name: str, text: str) -> None:
    del name
    expect(CHECKER, text + "\n")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import torch\n%env KMP_DUPLICATE_LIB_OK=TRUE\n", [2]),
        ("%set_env KMP_DUPLICATE_LIB_OK TRUE\nx = 1\n", [1]),
        ("%env KMP_DUPLICATE_LIB_OK\n!export KMP_DUPLICATE_LIB_OK=TRUE\n", []),
        ("import torch\nx = torch.zeros(1).cuda()\n%env CUDA_VISIBLE_DEVICES=1\n", [3]),
        ("import torch\n%env CUDA_VISIBLE_DEVICES=1\nx = torch.zeros(1).cuda()\n", []),
    ],
)
def test_magic_that_sets_a_variable(text: str, wanted: list[int]) -> None:
    found = CHECKER.check(text, "a.ipynb")
    assert lines(found) == wanted
    for finding in found:
        assert (finding.column, finding.end_line) == (1, finding.line)
        assert text[finding.start : finding.end] == text.splitlines()[finding.line - 1]
