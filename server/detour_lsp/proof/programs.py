"""The programs that lie beside a record, and how each is started."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

#: Not copied into the scratch folder: what only describes.
_LEFT_OUT = frozenset({"logs", "record.json", "bad.py", "good.py", "near-miss.txt", "__pycache__"})


class ProgramError(Exception):
    """A `run.json` that cannot be used."""


@dataclass(frozen=True, slots=True)
class Program:
    """`repro.py`, `repro_<variant>.py` (must show the record) or `program_<name>.py` (a dead end, tried out)."""

    path: Path
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """The file's name, as evidence cites it."""
        return self.path.name

    @property
    def log(self) -> str:
        """What the stored output is called, in front of `torch-<version>.txt`."""
        variant = self.path.stem.removeprefix("repro").removeprefix("_").replace("_", "-")
        return f"{variant}-" if variant else ""


def programs_of(folder: Path) -> list[Program]:
    """The programs that must show the record, `repro.py` first."""
    found = sorted(folder.glob("repro_*.py"))
    main = folder / "repro.py"
    return [_program(path) for path in ([main] if main.is_file() else []) + found]


def program_named(folder: Path, name: str) -> Program | None:
    """A program that evidence cites, if it lies beside the record."""
    path = folder / name
    if path.parent != folder or path.suffix != ".py" or not path.is_file():
        return None
    return _program(path)


def _program(path: Path) -> Program:
    """`run.json` speaks of `repro.py`, `run_<variant>.json` of `repro_<variant>.py`."""
    variant = path.stem.removeprefix("repro") if path.stem.startswith("repro") else f"_{path.stem}"
    options = _options(path.parent / f"run{variant}.json")
    arguments = cast("list[object]", options.get("args", [path.name]))
    environment = cast("dict[str, object]", options.get("env", {}))
    return Program(path, tuple(str(a) for a in arguments), {name: str(value) for name, value in environment.items()})


def _options(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        data: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ProgramError(f"{path}: {error}") from error
    if not isinstance(data, dict):
        raise ProgramError(f"{path}: expected an object with env or args")
    return cast("dict[str, Any]", data)


def prepare(program: Program, scratch: Path) -> None:
    """Copy the program and what lies beside it (a module, a fake compiler) into a scratch folder."""
    for item in program.path.parent.iterdir():
        if item.name in _LEFT_OUT or item.is_symlink():
            continue
        if item.is_dir():
            shutil.copytree(item, scratch / item.name, symlinks=False, ignore=shutil.ignore_patterns("__pycache__"))
        elif not (item.suffix == ".py" and item.name.startswith(("repro", "program_")) and item.name != program.name):
            shutil.copy(item, scratch / item.name)
