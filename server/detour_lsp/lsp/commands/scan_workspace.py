"""`detour.scanWorkspace`: check every Python file and scan every log of the workspace folders."""

from __future__ import annotations

from typing import Any

from detour_lsp.lsp.server import DetourServer
from detour_lsp.lsp.workspace_scan import scan_workspace


async def execute(ls: DetourServer, *_arguments: Any) -> dict[str, int]:
    """Return how many files were read and how many findings and incidents there are."""
    return await scan_workspace(ls)
