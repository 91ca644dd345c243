"""Hovers while the server reads logs: a big one on disk is scanned, another grows fast, a third is open in the editor.

    .venv/bin/python bench/busy.py [--scanned-mb 1000] [--rate-mb 100] [--open-mb 50]

A hover waits for the event loop, so its slowest answers tell for how long the loop was blocked.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import lsp
from generate import write_log

#: One failure of each kind, as the logs of the scanning benchmarks have them.
EXAMPLES = [
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB",
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)",
]
#: Appends a file to another, again and again, at a rate: in a process of its own, as a training run would be.
WRITER = """
import sys, time
source, target, rate, seconds = open(sys.argv[1], "rb").read(), sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
start, written = time.perf_counter(), 0
with open(target, "ab", buffering=0) as file:
    while (now := time.perf_counter() - start) < seconds:
        if written < now * rate:
            at = written % (len(source) - 1_000_000)
            written += file.write(source[at : at + 1_000_000])
        else:
            time.sleep(0.002)
"""


def hovers(session: lsp.Session, uri: str, line: int, go_on: Any) -> list[float]:
    """The milliseconds of each hover, one every 5 ms, for as long as `go_on()` says."""
    taken: list[float] = []
    where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 20}}
    while go_on():
        start = time.perf_counter()
        assert session.request("textDocument/hover", where), "a hover without a card measures nothing"
        taken.append((time.perf_counter() - start) * 1000)
        time.sleep(0.005)
    return taken


def bytes_read(session: lsp.Session) -> int:
    """How much the server has read of anything so far."""
    rows = Path(f"/proc/{session.process.pid}/io").read_text().splitlines()
    return int(rows[0].split()[1])


def summary(taken: list[float]) -> dict[str, float]:
    return {
        "count": len(taken),
        "p50": lsp.percentile(taken, 0.5),
        "p99": lsp.percentile(taken, 0.99),
        "max": max(taken),
    }


def collect(scanned_mb: int, rate_mb: int, open_mb: int) -> dict[str, dict[str, float]]:
    """Hover times of each situation, in ms."""
    result: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="detour-busy-") as name:
        folder = Path(name)
        text = lsp.program(200)
        (folder / "program.py").write_text(text)
        dead_end = text.split("\n").index("torch._dynamo.config.recompile_limit = 0")
        big, growing, shown = folder / "big.log", folder / "growing.log", folder / "shown.log"
        write_log(big, scanned_mb * 1_000_000, EXAMPLES, every=200_000)
        write_log(shown, open_mb * 1_000_000, EXAMPLES, every=100_000)
        growing.touch()
        session = lsp.Session(lsp.SERVERS["detour"], folder)
        uri = (folder / "program.py").as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        session.notify("textDocument/didOpen", {"textDocument": document})
        session.diagnostics(uri, 1)
        until = time.perf_counter() + 3
        result["idle"] = summary(hovers(session, uri, dead_end, lambda: time.perf_counter() < until))

        log = {"uri": shown.as_uri(), "languageId": "log", "version": 1, "text": shown.read_text(errors="replace")}
        # Written on a thread: the server may answer the first hovers while it still reads.
        opening = threading.Thread(target=session.notify, args=("textDocument/didOpen", {"textDocument": log}))
        opening.start()
        opening.join()
        until = time.perf_counter() + 5
        result[f"{open_mb} MB opened"] = summary(hovers(session, uri, dead_end, lambda: time.perf_counter() < until))

        assert session.request("detour/watchLog", {"path": str(growing)})["watching"]
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(shown), str(growing), str(rate_mb * 1e6), "20"])
        before = bytes_read(session)
        until = time.perf_counter() + 8
        key = f"{rate_mb} MB/s followed"
        result[key] = summary(hovers(session, uri, dead_end, lambda: time.perf_counter() < until))
        result[key]["followed_mb"] = (bytes_read(session) - before) / 1e6
        before = bytes_read(session)
        assert session.request("detour/watchLog", {"path": str(big)})["watching"]
        goal, start = before + big.stat().st_size, time.perf_counter()
        taken = hovers(session, uri, dead_end, lambda: bytes_read(session) < goal and writer.poll() is None)
        key = f"{scanned_mb} MB scanned, {rate_mb} MB/s followed"
        result[key] = {**summary(taken), "seconds": time.perf_counter() - start}
        writer.kill()
        writer.wait()
        result["memory"] = {"mb": session.memory()}
        session.close()
    return result


def show(result: dict[str, dict[str, float]]) -> None:
    for situation, row in result.items():
        print(f"{situation:40} " + "  ".join(f"{key} {value:.2f}" for key, value in row.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scanned-mb", type=int, default=1_000)
    parser.add_argument("--rate-mb", type=int, default=100)
    parser.add_argument("--open-mb", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = collect(options.scanned_mb, options.rate_mb, options.open_mb)
    if options.json:
        print(json.dumps(result, indent=1))
        return 0
    show(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
