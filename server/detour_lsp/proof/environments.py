"""Interpreters with a certain torch: the user's own, or one made for a version and kept for the next time."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from detour_lsp.proof.running import version_of

#: Small builds first: a CUDA build of torch has several GB.
_INDEXES = (("--index-url", "https://download.pytorch.org/whl/cpu"), ())
_INSTALL_SECONDS = 1800
_VERSION = re.compile(r"(?P<major>\d{1,3})\.(?P<minor>\d{1,3})(?:\.\d{1,3})?(?:(?:a|b|rc|\.dev)\d+)?(?:\+\w+)?")
#: The first torch that was built for NumPy 2; an older one cannot hand its tensors to it.
_NUMPY_2_SINCE = (2, 3)


class EnvironmentProblem(Exception):  # noqa: N818 - shown to the user as it is
    """Why there is no interpreter with that torch."""


def interpreter_for(version: str, keep_in: Path) -> str:
    """A python with that torch, installed below `keep_in` if it is not there yet."""
    parts = _VERSION.fullmatch(version)
    if parts is None:
        raise EnvironmentProblem(f"{version!r} is no version of torch; write it as 2.6.0")
    numpy = "numpy" if (int(parts["major"]), int(parts["minor"])) >= _NUMPY_2_SINCE else "numpy<2"
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
            _call([str(python), "-m", "pip", "install", "--quiet", numpy])
            return str(python)
        except EnvironmentProblem as error:
            problem = str(error)
    shutil.rmtree(folder, ignore_errors=True)
    raise EnvironmentProblem(f"torch {version} cannot be installed: {problem}")


def _call(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentProblem(str(error)) from error
    if done.returncode:
        raise EnvironmentProblem(_reason(done.stderr) or f"{command[0]} ended with status {done.returncode}")


def _reason(output: str) -> str:
    """The line of pip's output that says most: that there is no such version, else its first error."""
    lines = output.strip().splitlines()
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    missing = [line for line in errors if line.startswith("No matching distribution")]
    return next(iter([*missing, *errors, *lines[-1:]]), "")
