"""`detour check --fix` and `--diff`: the repairs of the findings, file by file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from detour_lsp.cli.main import INTERNAL_ERROR, NOTHING_FOUND, SOMETHING_FOUND
from detour_lsp.cli.terminal import print_diff
from detour_lsp.repairing import fix_source, with_repairs
from detour_lsp.source import apply
from detour_lsp.source.notebook import Notebook, NotebookError

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge
    from detour_lsp.source.configuration import Configuration
    from detour_lsp.source.files import FileResult
    from detour_lsp.source.finding import Finding


def repairs_of(
    path: str, findings: Sequence[Finding], knowledge: CompiledKnowledge, torch: str | None
) -> list[Finding]:
    """The findings of a file on disk with their repairs; as they are when the file has gone."""
    if not findings:
        return []
    try:
        text = apply.read_file(path).text
        if path.lower().endswith(".ipynb"):
            text = Notebook.parse(text).text
    except (apply.ApplyError, OSError, NotebookError):
        return list(findings)
    return with_repairs(findings, text, knowledge, torch)


def _tell(findings: Iterable[Finding]) -> bool:
    """Name what is left; False when nobody listens any more (`| head`), which must not leave files unrepaired."""
    try:
        for finding in findings:
            place = f"{finding.file}:{finding.line}:{finding.column}"
            sys.stdout.write(f"{place}: {finding.severity}[{finding.record}] {finding.message}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def fix_files(
    results: Iterable[FileResult],
    options: argparse.Namespace,
    knowledge: CompiledKnowledge,
    configuration: Configuration,
    torch: str | None,
) -> int:
    """Repair what may be repaired; 0 when nothing is left (with --diff: when nothing would change)."""
    from detour_lsp.source.files import FileChecker

    checker = FileChecker(knowledge, torch, configuration)

    def wanted(finding: Finding) -> bool:
        tier = knowledge.records[finding.record].verification_tier
        return configuration.wants(finding.record, tier, finding.file)

    repaired = left = errors = 0
    heard = True
    for result in results:
        if result.error:
            errors += 1
            sys.stderr.write(f"detour check: {result.path}: {result.error}\n")
        if not result.findings:
            continue
        try:
            content = apply.read_file(result.path)
            after, applied = fix_source(
                content.text,
                result.path,
                checker.checker,
                knowledge,
                torch,
                unsafe=options.unsafe_fixes,
                wanted=wanted,
            )
            if after != content.text:
                if options.diff:
                    print_diff(apply.diff(result.path, content.text, after))
                else:
                    apply.write_file(result.path, content, after)
        except (apply.ApplyError, NotebookError, OSError) as error:
            errors += 1
            # What went wrong with the file itself names it already.
            said = str(error).removeprefix(result.path).lstrip()
            sys.stderr.write(f"detour check: {result.path}: {said}\n")
            continue
        repaired += len(applied)
        remaining = checker.check_data(content.encode(after), result.path).findings
        left += len(remaining)
        if options.fix and heard:
            heard = _tell(remaining)
    verb = "would be repaired" if options.diff else "repaired"
    sys.stderr.write(f"{repaired} {verb}, {left} left.\n")
    if errors and not repaired:
        return INTERNAL_ERROR
    return SOMETHING_FOUND if left or (options.diff and repaired) else NOTHING_FOUND
