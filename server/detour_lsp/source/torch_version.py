"""Which torch a project runs on, read from files alone: nothing of a workspace is ever imported or run.

Asked in this order: the metadata of the interpreter that the editor or the project uses, the lock file, the pins of
requirements and `pyproject.toml`. A range is no version, since records are about exact behaviour.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from detour_lsp.source.toml_text import decode, table

_METADATA = re.compile(r"torch-(?P<version>[^-]+)\.dist-info$", re.IGNORECASE)
_LOCKED = re.compile(
    r'(?ms)^\[\[package\]\]\s*\n(?:(?!\[\[)[^\n]*\n)*?name\s*=\s*"torch"\s*\n(?:(?!\[\[)[^\n]*\n)*?version\s*=\s*"([^"]+)"'
)
_VENVS = (".venv", "venv", "env", ".env")
_LARGEST = 20_000_000


def torch_version(folder: Path | None, interpreter: str | None = None) -> str | None:
    """The torch version of a project folder, None when nothing fixes it."""
    for found in (_installed(folder, interpreter), _pinned(folder)):
        for version in found:
            return version
    return None


def _installed(folder: Path | None, interpreter: str | None) -> Iterator[str]:
    if interpreter:
        yield from _of_environment(_environment_of(Path(interpreter)))
    for above in _upwards(folder):
        for name in _VENVS:
            yield from _of_environment(above / name)
    active = os.environ.get("VIRTUAL_ENV") or os.environ.get("CONDA_PREFIX")
    if active and folder is not None:
        yield from _of_environment(Path(active))


def _environment_of(interpreter: Path) -> Path:
    """The folder of a virtual environment from its `bin/python`; links are not followed, they lead out of it."""
    parent = interpreter if interpreter.is_dir() else interpreter.parent
    return parent.parent if parent.name in {"bin", "Scripts"} else parent


def _of_environment(environment: Path) -> Iterator[str]:
    for pattern in ("lib/python3*/site-packages", "Lib/site-packages", "lib64/python3*/site-packages"):
        try:
            folders = sorted(environment.glob(pattern), reverse=True)
        except OSError:
            continue
        for folder in folders:
            yield from _in_folder(folder)


def _in_folder(folder: Path) -> Iterator[str]:
    try:
        entries = [entry.name for entry in os.scandir(folder)]
    except OSError:
        return
    for name in entries:
        match = _METADATA.match(name)
        if match is not None and _is_version(match["version"]):
            yield match["version"]


def _upwards(folder: Path | None) -> Iterator[Path]:
    """The folder and those above it, up to the root of the repository."""
    if folder is None:
        return
    start = folder.resolve()
    for above in (start, *start.parents):
        yield above
        if (above / ".git").exists():
            return


def _pinned(folder: Path | None) -> Iterator[str]:
    for above in _upwards(folder):
        lock = _text(above / "uv.lock")
        if lock:
            match = _LOCKED.search(lock)
            if match is not None and _is_version(match[1]):
                yield match[1]
        for file in sorted(_glob(above, "requirements*.txt")) + sorted(_glob(above / "requirements", "*.txt")):
            yield from _in_lines(_text(file).splitlines())
        yield from _in_pyproject(_text(above / "pyproject.toml"))


def _in_lines(lines: list[str]) -> Iterator[str]:
    for line in lines:
        # Hashes, options and comments follow behind white space.
        text = re.split(r"\s+(?:#|--|\\)", f"{line} ", maxsplit=1)[0].strip()
        if text.lower().startswith("torch"):
            yield from _in_requirement(text)


def _in_requirement(text: str) -> Iterator[str]:
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return
    if requirement.name.lower() != "torch":
        return
    for specifier in requirement.specifier:
        if specifier.operator in {"==", "==="} and _is_version(specifier.version):
            yield specifier.version
    if requirement.url is not None:
        match = re.search(r"torch-(\d[^-]*)-", requirement.url)
        if match is not None and _is_version(match[1]):
            yield match[1].replace("%2B", "+")


def _in_pyproject(text: str) -> Iterator[str]:
    if "torch" not in text:
        return
    try:
        data = decode(text)
    except ValueError:
        return
    project = table(data, "project")
    yield from _requirements_in([project.get("dependencies"), project.get("optional-dependencies")])
    yield from _requirements_in([data.get("dependency-groups")])
    pin: object = table(data, "tool", "poetry", "dependencies").get("torch")
    if isinstance(pin, str) and _is_version(pin.removeprefix("==")):
        yield pin.removeprefix("==")


def _requirements_in(values: list[object]) -> Iterator[str]:
    stack = list(values)
    while stack:
        item = stack.pop(0)
        if isinstance(item, str):
            yield from _in_requirement(item)
        elif isinstance(item, list):
            stack.extend(cast("list[object]", item))
        elif isinstance(item, dict):
            stack.extend(cast("dict[str, object]", item).values())


def _glob(folder: Path, pattern: str) -> list[Path]:
    try:
        return list(folder.glob(pattern))
    except OSError:
        return []


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > _LARGEST:
            return ""
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True
