"""Everything against the real peers: `make bench`, or `python bench/run.py [--short] [--only logs startup ...]`.

Installs the peers into bench/.work, makes the inputs from a seed, checks that what is compared found the same things,
prints the table, and writes docs/performance.md with its plots. `--short` takes smaller inputs and fewer runs, writes
no page, and fails when a ratio has fallen to less than half of that in bench/baseline.json.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import growth  # noqa: E402
import logs  # noqa: E402
import peers  # noqa: E402
import report  # noqa: E402
from logs import Row  # noqa: E402

from detour_lsp.knowledge.compiled import open_knowledge  # noqa: E402

BASELINE = HERE / "baseline.json"
PAGE = report.ROOT / "docs" / "performance.md"
PLOTS = report.ROOT / "docs" / "images"
SECTIONS = ("startup", "logs", "growth", "source", "server")


def main() -> int:
    """Run the chosen sections."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="small inputs; fail on a ratio that fell by half")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--runs", type=int, help="runs of each command (default 5, 3 with --short)")
    parser.add_argument("--save-baseline", action="store_true", help="with --short: keep these ratios as the baseline")
    parser.add_argument("--largest", type=int, default=10_000, metavar="MB", help="the longest log of the growth curve")
    options = parser.parse_args()
    runs = options.runs or (3 if options.short else 5)
    logs.EMPTY.mkdir(parents=True, exist_ok=True)
    peers.compile_ours()
    peers.install(*peers.PACKAGES)
    rg = peers.ripgrep()
    if rg is None:
        sys.stderr.write("bench: no ripgrep from npm, PyPI or the system; install one and run again\n")
        return 2
    print(f"{report.machine()}\n{_versions(rg)}\n")
    rows: list[Row] = []
    texts: dict[str, str] = {}
    curves: dict[str, growth.Curve] = {}

    def keep() -> None:
        """Write what is there so far: a long run that is broken off leaves a page all the same."""
        if not options.short and set(options.only) == set(SECTIONS):
            PAGE.write_text(_page(rows, curves, texts, rg, runs), encoding="utf-8")

    if "startup" in options.only:
        rows += _told(logs.startup(runs))
        _profile_start()
    if "logs" in options.only:
        for part in _logs(rg, runs, short=options.short):
            rows += _told([part])
            keep()
    if "source" in options.only:
        texts["source"] = _source(runs, short=options.short)
        keep()
    if "server" in options.only:
        texts["server"] = _server(runs, short=options.short)
        keep()
    if "growth" in options.only and not options.short:
        for name, curve in _growth(runs, options.largest):
            curves[name] = curve
            keep()
    print("\n" + report.table(rows) if rows else "")
    return _compare(rows, save=options.save_baseline) if options.short else 0


def _told(rows: list[Row]) -> list[Row]:
    for row in rows:
        for line in report.line_of(row):
            print("  ".join(line), flush=True)
        if row.checked:
            print(f"    {row.checked}")
        for note in row.notes:
            print(f"    {note}")
    return rows


def _logs(rg: Path, runs: int, *, short: bool) -> Iterator[Row]:
    size = 200_000_000 if short else 1_000_000_000
    foreign = open_knowledge([peers.canons()], builtin=False)
    yield logs.realistic(runs, size, rg, foreign=False)
    yield logs.realistic(runs, size, rg, foreign=True)
    yield logs.with_regexes(runs, rg, foreign, 50, slow=not short)
    yield logs.warm()
    if not short:
        yield logs.with_regexes(runs, rg, foreign, 500, slow=True)
        yield logs.own_regexes(runs, rg, size)


def _profile_start() -> None:
    """Keep what a start imports and how long each part takes, in the order of their cost."""
    command = [sys.executable, "-X", "importtime", "-m", "detour_lsp", "scan", str(logs.EMPTY / "small.log")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=logs.EMPTY)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:") and "|" in line]
    lines = [line.removeprefix("import time:") for line in lines[1:]]
    lines.sort(key=lambda line: -int(line.split("|")[0]))
    head = "python -X importtime -m detour_lsp scan (3 KB of log): self us | cumulative us | module, dearest first"
    (HERE / "startup-profile.txt").write_text("\n".join([head, *lines[:80]]) + "\n", encoding="utf-8")


