"""An incident as a prompt for an assistant: what the log says, the code around the line, and what is known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.card.markdown import code_block
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: Lines of code shown before and behind the line.
AROUND = 12


def incident_prompt(server: DetourServer, entry: Entry) -> str:
    """The prompt; nothing is sent anywhere, it is for the clipboard."""
    assert server.knowledge is not None
    incident = entry.incident
    parts = [
        "My PyTorch program failed. Please help me fix the cause. The notes below say which fixes are known to fail.",
        "## What the log says",
        code_block(incident.message, "text"),
    ]
    if incident.frames:
        frames = "\n".join(
            f'  File "{frame.file}", line {frame.line}, in {frame.function or "?"}\n    {frame.source or ""}'.rstrip()
            for frame in incident.frames[-12:]
        )
        parts.append(code_block(f"Traceback (most recent call last):\n{frames}", "text"))
    code = _code(server, entry)
    if code:
        parts += ["## My code", code]
    parts += ["## What is known about this error", server.cards.of_entry(entry)]
    return "\n\n".join(parts)


def _code(server: DetourServer, entry: Entry) -> str:
    if entry.target is None:
        return ""
    document = server.document_of_target(entry.target)
    if document is not None:
        lines = [document.document.line(number) for number in range(document.document.line_count)]
    else:
        try:
            lines = Path(entry.target).read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            return ""
    first = max(0, entry.line - AROUND)
    shown = lines[first : entry.line + AROUND + 1]
    name = Path(entry.target).name
    return f"`{name}`, from line {first + 1} (line {entry.line + 1} raised it):\n\n{code_block(chr(10).join(shown))}"
