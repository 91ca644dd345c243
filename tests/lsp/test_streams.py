"""A run that still prints is kept, however many others begin and are never ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from detour_lsp.lsp.streams import MAX_RUNS


@pytest.mark.asyncio
async def test_a_long_run_outlives_many_that_were_never_ended(own_session: Any, workspace: Path) -> None:
    text = (workspace / "train.log").read_text()
    long_run = {"terminalId": "long", "executionId": "1", "commandLine": "python repro_dynamic_false.py", "cwd": None}
    # The line that tells of the failure comes in pieces, between which many others begin.
    width, at = text.index("\n") // 6, 0
    async with own_session() as client:
        for number in range(3 * MAX_RUNS):
            if number % (MAX_RUNS // 2) == 0:
                client.notify("detour/terminalData", {**long_run, "data": text[at : at + width]})
                at += width
            other = {"terminalId": f"t{number}", "executionId": "1", "commandLine": f"make part{number}", "cwd": None}
            client.notify("detour/terminalData", {**other, "data": "all is well\n"})
        client.notify("detour/terminalData", {**long_run, "data": text[at:]})
        client.notify("detour/terminalEnd", {**long_run, "exitCode": 1, "noData": False})
        found = await client.pushed((workspace / "repro_dynamic_false.py").as_uri(), 1)
        assert found[0].code == "pytorch/compile-recompilation-limit"
