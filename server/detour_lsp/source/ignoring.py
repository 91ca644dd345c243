"""Writes the comment that silences a finding: the counterpart of `suppression`, which reads it."""

from __future__ import annotations

import re

from detour_lsp.source.finding import Finding, TextEdit
from detour_lsp.source.parsing import Lines

_IGNORE = re.compile(r"#\s*detour:\s*ignore\s*\[(?P<ids>[^\]\n]*)\]", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*")


def ignore_comment(text: str, finding: Finding) -> TextEdit:
    """The edit that adds `# detour: ignore[record]` to the finding's last line, or the record to such a comment."""
    start = Lines(text).offset(finding.end_line)
    match = _LINE.match(text, start)
    line = match.group() if match else ""
    there = _IGNORE.search(line)
    if there:
        end = start + there.end("ids")
        return TextEdit(end, end, (", " if there["ids"].strip() else "") + finding.record)
    end = start + len(line.rstrip())
    return TextEdit(end, start + len(line), f"  # detour: ignore[{finding.record}]")
