"""Puts an incident on the line of the user's code that raised it, inside the workspace and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from detour_lsp.logs.incident import Incident
from detour_lsp.logs.resolve import resolve


def place(
    incident: Incident, roots: Sequence[Path], cells: Mapping[int, str] | None = None, cell: str | None = None
) -> tuple[Incident, str | None, int]:
    """The incident with its frame resolved, the target (path, or URI of a cell) or None, and the 0-based line.

    `cells` maps execution numbers of a notebook to cell URIs, `cell` is the cell that printed the text. Paths that the
    log names are only followed inside `roots`: a log may say anything (DESIGN section 9).
    """
    frame = incident.user_frame
    if frame is None:
        return (incident, cell, 0) if cell else (incident, None, 0)
    if cell is not None and _is_cell(frame.file, frame.cell):
        # The outermost frame is the cell that runs. Another one may bear its number since before the kernel restarted.
        running = next((outer.cell for outer in incident.frames if outer.cell is not None), None)
        known = {**(cells or {}), **({} if running is None else {running: cell})}
        return incident, known.get(frame.cell or -1, cell), frame.line - 1
    for root in roots:
        resolved = resolve(incident, root)
        if resolved.resolved is not None:
            path = root / resolved.resolved
            # Beyond the first root a relative name would be read against the wrong folder.
            return replace(resolved, resolved=str(path)), str(path), (resolved.current_line or frame.line) - 1
    return incident, cell, 0


def within(folder: Path, roots: Sequence[Path]) -> Path | None:
    """A folder as the root that it lies in spells it; None when it lies in none.

    A program asks the system where it stands and is told without links; editors name a workspace as it was opened.
    """
    for root in roots:
        if folder.is_relative_to(root):
            return folder
    try:
        real = folder.resolve()
        for root in roots:
            if real.is_relative_to(root.resolve()):
                return root / real.relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError):
        return None  # A link that leads to itself, a name that no file can have: it lies nowhere.
    return None


def _is_cell(file: str, number: int | None) -> bool:
    return number is not None or file.startswith("<ipython-input-") or "ipykernel_" in file
