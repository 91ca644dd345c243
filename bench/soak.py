"""A day of a log in a minute: the server follows it, and its memory must not grow with it.

    .venv/bin/python bench/soak.py [--hours 24] [--lines-per-hour 3600] [--edits 10000]

A line stands for a second. Failures come every few minutes, each with other numbers and other frames; the log is
rotated every hour in the first third of the day, left alone in the second, truncated every hour in the last. Beside it
a file is edited all day. Memory (resident) is printed by the hour; exit status 1 when what was used at the end exceeds
what was used after the first third by more than `--most-mb`, or when a file has more problems than the cap allows.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import lsp

#: `maxProblemsPerFile`, as it is by default.
CAP = 100


def line(numbers: random.Random, second: int) -> str:
    if numbers.randrange(20) == 0:
        return "".join(f"\rEpoch {second // 600}: {done}%|███| {done}/100" for done in range(1, 9))
    clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
    return f"2026-11-30 {clock} step {second} loss {numbers.random():.4f}"


def failure(numbers: random.Random) -> str:
    """A traceback of one of three kinds; no two are alike."""
    at, size = numbers.randrange(1, 10**6), numbers.randrange(1, 10**6)
    message = numbers.choice(
        [
            f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {size / 100:.2f} GiB. "
            f"GPU {at % 8} has a total capacity of 79.15 GiB of which {size % 100}.00 MiB is free.",
            f"RuntimeError: mat1 and mat2 shapes cannot be multiplied ({at}x{size} and 256x10)",
            f"RuntimeError: The size of tensor a ({at}) must match the size of tensor b ({size}) "
            "at non-singleton dimension 1",
        ]
    )
    frame = f'  File "/home/user/project/part_{at % 997}.py", line {at % 400 + 1}, in step_{at % 89}'
    return f"Traceback (most recent call last):\n{frame}\n    loss = model(batch)\n{message}"


class Reader(threading.Thread):
    """Reads all that the server says and keeps what is needed of it: nothing may pile up in the pipe."""

    def __init__(self, session: lsp.Session) -> None:
        super().__init__(daemon=True)
        self.session = session
        self.counts: dict[str, int] = {}
        self.most = 0
        self.answers: dict[Any, Any] = {}

    def run(self) -> None:
        try:
            while True:
                message = self.session._read()
                params = message.get("params") or {}
                if message.get("method") == "textDocument/publishDiagnostics":
                    found = params["diagnostics"]
                    self.counts[params["uri"]] = len(found)
                    self.most = max(self.most, len(found))
                elif "method" not in message:
                    self.answers[message.get("id")] = message
        except (EOFError, ValueError):
            return


def soak(hours: int, lines_per_hour: int, edits: int, every: int) -> dict[str, Any]:
    """Live through the day; the memory after each hour in MB, and the most problems that a file ever had."""
    numbers = random.Random(20261130)
    memory: list[float] = []
    with tempfile.TemporaryDirectory(prefix="detour-soak-") as name:
        folder = Path(name)
        program, log = folder / "program.py", folder / "train.log"
        text = lsp.program(300)
        program.write_text(text)
        log.touch()
        session = lsp.Session(lsp.SERVERS["detour"], folder)
        reader = Reader(session)
        reader.start()
        uri = program.as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        session.notify("textDocument/didOpen", {"textDocument": document})
        session._send({"id": "watch", "method": "detour/watchLog", "params": {"path": str(log)}})
        while "watch" not in reader.answers:
            time.sleep(0.05)
        version, second = 1, 0
        for hour in range(hours):
            third = 3 * hour // hours
            if hour and third == 0:
                os.replace(log, folder / "train.log.1")
                log.touch()
            elif third == 2:
                os.truncate(log, 0)
            with log.open("a") as file:
                for _ in range(lines_per_hour):
                    second += 1
                    file.write((failure(numbers) if second % every == 0 else line(numbers, second)) + "\n")
                    if second % 200 == 0:
                        file.flush()
                        time.sleep(0.002)
            for _ in range(edits // hours):
                version += 1
                where = {"line": 0, "character": 9}
                change: dict[str, Any] = {"range": {"start": where, "end": where}, "text": "x"}
                if version % 2:
                    change = {"range": {"start": where, "end": {"line": 0, "character": 10}}, "text": ""}
                params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
                session.notify("textDocument/didChange", params)
            session._send({"id": hour, "method": "textDocument/hover", "params": {
                "textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}})  # fmt: skip
            while hour not in reader.answers:
                time.sleep(0.02)
            settled(session)
            memory.append(session.memory())
            shown = reader.counts.get(log.as_uri(), 0)
            print(f"hour {hour + 1:2}: {memory[-1]:6.1f} MB, problems of the log {shown}", flush=True)
        session.process.kill()
        session.process.wait()
    return {"memory": memory, "most": reader.most}


def settled(session: lsp.Session) -> None:
    """Wait until the server has no more to do: half a second without work."""
    before, quiet = -1, 0
    while quiet < 5:
        fields = Path(f"/proc/{session.process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        quiet = quiet + 1 if ticks - before <= 1 else 0
        before = ticks
        time.sleep(0.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--lines-per-hour", type=int, default=3_600)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=150, help="lines between failures")
    parser.add_argument("--most-mb", type=float, default=10.0)
    options = parser.parse_args()
    result = soak(options.hours, options.lines_per_hour, options.edits, options.every)
    memory = result["memory"]
    growth = memory[-1] - memory[max(0, options.hours // 3 - 1)]
    print(f"growth after the first third: {growth:.1f} MB; most problems of a file: {result['most']}")
    return 0 if growth <= options.most_mb and result["most"] <= CAP + 1 else 1


if __name__ == "__main__":
    sys.exit(main())
