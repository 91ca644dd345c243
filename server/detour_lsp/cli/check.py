"""Find dead ends in Python files and notebooks, and repair them with --fix."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour check`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders (default: here)")
    parser.add_argument("--format", choices=("text", "json", "jsonl", "sarif", "github"), default="text")
    parser.add_argument("--torch", metavar="VERSION", help="the torch that the code runs on (default: found by itself)")
    add_knowledge_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Carry out `detour check` (first version: no repairs, no configuration)."""
    from detour_lsp.cli.machine_formats import write_json
    from detour_lsp.cli.shapes import VERSION, finding_shape
    from detour_lsp.source.check import Checker

    knowledge = open_from_options(options)
    checker = Checker(knowledge, options.torch)
    names: list[str] = options.paths or ["."]
    missing = [name for name in names if not Path(name).exists()]
    if missing:
        sys.stderr.write("".join(f"detour check: {name}: no such file or folder\n" for name in missing))
        return WRONG_USE
    files = [f for name in names for f in ([Path(name)] if Path(name).is_file() else sorted(Path(name).rglob("*.py")))]
    findings = [x for f in files for x in checker.check(f.read_text(encoding="utf-8", errors="replace"), str(f))]
    if options.format == "json":
        write_json("findings", map(finding_shape, findings), VERSION, sys.stdout.write)
    else:
        for x in findings:
            sys.stdout.write(f"{x.file}:{x.line}:{x.column}: {x.severity}[{x.record}] {x.message}\n")
    return SOMETHING_FOUND if findings else NOTHING_FOUND
