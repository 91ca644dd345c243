"""The server's loop against `ruff server` on the same scripted session: start, edits, hover, quick fixes, memory.

    .venv/bin/python bench/lsp.py [--lines 100 1000 10000 50000] [--edits 200] [--runs 5] [--busy]

Both servers get the same files and the same edits, one after the other in the same run, with every message written and
read by the same code, so the ratios are what counts. The file holds what both have something to say about: an unused
import for ruff, a dead end for Detour.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
EMPTY_SERVER = """
from pygls.lsp.server import LanguageServer
LanguageServer("empty", "1").start_io()
"""
SERVERS: dict[str, list[str]] = {
    "detour": [sys.executable, "-m", "detour_lsp", "server", "--stdio"],
    "ruff": [str(BIN / "ruff"), "server"],
    "empty pygls": [sys.executable, "-c", EMPTY_SERVER],
}


class Session:
    """One server process and the messages to and from it."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self._id = 0
        root = folder.as_uri()
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "bench"}],
                "capabilities": {
                    "textDocument": {
                        "hover": {"contentFormat": ["markdown"]},
                        "codeAction": {
                            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                            "resolveSupport": {"properties": ["edit"]},
                            "dataSupport": True,
                        },
                        "publishDiagnostics": {"versionSupport": True, "dataSupport": True},
                    }
                },
            },
        )
        self.answered = time.perf_counter() - self.started
        self.notify("initialized", {})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _read(self) -> dict[str, Any]:
        out = self.process.stdout
        assert out is not None
        length = 0
        while (line := out.readline()) != b"\r\n":
            if not line:
                raise EOFError("the server has ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(out.read(length))
        if "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
        return message

    def request(self, method: str, params: Any) -> Any:
        self._id += 1
        self._send({"id": self._id, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._id and "method" not in message:
                return message.get("result")

    def diagnostics(self, uri: str, version: int | None) -> list[dict[str, Any]]:
        """Wait for the diagnostics of a version of a document."""
        while True:
            message = self._read()
            params = message.get("params") or {}
            mine = message.get("method") == "textDocument/publishDiagnostics" and params.get("uri") == uri
            if mine and (version is None or params.get("version") in (None, version)):
                return params["diagnostics"]

    def memory(self) -> float:
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def close(self) -> None:
        self.request("shutdown", None)
        self.notify("exit", None)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def program(lines: int) -> str:
    """A program of so many lines, with a dead end at its end and an unused import at its start."""
    unit = '''
def step_{n}(model, batch, scale={n}):
    """One step of training, number {n}."""
    outputs = model(batch["x"], mask=batch.get("mask"))
    loss = ((outputs - batch["y"]) ** 2).mean() * scale
    if loss > {n}:
        print(f"step {n}: loss {{loss:.4f}}")
    return {{"loss": loss, "outputs": outputs, "names": ["a", "b", str(scale)]}}
'''
    head = "import os\nimport torch\n"
    units = max(1, (lines - 4) // 9)
    body = "".join(unit.format(n=number) for number in range(units))
    text = head + body + "\ntorch._dynamo.config.recompile_limit = 0\n"
    missing = lines - text.count("\n")
    return text + "# end\n" * max(0, missing)


@dataclass
class Figures:
    """What was measured of one server on one file, in ms and MB."""

    init: float = 0.0
    first: float = 0.0
    change: list[float] = field(default_factory=list)
    hover: list[float] = field(default_factory=list)
    action: list[float] = field(default_factory=list)
    memory: float = 0.0


def measure(name: str, lines: int, edits: int, folder: Path) -> Figures:
    """Run the scripted session against one server."""
    text = program(lines)
    path = folder / f"program_{lines}.py"
    path.write_text(text)
    uri = path.as_uri()
    session = Session(SERVERS[name], folder)
    figures = Figures(init=session.answered * 1000)
    if name == "empty pygls":
        session.close()
        return figures
    session.notify(
        "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}}
    )
    assert session.diagnostics(uri, 1), f"{name} found nothing: the comparison would be void"
    figures.first = (time.perf_counter() - session.started) * 1000
    last = text.count("\n") - 1
    dead_end = next(i for i, line in enumerate(text.split("\n")) if "recompile_limit" in line)
    line = max(4, last // 2)
    while not text.split("\n")[line].strip().startswith("outputs"):
        line += 1
    version = 1
    for number in range(edits):
        version += 1
        where = {"line": line, "character": 4 + number}
        change = {"range": {"start": where, "end": where}, "text": "x"}
        start = time.perf_counter()
        session.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
        )
        session.diagnostics(uri, version)
        figures.change.append((time.perf_counter() - start) * 1000)
    target = {"line": 0, "character": 8} if name == "ruff" else {"line": dead_end, "character": 20}
    position = {"textDocument": {"uri": uri}, "position": target}
    for _ in range(max(edits // 2, 20)):
        start = time.perf_counter()
        session.request("textDocument/hover", position)
        figures.hover.append((time.perf_counter() - start) * 1000)
    for _ in range(max(edits // 2, 20)):
        start = time.perf_counter()
        actions = session.request(
            "textDocument/codeAction",
            {"textDocument": {"uri": uri}, "range": {"start": target, "end": target}, "context": {"diagnostics": []}},
        )
        figures.action.append((time.perf_counter() - start) * 1000)
    assert actions is not None
    figures.memory = session.memory()
    session.close()
    return figures


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def collect(sizes: list[int], edits: int, runs: int) -> dict[str, Any]:
    """Everything, as plain data: for this program's table and for `bench/run.py`."""
    result: dict[str, Any] = {"sizes": {}, "init": {}}
    with tempfile.TemporaryDirectory(prefix="detour-bench-") as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text("[project]\nname = 'bench'\n")
        inits: dict[str, list[float]] = {server: [] for server in SERVERS}
        for _ in range(runs):
            for server in SERVERS:
                session = Session(SERVERS[server], folder)
                inits[server].append(session.answered * 1000)
                session.close()
        result["init"] = {server: statistics.median(values) for server, values in inits.items()}
        for size in sizes:
            rows: dict[str, dict[str, float]] = {}
            for server in ("detour", "ruff"):
                every = [measure(server, size, edits, folder) for _ in range(runs)]
                rows[server] = {
                    "first": statistics.median(f.first for f in every),
                    "change_p50": statistics.median(percentile(f.change, 0.5) for f in every),
                    "change_p99": statistics.median(percentile(f.change, 0.99) for f in every),
                    "hover_p50": statistics.median(percentile(f.hover, 0.5) for f in every),
                    "hover_p99": statistics.median(percentile(f.hover, 0.99) for f in every),
                    "action_p50": statistics.median(percentile(f.action, 0.5) for f in every),
                    "action_p99": statistics.median(percentile(f.action, 0.99) for f in every),
                    "memory": statistics.median(f.memory for f in every),
                }
            result["sizes"][size] = rows
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, nargs="+", default=[100, 1_000, 10_000, 50_000])
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--busy", action="store_true", help="also hover while logs are read (bench/busy.py)")
    options = parser.parse_args()
    result = collect(options.lines, options.edits, options.runs)
    if options.json:
        print(json.dumps(result, indent=1))
        return 0
    print("process start to the answer of initialize, ms (median):")
    for server, value in result["init"].items():
        print(f"  {server:12} {value:8.0f}   {value / result['init']['empty pygls']:.2f} x empty pygls")
    columns = ["first", "change_p50", "change_p99", "hover_p50", "hover_p99", "action_p50", "action_p99", "memory"]
    print(f"\n{'lines':>7} {'server':8}" + "".join(f"{column:>12}" for column in columns) + "   change p50 / ruff")
    for size, rows in result["sizes"].items():
        for server, row in rows.items():
            ratio = row["change_p50"] / rows["ruff"]["change_p50"]
            print(f"{size:>7} {server:8}" + "".join(f"{row[c]:12.2f}" for c in columns) + f"   {ratio:.2f}")
    if options.busy:
        import busy

        print("\nhover while logs are read, ms:")
        busy.show(busy.collect(1_000, 100, 50))
    return 0


if __name__ == "__main__":
    sys.exit(main())