def _growth(runs: int, largest: int) -> Iterator[tuple[str, growth.Curve]]:
    few = max(1, runs // 2)
    print("growth ...", flush=True)
    yield "size", growth.by_size(few, [mb * 1_000_000 for mb in (10, 100, 1_000, 10_000) if mb <= largest])
    yield "lines", growth.by_line_length(few, [80, 800, 8_000, 80_000, 800_000, 8_000_000])
    yield "files", growth.by_files(few, [1, 10, 100, 1_000])
    yield "records", growth.by_records(few, [count for count in (100, 300, 1_000, 3_000, 10_000) if count <= largest])


def _source(runs: int, *, short: bool) -> str:
    """`detour check` beside ruff and TorchFix, on transformers' own code and torch's where it is installed."""
    trees = [peers.tree("transformers")]
    torch = next(report.ROOT.glob(".venv-torch/lib/python*/site-packages/torch"), None)
    if torch is not None and not short:
        trees.append(torch)
    arguments = ["--torchfix", str(peers.VENV / "bin" / "torchfix"), "--runs", str(runs)]
    return _program("source_check.py", [*map(str, trees), *arguments])


def _server(runs: int, *, short: bool) -> str:
    """The language server beside `ruff server`."""
    size = ["100", "5000"] if short else ["100", "1000", "5000", "10000", "50000"]
    busy = [] if short else ["--busy"]
    return _program("lsp.py", ["--lines", *size, "--edits", "50" if short else "200", "--runs", str(runs), *busy])


def _program(name: str, arguments: list[str]) -> str:
    """The output of a benchmark of its own."""
    command = [sys.executable, str(HERE / name), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1500)
        text = done.stdout if done.returncode == 0 else done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        text = "did not end within 25 minutes"
    print(f"{name}:\n{text}", flush=True)
    return f"```\n{text.rstrip()}\n```"


def _versions(rg: Path) -> str:
    facts = {
        "detour": peers.version([logs.DETOUR, "--version"]),
        "grep": peers.version(["grep", "--version"]),
        "ripgrep": peers.version([str(rg), "--version"]),
        "wc": peers.version(["wc", "--version"]),
        "deadends-dev": peers.package_version("deadends-dev"),
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def _ratios(rows: list[Row]) -> dict[str, float]:
    # The number of signatures grows with the records; the row stays the same row.
    return {
        f"{row.name.split(',')[0]} | {'foreign' in row.name} | {peer}": round(row.ratio(peer), 4)
        for row in rows
        for peer in row.timings
        if peer != "detour"
    }


def _compare(rows: list[Row], *, save: bool) -> int:
    ratios = _ratios(rows)
    if save:
        BASELINE.write_text(json.dumps(ratios, indent=1) + "\n")
        print(f"\nwritten: {BASELINE.relative_to(report.ROOT)}")
        return 0
    wanted: dict[str, float] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    fallen = {name: (was, ratios[name]) for name, was in wanted.items() if name in ratios and ratios[name] < was / 2}
    for name, (was, now) in fallen.items():
        print(f"REGRESSION: {name}: {now:.3g} times as fast, was {was:.3g}")
    return 1 if fallen else 0


def _page(rows: list[Row], curves: dict[str, growth.Curve], texts: dict[str, str], rg: Path, runs: int) -> str:
    PLOTS.mkdir(exist_ok=True)
    plots = {
        "size": ("Time by size of the log", "MB", "seconds"),
        "records": ("50 MB by number of records", "records", "seconds"),
        "files": ("50 MB by number of files", "files", "seconds"),
        "lines": ("50 MB by length of lines", "bytes a line", "seconds"),
    }
    pictures: list[str] = []
    for name, (title, x_label, y_label) in plots.items():
        if name in curves:
            seconds = {x: value[0] for x, value in curves[name].items()}
            svg = report.plot(title, x_label, y_label, {"detour scan": seconds})
            (PLOTS / f"performance-{name}.svg").write_text(svg, encoding="utf-8")
            cells = "; ".join(
                f"{x:g}: {value[0]:.3g} s, {value[1]:.0f} MB" for x, value in sorted(curves[name].items())
            )
            pictures.append(f"![{title}](images/performance-{name}.svg)\n\n{title} ({x_label}): {cells}.")
    template = (HERE / "page.md").read_text(encoding="utf-8")
    checks = "\n".join(
        f"- {row.name}: {'; '.join(part for part in (row.checked, *row.notes) if part)}"
        for row in rows
        if row.checked or row.notes
    )
    commands = "\n".join(
        f"{name}: {' '.join(timing.command)}".replace(str(HERE.parent), ".").replace(str(Path(sys.prefix)), "$VENV")
        for row in rows
        for name, timing in row.timings.items()
        if timing.command
    )
    values: dict[str, Any] = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "machine": report.machine(),
        "load": f"{os.getloadavg()[0]:.1f}",
        "versions": "\n".join(f"- {line}" for line in _versions(rg).splitlines()),
        "runs": runs,
        "table": report.markdown_table(rows),
        "checks": checks,
        "growth": "\n\n".join(pictures),
        "source": texts.get("source", ""),
        "server": texts.get("server", ""),
        "commands": commands,
    }
    for key, value in values.items():
        template = template.replace("{{" + key + "}}", str(value))
    return template


if __name__ == "__main__":
    assert importlib.util.find_spec("detour_lsp"), "run this with the Python that Detour is installed in"
    sys.exit(main())
