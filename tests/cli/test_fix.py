"""`detour fix` on what real torch printed for a program of ours."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest

from detour_lsp.cli.main import main
from detour_lsp.knowledge.places import builtin_seeds

SEED = builtin_seeds() / "pytorch/torch-compile-graph-break-unsupported-op"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copy(SEED / "repro.py", tmp_path)
    shutil.copy(SEED / "logs/torch-2.13.0.txt", tmp_path / "run.log")
    return tmp_path


def test_a_diff_unless_asked_to_write(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (project / "repro.py").read_text()
    assert main(["fix", str(project / "run.log"), "--root", str(project), "--unsafe-fixes"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("--- a/repro.py\n+++ b/repro.py\n")
    assert "+" in out
    assert "torch.where(" in out
    assert "would be repaired in repro.py" in err
    assert (project / "repro.py").read_text() == before


def test_write(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert main(["fix", "run.log", "--root", ".", "--unsafe-fixes", "--write"]) == 0
    assert "torch.where(" in (project / "repro.py").read_text()
    out, err = capsys.readouterr()
    assert out == ""
    assert ": repaired in repro.py: " in err


def test_unsafe_repairs_are_not_made_unasked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", str(project / "run.log"), "--root", str(project)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "--unsafe-fixes" in err


def test_standard_input_and_nothing_to_repair(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"all is well\n")))
    assert main(["fix", "-", "--root", str(project)]) == 0
    assert "no known error" in capsys.readouterr().err


def test_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", str(tmp_path / "none.log")]) == 2
    (tmp_path / "a.log").write_text("")
    assert main(["fix", str(tmp_path / "a.log"), "--root", str(tmp_path / "nowhere")]) == 2
    assert "no such" in capsys.readouterr().err
