"""The files that the frames of a log name, where they are in the workspace, and what stands on their lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.logs.incident import Frame, Incident
from detour_lsp.logs.resolve import resolve

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer


def locate(server: DetourServer, incident: Incident, frame: Frame) -> tuple[Path, int] | None:
    """The file of a frame in the workspace and its 0-based line there; None when it is not in the workspace."""
    for root in server.folders:
        found = resolve(replace(incident, user_frame=frame, resolved=None, current_line=None), root)
        if found.resolved is not None:
            return root / found.resolved, (found.current_line or frame.line) - 1
    return None


def source_lines(server: DetourServer, path: Path, line: int, around: int = 3) -> str:
    """The lines of a file around a 0-based line, that line marked; the open document comes before the disk."""
    document = server.document_of_target(str(path))
    if document is not None:
        text = [document.document.line(number) for number in range(document.document.line_count)]
    else:
        try:
            text = path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            return ""
    first = max(0, line - around)
    rows = [
        f"{'> ' if number == line else '  '}{number + 1:>4}  {text[number].rstrip()}"
        for number in range(first, min(len(text), line + around + 1))
    ]
    return "\n".join(rows)
