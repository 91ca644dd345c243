"""Repair the code behind the incidents of a log: one repair for each, as a diff, or written with --write."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import INTERNAL_ERROR, NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE
from detour_lsp.cli.terminal import print_diff

if TYPE_CHECKING:
    from detour_lsp.repairing import LogRepair


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour fix`."""
    parser.add_argument("log", nargs="?", default="-", metavar="LOG", help="the log; - or nothing is standard input")
    parser.add_argument("--root", metavar="DIR", type=Path, help="the project that the log speaks of (default: here)")
    parser.add_argument("--write", action="store_true", help="change the files instead of printing a diff")
    parser.add_argument("--unsafe-fixes", action="store_true", help="also repairs that need a look afterwards")
    parser.add_argument("--torch", metavar="VERSION", help="the torch that the code runs on (default: found by itself)")
    add_knowledge_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Carry out `detour fix`: 0 when there was nothing to repair or all is repaired, 1 when something was left."""
    name: str = options.log
    root = (options.root or Path.cwd()).resolve()
    if name != "-" and not Path(name).is_file():
        sys.stderr.write(f"detour fix: {name}: no such file\n")
        return WRONG_USE
    if not root.is_dir():
        sys.stderr.write(f"detour fix: --root {root}: no such folder\n")
        return WRONG_USE
    from detour_lsp.logs.files import scan_paths
    from detour_lsp.repairing import fix_log
    from detour_lsp.source.apply import ApplyError
    from detour_lsp.source.torch_version import torch_version

    knowledge = open_from_options(options, root)
    results = list(scan_paths([name], knowledge, jobs=1))
    for result in results:
        if result.error:
            sys.stderr.write(f"detour fix: {result.path}: {result.error}\n")
            return INTERNAL_ERROR
    incidents = [incident for result in results for incident in result.incidents]
    repair = fix_log(incidents, root, knowledge, options.torch or torch_version(root), unsafe=options.unsafe_fixes)
    _report(repair, written=options.write)
    if options.write:
        try:
            repair.write()
        except ApplyError as error:
            sys.stderr.write(f"detour fix: {error}\n")
            return INTERNAL_ERROR
    else:
        print_diff(repair.diff())
    left = any(remedy.chosen is None for remedy in repair.remedies)
    return SOMETHING_FOUND if left else NOTHING_FOUND


def _report(repair: LogRepair, *, written: bool) -> None:
    """Say on standard error what became of each incident; standard output is only the diff."""
    if not repair.remedies:
        sys.stderr.write("detour fix: no known error in this log\n")
    for remedy in repair.remedies:
        incident = remedy.incident
        place = f"{incident.file}:{incident.span.line}: {incident.record}"
        if remedy.chosen is None:
            sys.stderr.write(f"{place}: not repaired: {remedy.reason}\n")
            continue
        verb = "repaired" if written else "would be repaired"
        files = ", ".join(file.path for file in remedy.chosen.files)
        sys.stderr.write(f"{place}: {verb} in {files}: {remedy.chosen.title} ({remedy.chosen.applicability})\n")
