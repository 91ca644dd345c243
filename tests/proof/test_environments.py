"""An interpreter with a certain torch: what is refused before anything is installed, and what a failure says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from detour_lsp.proof import environments
from detour_lsp.proof.environments import EnvironmentProblem, interpreter_for


@pytest.mark.parametrize("version", ["banana", "", "2", "2.x", "2.13.0; rm -rf /", "../../tmp", "2.13.0+cpu cu"])
def test_what_is_no_version_is_refused_at_once(tmp_path: Path, version: str) -> None:
    with pytest.raises(EnvironmentProblem, match="is no version of torch"):
        interpreter_for(version, tmp_path)
    assert list(tmp_path.iterdir()) == []


def run_instead(calls: list[list[str]], stderr: str = "") -> object:
    """Answers for `subprocess.run`: nothing is installed."""

    def run(command: list[str], **_options: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        failed = bool(stderr) and "pip" in command
        if "venv" in command:
            Path(command[-1]).mkdir(parents=True)
        return subprocess.CompletedProcess(command, int(failed), "", stderr if failed else "")

    return run


@pytest.mark.parametrize(
    ("version", "numpy"), [("1.13.1", "numpy<2"), ("2.2.2", "numpy<2"), ("2.3.0", "numpy"), ("2.13.0+cpu", "numpy")]
)
def test_numpy_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, numpy: str) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr(environments.subprocess, "run", run_instead(calls))
    python = interpreter_for(version, tmp_path)
    assert Path(python).parent.parent == tmp_path / f"torch-{version}"
    assert calls[0][:3] == [sys.executable, "-m", "venv"]
    assert calls[1][-1] == f"torch=={version}"
    assert calls[2][-1] == numpy


def test_what_pip_says_is_told_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        "ERROR: Could not find a version that satisfies the requirement torch==2.99.0 (from versions: 2.12.1, 2.13.0)\n"
        "ERROR: No matching distribution found for torch==2.99.0\nWARNING: a newer pip is there\n"
    )
    monkeypatch.setattr(environments.subprocess, "run", run_instead([], said))
    with pytest.raises(EnvironmentProblem) as problem:
        interpreter_for("2.99.0", tmp_path)
    expected = "torch 2.99.0 cannot be installed: No matching distribution found for torch==2.99.0"
    assert str(problem.value) == expected
    assert not (tmp_path / "torch-2.99.0").exists()
