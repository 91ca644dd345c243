"""Bounds of records against versions as torch writes them."""

from __future__ import annotations

import pytest

from detour_lsp.knowledge.versions import matches, valid


@pytest.mark.parametrize(
    ("bounds", "version", "expected"),
    [
        (["torch>=2.0", "torch<=2.5.1"], "2.3.0", True),
        (["torch>=2.0", "torch<=2.5.1"], "2.5.1+cu121", True),
        (["torch>=2.0", "torch<=2.5.1"], "2.6.0", False),
        (["torch==2.1.2", "torch==2.4.1"], "2.4.1", True),
        (["torch==2.1.2", "torch==2.4.1"], "2.3.0", False),
        (["torch>=2.2,<2.6"], "2.5", True),
        (["torch>=2.14"], "2.14.0.dev20261130+cpu", True),
        (["torch==2.13.*"], "2.13.0+cpu", True),
        (["numpy>=2"], "1.0", True),
        (["numpy>=2", "torch>=2.2"], "2.1", False),
        (["not a bound", "torch>=2"], "2.1", True),
        ([], "2.1", True),
        (["torch>=2.0"], None, True),
        (["torch>=2.0"], "from source", True),
    ],
)
def test_matches(bounds: list[str], version: str | None, expected: bool) -> None:
    assert matches(bounds, version) is expected


def test_other_packages() -> None:
    assert matches([">=2"], "1.26", "numpy") is False
    assert matches(["NumPy>=2"], "2.1", "numpy") is True


def test_valid() -> None:
    assert valid("torch>=2.0")
    assert valid("torch>=2.1,<2.4")
    assert not valid("torch")
    assert not valid("torch 2.x")
