"""Findings for people: place, what it is, the line with carets, and what to do about it."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from detour_lsp.card import CardContext, title_of
from detour_lsp.card.compose import best_action
from detour_lsp.card.labels import language_of
from detour_lsp.cli.excerpt import excerpt
from detour_lsp.cli.locale import user_locale
from detour_lsp.cli.terminal import Painter
from detour_lsp.source.apply import ApplyError, read_file

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge
    from detour_lsp.source.files import FileResult
    from detour_lsp.source.finding import Finding


def write_findings(results: Iterable[FileResult], knowledge: CompiledKnowledge, *, statistics: bool) -> None:
    """Write all findings, or how many there are of each record, and a summary."""
    painter = Painter(sys.stdout)
    counts: Counter[str] = Counter()
    files = unread = 0
    for result in results:
        files += not result.error
        unread += bool(result.error)
        lines = _lines(result) if result.findings and not statistics else []
        for finding in result.findings:
            counts[finding.record] += 1
            if not statistics:
                _write(painter, finding, lines, knowledge)
        for unused in result.unused:
            place = painter.paint(f"{result.path}:{unused.line}:{unused.column}", "bold")
            painter.line(f"{place}: {painter.paint(unused.text)} silences nothing; take it away")
    if statistics:
        for record, count in counts.most_common():
            painter.line(f"{count:>6}  {record}  {title_of(knowledge.records[record])}")
    total = counts.total()
    noun = "finding" if total == 1 else "findings"
    checked = "1 file" if files == 1 else f"{files} files"
    rest = f"; {unread} could not be checked" if unread else ""
    painter.line(f"{total} {noun} in {checked}{rest}." if total else f"No known dead ends in {checked}{rest}.")


def _lines(result: FileResult) -> list[str]:
    if result.findings[0].cell is not None:
        return []
    try:
        return re.split(r"\r\n|\r|\n", read_file(result.path).text)
    except (OSError, ApplyError):
        return []  # Standard input, or a file that went away: the place is still named.


def _write(painter: Painter, finding: Finding, lines: list[str], knowledge: CompiledKnowledge) -> None:
    cell = f" (cell {finding.cell + 1})" if finding.cell is not None else ""
    place = f"{finding.file}:{finding.line}:{finding.column}"
    painter.line(
        f"{painter.paint(place, 'bold')}{cell}: {painter.severity(finding.severity, finding.severity)}"
        f"[{painter.paint(finding.record, 'cyan')}] {painter.paint(finding.message)}"
    )
    if lines:
        end = finding.end_column if finding.end_line == finding.line else None
        for row in excerpt(painter, lines, finding.line, finding.column, end, around=1):
            painter.line(f"    {row}")
    language = language_of(user_locale())
    context = CardContext(language=language, dead_end=finding.dead_end)
    action = best_action(knowledge.records[finding.record], context)
    if action:
        painter.line(f"  {painter.paint('→', 'green', 'bold')} {painter.paint(action)}")
    painter.line()
