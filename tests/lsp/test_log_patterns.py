"""Which files the patterns of `logs.patterns` find."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from detour_lsp.lsp.log_patterns import matching

FILES = (
    "train.log", "train.txt", "runs/a.log", "runs/1/b.log", "runs/1/deep/c.log", "runs/2/slurm-7.out", ".hidden/d.log",
    "runs/.cache/e.log", ".venv/lib/f.log", "node_modules/x/g.log", "other/runs/h.log",
)  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "outside.log").touch()
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.log", ["train.log"]),
        ("runs/**/*.log", ["runs/1/b.log", "runs/1/deep/c.log", "runs/a.log"]),
        ("**/*.log", ["other/runs/h.log", "runs/1/b.log", "runs/1/deep/c.log", "runs/a.log", "train.log"]),
        ("**/runs/*.log", ["other/runs/h.log", "runs/a.log"]),
        ("runs/*/*", ["runs/1/b.log", "runs/2/slurm-7.out"]),
        ("runs/**", ["runs/1/b.log", "runs/1/deep/c.log", "runs/2/slurm-7.out", "runs/a.log"]),
        ("runs\\[12]\\slurm-?.out", ["runs/2/slurm-7.out"]),
        (".hidden/*.log", [".hidden/d.log"]),
        ("/train.log", ["train.log"]),
        ("../*.log", []),
        ("nosuch/**/*.log", []),
        ("", []),
    ],
)
def test_what_a_pattern_finds(tree: Path, pattern: str, found: list[str]) -> None:
    assert matching([(tree, pattern)], 100) == [tree / name for name in found]


def test_links_make_no_circles_and_a_file_counts_once(tree: Path) -> None:
    (tree / "runs/loop").symlink_to(tree / "runs", target_is_directory=True)
    (tree / "latest").symlink_to(tree / "runs/1", target_is_directory=True)
    places = [(tree, "runs/**/*.log"), (tree, "runs/*.log"), (tree, "latest/*.log")]
    found = [str(path.relative_to(tree)) for path in matching(places, 100)]
    assert found == ["runs/1/b.log", "runs/1/deep/c.log", "runs/a.log", "latest/b.log"]
    assert len(matching(places, 2)) == 2


def test_of_too_many_those_that_were_written_last(tree: Path) -> None:
    for number in range(20):
        (tree / f"run-{number:02}.txt").write_text("")
        os.utime(tree / f"run-{number:02}.txt", (1_000, 1_000 + number))
    (tree / "a-day-later.txt").write_text("")
    found = [path.name for path in matching([(tree, "*-*.txt")], 3)]
    assert found == ["a-day-later.txt", "run-19.txt", "run-18.txt"]
