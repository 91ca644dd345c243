"""Find dead ends in Python files and notebooks, and repair them with --fix."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import INTERNAL_ERROR, NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE, UsageError

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge
    from detour_lsp.source.configuration import Configuration
    from detour_lsp.source.files import FileResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour check`."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders (default: here); - is standard input"
    )
    parser.add_argument("--format", choices=("text", "json", "jsonl", "sarif", "github"), default="text")
    parser.add_argument("--fix", action="store_true", help="apply the safe repairs")
    parser.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: the unsafe repairs as well")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    parser.add_argument(
        "--torch", type=_version, metavar="VERSION", help="the torch that the code runs on (default: found by itself)"
    )
    parser.add_argument("--select", action="append", default=[], metavar="ID", help="only these records (repeatable)")
    parser.add_argument("--ignore", action="append", default=[], metavar="ID", help="not these records (repeatable)")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave these paths out, too")
    parser.add_argument("--min-tier", choices=("ai_generated", "documented", "reproduced", "proven"))
    parser.add_argument("--statistics", action="store_true", help="with text: findings counted by record")
    parser.add_argument("--stdin-filename", metavar="PATH", help="the path that standard input stands for")
    parser.add_argument("--report-unused", action="store_true", help="name `# detour: ignore` comments without effect")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    parser.add_argument("--jobs", type=_jobs, metavar="N", help="processes to use (default: all cores)")
    add_knowledge_arguments(parser)


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes; give 1 or more")
    return int(text)


def _version(text: str) -> str:
    from detour_lsp.knowledge.versions import parse

    if parse(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no version of torch; one looks like 2.7.1")
    return text


def run(options: argparse.Namespace) -> int:
    """Carry out `detour check`."""
    names: list[str] = options.paths or ["."]
    missing = [name for name in names if name != "-" and not Path(name).exists()]
    if missing:
        sys.stderr.write("".join(f"detour check: {name}: no such file or folder\n" for name in missing))
        return WRONG_USE
    for name in names:
        if name != "-" and not (Path(name).is_file() or Path(name).is_dir()):
            raise UsageError(f"{name} is neither a file nor a folder; what comes through a pipe is checked with `-`")
    if options.fix and options.diff:
        raise UsageError("--diff shows what --fix would change; give one of them")
    if "-" in names and len(names) > 1:
        raise UsageError("standard input (-) cannot be checked together with files")
    start = Path(options.stdin_filename or ".") if names == ["-"] else Path(names[0])
    configuration = _configuration(options, start)
    knowledge = open_from_options(options, configuration.root or Path.cwd())
    torch = options.torch or configuration.torch or _torch_of(configuration, start)
    results = _results(names, options, knowledge, configuration, torch)
    if options.fix or options.diff:
        from detour_lsp.cli.check_fix import fix_files

        return fix_files(results, options, knowledge, configuration, torch)
    return _report(results, options, knowledge, torch)


def _configuration(options: argparse.Namespace, start: Path) -> Configuration:
    from detour_lsp.source import configuration

    try:
        found = configuration.load(start)
    except configuration.ConfigurationError as error:
        raise UsageError(str(error)) from error
    return replace(
        found,
        select=tuple(options.select) or found.select,
        ignore=(*found.ignore, *options.ignore),
        exclude=(*found.exclude, *options.exclude),
        min_tier=options.min_tier or found.min_tier,
    )


def _torch_of(configuration: Configuration, start: Path) -> str | None:
    from detour_lsp.source.torch_version import torch_version

    return torch_version(configuration.root or (start if start.is_dir() else start.parent).resolve())


def _results(
    names: list[str],
    options: argparse.Namespace,
    knowledge: CompiledKnowledge,
    configuration: Configuration,
    torch: str | None,
) -> Iterator[FileResult]:
    from detour_lsp.source.files import FileChecker, check_paths

    if names == ["-"]:
        checker = FileChecker(knowledge, torch, configuration)
        path = options.stdin_filename or "<stdin>"
        yield checker.check_data(sys.stdin.buffer.read(), path, unused=options.report_unused)
        return
    some = False
    for result in check_paths(
        names,
        knowledge,
        torch=torch,
        configuration=configuration,
        jobs=options.jobs,
        use_cache=not options.no_cache,
        unused=options.report_unused,
    ):
        some = True
        yield result
    if not some:
        sys.stderr.write(
            f"detour check: no Python files or notebooks in {', '.join(names)}"
            " (what .gitignore and `exclude` leave out is read only when it is named)\n"
        )


def _report(
    results: Iterable[FileResult], options: argparse.Namespace, knowledge: CompiledKnowledge, torch: str | None
) -> int:
    """Write the findings in the format asked for; errors of files go to standard error."""
    count = errors = 0

    def seen() -> Iterator[FileResult]:
        nonlocal count, errors
        for result in results:
            if result.error:
                errors += 1
                sys.stderr.write(f"detour check: {result.path}: {result.error}\n")
            count += len(result.findings) + len(result.unused)
            yield result

    if options.format == "text":
        from detour_lsp.cli.finding_text import write_findings

        write_findings(seen(), knowledge, statistics=options.statistics)
    else:
        _write_machine(seen(), options.format, knowledge, torch)
    if errors and not count:
        return INTERNAL_ERROR
    return SOMETHING_FOUND if count else NOTHING_FOUND


def _write_machine(results: Iterable[FileResult], kind: str, knowledge: CompiledKnowledge, torch: str | None) -> None:
    from detour_lsp.cli import machine_formats
    from detour_lsp.cli.check_fix import repairs_of
    from detour_lsp.cli.shapes import VERSION, finding_shape

    shapes = (
        finding_shape(finding)
        for result in results
        for finding in repairs_of(result.path, result.findings, knowledge, torch)
    )
    if kind == "json":
        machine_formats.write_json("findings", shapes, VERSION, sys.stdout.write)
    elif kind == "jsonl":
        sys.stdout.writelines(machine_formats.jsonl(shapes))
    elif kind == "sarif":
        sys.stdout.write(machine_formats.sarif(list(shapes), knowledge.records))
    else:
        sys.stdout.writelines(machine_formats.github(shapes))
