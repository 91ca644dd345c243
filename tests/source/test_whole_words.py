"""Whole words are found by hyperscan and without it alike."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

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


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DETOUR_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_a_database_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = WholeWords(WORDS).find(b"x lu")
    (kept,) = cache.glob("*.database")
    before = kept.read_bytes()

    with monkeypatch.context() as patch:
        # Without the class that compiles.
        parts = {name: getattr(whole_words.hyperscan, name) for name in ("loadb", "Scratch", "HS_MODE_BLOCK", "error")}
        patch.setattr(whole_words, "hyperscan", SimpleNamespace(**parts))
        assert WholeWords(WORDS).find(b"x lu") == first == {"x": [1], "lu": [4]}
    assert WholeWords(WORDS[:2]).find(b"x lu") == {"lu": [4]}
    assert kept.read_bytes() == before


@pytest.mark.parametrize("damage", [b"", b"DETOURD1", b"garbage" * 100])
def test_a_damaged_database_is_made_again(cache: Path, damage: bytes) -> None:
    WholeWords(WORDS)
    (kept,) = cache.glob("*.database")
    good = kept.read_bytes()
    for broken in (damage, good[:-1], good[:50] + b"?" + good[51:]):
        kept.write_bytes(broken)
        assert WholeWords(WORDS).find(b"x lu") == {"x": [1], "lu": [4]}
        assert kept.read_bytes() == good


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DETOUR_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert WholeWords(WORDS).find(b"x lu") == {"x": [1], "lu": [4]}
