"""Runs a command several times and keeps what the kernel says about it."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Timing:
    """Wall and CPU seconds of each run, the largest resident memory in MB, and the last output."""

    command: list[str]
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    memory: float = 0.0
    output: bytes = b""
    timed_out: bool = False

    @property
    def median(self) -> float:
        return statistics.median(self.wall)

    @property
    def text(self) -> str:
        """Median and range of the wall time, and the median of the CPU time of all its processes."""
        unit, scale = ("s", 1.0) if self.median >= 1 else ("ms", 1000.0)
        if self.median < 1e-3:
            unit, scale = "µs", 1e6
        limit = "> " if self.timed_out else ""
        shown = f"{limit}{self.median * scale:.3g} {unit} ({min(self.wall) * scale:.3g}-{max(self.wall) * scale:.3g})"
        return f"{shown}, CPU {statistics.median(self.cpu) * scale:.3g}" if self.command else shown


def run_once(command: Sequence[str], timing: Timing, *, timeout: float, cwd: Path | None = None) -> None:
    """One more run of a command; `timeout` ends it and is then its time."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    start = time.perf_counter()
    with open(timing_output(), "w+b") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, cwd=cwd, env=environment
        )
        usage = None
        while usage is None:
            found, _, maybe = os.wait4(process.pid, os.WNOHANG)
            if found:
                usage = maybe
            elif time.perf_counter() - start > timeout:
                process.kill()
                _, _, usage = os.wait4(process.pid, 0)
                timing.timed_out = True
            else:
                time.sleep(0.0005 if time.perf_counter() - start < 0.5 else 0.005)
        process.returncode = 0
        timing.wall.append(time.perf_counter() - start)
        timing.cpu.append(usage.ru_utime + usage.ru_stime)
        timing.memory = max(timing.memory, usage.ru_maxrss / 1024)
        out.seek(0)
        timing.output = out.read()


def timing_output() -> Path:
    """Where outputs go: a file, since a pipe would measure us as well."""
    return Path(__file__).parent / ".work" / f"output-{os.getpid()}"


def alternate(
    commands: dict[str, Sequence[str]],
    runs: int,
    *,
    timeout: float = 300.0,
    cwd: Path | None = None,
    warm: bool = True,
) -> dict[str, Timing]:
    """Run all commands in turn, so that a busy moment hits them all; one run before (`warm`) fills the caches."""
    timings = {name: Timing(list(command)) for name, command in commands.items()}
    for turn in range(0 if warm else 1, runs + 1):
        for name, command in commands.items():
            if turn == 0:
                run_once(command, Timing(list(command)), timeout=timeout, cwd=cwd)
            elif not (timings[name].timed_out and timings[name].wall):
                run_once(command, timings[name], timeout=timeout, cwd=cwd)
    return timings
