"""Interpreters with a certain torch: the user's own, or one made for a version and kept for the next time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from detour_lsp.proof.running import version_of

#: Small builds first: a CUDA build of torch has several GB.
_INDEXES = (("--index-url", "https://download.pytorch.org/whl/cpu"), ())
_INSTALL_SECONDS = 1800


class EnvironmentProblem(Exception):  # noqa: N818 - shown to the user as it is
    """Why there is no interpreter with that torch."""


def interpreter_for(version: str, keep_in: Path) -> str:
    """A python with that torch, installed below `keep_in` if it is not there yet."""
    folder = keep_in / f"torch-{version}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if python.exists() and version_of(str(python)) == version.partition("+")[0]:
        return str(python)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _call([sys.executable, "-m", "venv", "--clear", str(folder)])
    problem = ""
    for index in _INDEXES:
        try:
            _call([str(python), "-m", "pip", "install", "--quiet", *index, f"torch=={version}"])
            _call([str(python), "-m", "pip", "install", "--quiet", "numpy"])
            return str(python)
        except EnvironmentProblem as error:
            problem = str(error)
    raise EnvironmentProblem(f"torch {version} cannot be installed: {problem}")


def _call(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentProblem(str(error)) from error
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise EnvironmentProblem(lines[-1] if lines else f"{command[0]} ended with status {done.returncode}")
