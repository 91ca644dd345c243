"""Find known errors in logs: files, folders (walked), or standard input as `-`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import INTERNAL_ERROR, NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge
    from detour_lsp.logs.incident import Incident


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour scan`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="log files or folders; - or nothing is standard input")
    parser.add_argument("--format", choices=("text", "json", "jsonl", "sarif", "github"), default="text")
    parser.add_argument(
        "--root", metavar="DIR", type=Path, help="the project that the frames belong to (default: here)"
    )
    parser.add_argument("--torch", metavar="VERSION", help="the torch that printed the log, where it is known")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes to use (default: all cores)")
    parser.add_argument("--card", action="store_true", help="with text: the whole card below each incident")
    add_knowledge_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Carry out `detour scan`."""
    names: list[str] = options.paths or ["-"]
    missing = [name for name in names if name != "-" and not os.path.exists(name)]
    if missing:
        sys.stderr.write("".join(f"detour scan: {name}: no such file or folder\n" for name in missing))
        return WRONG_USE
    root = (options.root or Path.cwd()).resolve()
    if not root.is_dir():
        sys.stderr.write(f"detour scan: --root {root}: no such folder\n")
        return WRONG_USE
    knowledge = open_from_options(options, root)
    problems: list[str] = []
    incidents = _incidents(names, root, knowledge, options.jobs, problems)
    found = _write(incidents, options, root, knowledge)
    for problem in problems:
        sys.stderr.write(f"detour scan: {problem}\n")
    if problems and not found:
        return INTERNAL_ERROR
    return SOMETHING_FOUND if found else NOTHING_FOUND


def _incidents(
    names: list[str], root: Path, knowledge: CompiledKnowledge, jobs: int | None, problems: list[str]
) -> Iterator[Incident]:
    from detour_lsp.logs.files import scan_paths
    from detour_lsp.logs.resolve import resolve

    for result in scan_paths(names, knowledge, jobs=jobs):
        if result.error:
            problems.append(f"{result.path}: {result.error}")
        for incident in result.incidents:
            yield resolve(incident, root)


def _write(incidents: Iterator[Incident], options: argparse.Namespace, root: Path, knowledge: CompiledKnowledge) -> int:
    """Write the incidents in the format asked for and return how many there were."""
    count = 0

    def counted() -> Iterator[Incident]:
        nonlocal count
        for incident in incidents:
            count += 1
            yield incident

    if options.format == "text":
        from detour_lsp.cli.incident_text import IncidentWriter

        writer = IncidentWriter(knowledge, root, cards=options.card, torch=options.torch)
        for incident in counted():
            writer.write(incident)
        writer.summary()
        return count
    from detour_lsp.cli.shapes import VERSION, incident_shape

    shapes = (incident_shape(incident) for incident in counted())
    out = sys.stdout
    if options.format == "json":
        from detour_lsp.cli.machine_formats import write_json

        write_json("incidents", shapes, VERSION, out.write)
    elif options.format == "jsonl":
        from detour_lsp.cli.machine_formats import jsonl

        out.writelines(jsonl(shapes))
    elif options.format == "sarif":
        from detour_lsp.cli.machine_formats import sarif

        out.write(sarif(list(shapes), knowledge.records))
    else:
        from detour_lsp.cli.machine_formats import github

        out.writelines(github(shapes))
    return count
