"""A short day of a growing log and of edits: memory and problems stay bounded (`bench/soak.py` is the whole day)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).resolve().parents[2] / "bench" / "soak.py"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads memory from /proc")
def test_memory_and_problems_stay_bounded() -> None:
    day = ["--hours", "9", "--lines-per-hour", "480", "--edits", "900", "--every", "12", "--most-mb", "8"]
    done = subprocess.run([sys.executable, str(SOAK), *day], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "most problems of a file: 101" in done.stdout, "the cap is reached, and one more says how many are hidden"
