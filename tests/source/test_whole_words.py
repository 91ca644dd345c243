"""Whole words are found by hyperscan and without it alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detour_lsp.source import whole_words
from detour_lsp.source.whole_words import WholeWords

WORDS = ("lu", "load", "torch", "load_state", "x")


@pytest.fixture(scope="module")
def plain() -> WholeWords:
    """The finder of a machine without hyperscan."""
    kept = whole_words.hyperscan
    whole_words.hyperscan = None
    try:
        return WholeWords(WORDS)
    finally:
        whole_words.hyperscan = kept


def test_only_whole_words() -> None:
    data = b"torch.load(value) + lu; load_state load\n x.lu xlu lux \xc3\xa9lu load"
    assert WholeWords(WORDS).find(data) == {
        "torch": [5],
        "load": [10, 39, 63],
        "lu": [22, 45, 58],
        "load_state": [34],
        "x": [42],
    }
    assert WholeWords(()).find(data) == {}


@given(st.binary(max_size=30) | st.text("lu .xload_torch\n", max_size=40).map(str.encode))
def test_both_engines_agree(plain: WholeWords, data: bytes) -> None:
    assert WholeWords(WORDS).find(data) == plain.find(data)
