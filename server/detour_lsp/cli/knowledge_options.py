"""The options about records that several subcommands share, and what is said when a record is bad."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.main import UsageError

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge


def add_knowledge_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--kb` and `--no-builtin`."""
    parser.add_argument(
        "--kb",
        action="append",
        default=[],
        metavar="PATH",
        help="further records: a folder, a file, or an installed package such as deadends-dev (repeatable)",
    )
    parser.add_argument("--no-builtin", action="store_true", help="leave Detour's own records out")


def open_from_options(options: argparse.Namespace, root: Path | None = None) -> CompiledKnowledge:
    """The knowledge that the options and `[tool.detour] knowledge` ask for; complaints go to standard error."""
    from detour_lsp.knowledge.compiled import open_knowledge

    paths: list[str] = list(options.kb)
    if root is not None and _speaks_of_detour(root / "pyproject.toml"):
        from detour_lsp.source import configuration

        try:
            paths = [*configuration.load(root).knowledge, *paths]
        except configuration.ConfigurationError as error:
            raise UsageError(str(error)) from error
    knowledge = open_knowledge(paths, builtin=not options.no_builtin)
    report_problems(knowledge)
    return knowledge


def _speaks_of_detour(pyproject: Path) -> bool:
    """Reading TOML takes a fifth of the start of `detour scan`: not for a file that has no table for Detour."""
    try:
        return b"detour" in pyproject.read_bytes()
    except OSError:
        return False


def report_problems(knowledge: CompiledKnowledge, limit: int = 10) -> None:
    """Say which record files are broken, and why; the rest was loaded."""
    problems = knowledge.problems
    for problem in problems[:limit]:
        sys.stderr.write(f"detour: record skipped: {problem}\n")
    if len(problems) > limit:
        sys.stderr.write(f"detour: {len(problems) - limit} more records skipped; `detour kb check` lists all\n")
