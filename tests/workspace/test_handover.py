"""What `detour run` leaves for open editors: private, short, taken away again, and never trusted."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from detour_lsp.workspace.handover import (
    KEPT_SECONDS,
    MOST_CHARACTERS,
    Failure,
    directory,
    hand_over,
    new_failures,
    sweep,
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DETOUR_RUN_DIR", str(tmp_path / "run"))
    return tmp_path / "run"


def test_a_failure_is_handed_over_once(folder: Path) -> None:
    failure = Failure("python a.py", "/w", 1, "boom\n")
    hand_over(failure)
    seen: set[str] = set()
    assert list(new_failures(folder, seen)) == [failure]
    assert list(new_failures(folder, seen)) == []


def test_only_the_user_can_look_into_it_and_only_the_end_is_kept(folder: Path) -> None:
    hand_over(Failure("c", "/w", 1, "a" * MOST_CHARACTERS + "the end"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (file,) = folder.glob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (failure,) = new_failures(folder, set())
    assert len(failure.text) == MOST_CHARACTERS
    assert failure.text.endswith("the end")


def test_old_files_are_taken_away(folder: Path) -> None:
    hand_over(Failure("c", "/w", 1, "old"))
    (old,) = folder.glob("*.json")
    past = time.time() - KEPT_SECONDS - 1
    os.utime(old, (past, past))
    sweep(folder)
    assert not old.exists()


def test_a_directory_of_somebody_else_is_refused(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    with pytest.raises(PermissionError, match="others may look"):
        directory()


def test_foreign_files_in_it_are_passed_over(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    for name, text in {"a": "no json", "b": "[1]", "c": json.dumps({"command": 3}), "d": "[" * 100_000}.items():
        (folder / f"{name}.json").write_text(text)
    assert list(new_failures(folder, set())) == []
