"""`detour/watchLog`: scan a log on disk and follow it, also one that is too large for the editor to hand over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from detour_lsp.lsp.parameters import text_of
from detour_lsp.lsp.server import DetourServer


async def handle(ls: DetourServer, params: Any) -> dict[str, bool | str]:
    """Answer with `{"watching": true}`, or with false and the reason."""
    await ls.ready()
    path = Path(text_of(params, "path") or "")
    if not path.is_absolute():
        return {"watching": False, "reason": "the path must be absolute"}
    if not os.path.exists(path):
        return {"watching": False, "reason": "no such file"}
    ls.followed.follow([path])
    return {"watching": True}
