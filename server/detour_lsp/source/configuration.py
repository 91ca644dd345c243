"""`[tool.detour]` of `pyproject.toml`, checked where it comes in: a misspelt key is named, never ignored."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from detour_lsp.knowledge.record import Tier
from detour_lsp.source.discovery import DEFAULT_EXCLUDE
from detour_lsp.source.toml_text import decode, table

TIERS: tuple[Tier, ...] = ("ai_generated", "documented", "reproduced", "proven")


class ConfigurationError(Exception):
    """What is wrong in a `pyproject.toml`, with the file and the key."""

    def __init__(self, file: Path, problems: Sequence[str]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{file}: {problem}" for problem in problems))


@dataclass(frozen=True, slots=True)
class Configuration:
    """How a project wants to be checked. Paths in patterns are relative to `root`."""

    root: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    respect_gitignore: bool = True
    knowledge: tuple[str, ...] = ()
    torch: str | None = None
    min_tier: Tier = "ai_generated"

    def wants(self, record: str, tier: str, path: str) -> bool:
        """Whether findings of a record are wanted in a file."""
        if tier in TIERS and TIERS.index(tier) < TIERS.index(self.min_tier):
            return False
        if self.select and not any(names(pattern, record) for pattern in self.select):
            return False
        if any(names(pattern, record) for pattern in self.ignore):
            return False
        relative = self._relative(path)
        for pattern, records in self.per_file_ignores.items():
            if _is_file(pattern, relative) and any(names(item, record) for item in records):
                return False
        return True

    def _relative(self, path: str) -> str:
        if self.root is None:
            return path.replace(os.sep, "/")
        try:
            relative = os.path.relpath(path, self.root)
            if relative.startswith(os.pardir):
                # One of the two is named through a link.
                relative = os.path.relpath(os.path.realpath(path), os.path.realpath(self.root))
            return relative.replace(os.sep, "/")
        except ValueError:
            # Another drive on Windows.
            return path.replace(os.sep, "/")


def names(pattern: str, record: str) -> bool:
    """Whether `pytorch/x`, its part `x`, the domain `pytorch` or a glob stands for the record."""
    domain, _, slug = record.partition("/")
    return pattern in {record, slug, domain, "ALL", "all"} or fnmatch.fnmatchcase(record, pattern)


def _is_file(pattern: str, relative: str) -> bool:
    pattern = pattern.removeprefix("./")
    return (
        fnmatch.fnmatchcase(relative, pattern)
        or fnmatch.fnmatchcase(relative.rpartition("/")[2], pattern)
        or fnmatch.fnmatchcase(relative, f"{pattern.rstrip('/')}/*")
    )


def find(start: Path) -> Path | None:
    """The nearest `pyproject.toml` with a `[tool.detour]` table, else the nearest one, at or above a file or folder."""
    nearest: Path | None = None
    start = start.resolve()
    for folder in (start, *start.parents) if start.is_dir() else start.parents:
        file = folder / "pyproject.toml"
        if file.is_file():
            nearest = nearest or file
            try:
                if "detour" in file.read_text(encoding="utf-8", errors="replace"):
                    return file
            except OSError:
                continue
        if (folder / ".git").exists():
            break
    return nearest


def load(start: Path) -> Configuration:
    """The configuration for a file or folder; raises ConfigurationError when it is wrong."""
    file = find(start)
    return Configuration(root=start if start.is_dir() else start.parent) if file is None else read(file)


def read(file: Path) -> Configuration:
    """The configuration in one `pyproject.toml`."""
    try:
        data = decode(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(file, [f"cannot be read: {error}"]) from error
    except ValueError as error:
        raise ConfigurationError(file, [f"is not TOML: {error}"]) from error
    detour = table(data, "tool", "detour")
    if not detour:
        return Configuration(root=file.parent)
    # Here, because pydantic takes longer to import than a small project to check.
    from detour_lsp.source.configuration_schema import validated

    return validated(detour, file)
