"""The scanning rows of the table: `detour scan` beside grep, ripgrep, wc and deadends-dev's own lookup."""

from __future__ import annotations

import json
import random
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import peers
import regex
from generate import failures, write_log
from measure import Timing, alternate

from detour_lsp.knowledge.compiled import CompiledKnowledge, open_knowledge
from detour_lsp.knowledge.loading import signatures_of

DETOUR = str(Path(sys.executable).parent / "detour")
WORK = peers.WORK
#: Where the programs run: a project that holds nothing, since frames are looked up in the files of the project.
EMPTY = WORK / "empty"
#: Lines between failures in a long log: some 30 in a GB, more than most runs live to print.
REALISTIC = 150_000


@dataclass
class Row:
    """One line of the table: what was compared, how it came out, and what was asked."""

    name: str
    timings: dict[str, Timing]
    #: Peer -> how many times its time ours is taken to be, at least.
    targets: dict[str, float]
    #: What was checked about the findings.
    checked: str = ""
    notes: list[str] = field(default_factory=list)
    #: Factors by which a peer's time was scaled because it only read a part.
    scale: dict[str, float] = field(default_factory=dict)

    def ratio(self, peer: str) -> float:
        """How many times faster than the peer (for `wc` and idle Python: how many times slower, as a fraction)."""
        return self.timings[peer].median * self.scale.get(peer, 1.0) / self.timings["detour"].median

    def cpu_ratio(self, peer: str) -> float:
        """The same by CPU time of all processes: what a busy machine does not change."""
        theirs = statistics.median(self.timings[peer].cpu) * self.scale.get(peer, 1.0)
        return theirs / statistics.median(self.timings["detour"].cpu)


def own_examples(knowledge: CompiledKnowledge, most: int) -> dict[str, str]:
    """Texts that real torch prints, by record: one for every record that has a short example."""
    found: dict[str, str] = {}
    for identity, record in knowledge.records.items():
        for signature in signatures_of(record):
            example = signature.example.strip()
            if (
                signature.level == "error"
                and 20 < len(example) < 500
                and regex.search(signature.regex, example, regex.M)
            ):
                found.setdefault(identity, example)
    names = sorted(found)
    return {name: found[name] for name in names[:: max(1, len(names) // most)]}


def words_file(knowledge: CompiledKnowledge, name: str, *, most: int | None = None) -> tuple[Path, int]:
    """One word per signature, as a peer would be given them; the rarest, so the peer profits from our choice."""
    words = [pattern.literals[0] for pattern in knowledge.signatures if pattern.literals and not pattern.common]
    words = sorted(set(words))[:most]
    path = WORK / name
    path.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return path, len(words)


def plain_regexes(knowledge: CompiledKnowledge, most: int, rg: Path) -> dict[str, str]:
    """Regexes by record that ripgrep and `grep -E` read as Detour does: no named groups, no lookaround, no `\\d`."""
    found: dict[str, str] = {}
    for pattern in knowledge.signatures:
        plain = pattern.regex.removeprefix("(?i)")
        if pattern.common or re.search(r"\(\?|\\[^.()\[\]{}*+?|$^]|\n|\{,", plain) or plain in found.values():
            continue
        checks = (
            [str(rg), "-q", "-i", "-e", plain],
            ["grep", "-q", "-E", "-i", "-e", plain],
        )
        if all(subprocess.run(check, input=b"", capture_output=True).returncode == 1 for check in checks):
            found[pattern.record] = plain
        if len(found) == most:
            break
    return found


def found_records(output: bytes) -> set[str]:
    return {json.loads(line)["record"] for line in output.splitlines()}


def lines_matched(timing: Timing) -> int:
    return int(timing.output.split()[0]) if timing.output.split() else 0


def realistic(runs: int, size: int, rg: Path, *, foreign: bool) -> Row:
    """A long healthy log with a failure now and then, all own records, optionally with the 2,460 foreign ones."""
    extra = ["--kb", str(peers.canons())] if foreign else []
    knowledge = open_knowledge(extra[1:])
    examples = own_examples(open_knowledge(), 12)
    log = WORK / f"realistic-{size}.log"
    if not log.exists():
        write_log(log, size, list(examples.values()), every=REALISTIC)
    words, count = words_file(knowledge, f"words-{'all' if foreign else 'own'}.txt")
    commands: dict[str, Sequence[str]] = {
        "detour": [DETOUR, "scan", str(log), "--format", "jsonl", *extra],
        "grep -F -i -f": ["grep", "-c", "-F", "-i", "-f", str(words), str(log)],
        "rg -i -F -f": [str(rg), "-c", "-i", "-F", "-f", str(words), str(log)],
        "wc -l": ["wc", "-l", str(log)],
    }
    timings = alternate(commands, runs, timeout=240, cwd=EMPTY)
    found = found_records(timings["detour"].output)
    missing = sorted(set(examples) - found)
    checked = (
        f"{len(examples) - len(missing)} of {len(examples)} kinds of planted failures found by Detour"
        f"{' (missing: ' + ', '.join(missing) + ')' if missing else ''}; lines with a word: grep "
        f"{lines_matched(timings['grep -F -i -f'])}, ripgrep {lines_matched(timings['rg -i -F -f'])}"
    )
    name = f"{size / 1e9:g} GB, {len(knowledge.signatures)} signatures{', with the foreign records' if foreign else ''}"
    targets = {"grep -F -i -f": 1.0, "rg -i -F -f": 1.0} if foreign else {
        "grep -F -i -f": 4.0, "rg -i -F -f": 2.5, "wc -l": 1 / 8,
    }  # fmt: skip
    notes = [f"{count} words for the peers; Detour's largest process {timings['detour'].memory:.0f} MB"]
    return Row(name, timings, targets, checked, notes)


def with_regexes(runs: int, rg: Path, knowledge: CompiledKnowledge, count: int, *, slow: bool) -> Row:
    """50 MB of a healthy log, `count` foreign regexes: whole processes."""
    regexes = plain_regexes(knowledge, count, rg)
    folder = WORK / f"kb-{count}"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    examples: list[str] = []
    for number, identity in enumerate(regexes):
        record = knowledge.records[identity]
        (folder / f"{number:04d}.json").write_bytes(Path(record.origin).read_bytes())
        if re.search(regexes[identity], record.signature, re.I) and "\n" not in record.signature:
            examples.append(f"RuntimeError: {record.signature}")
    log = WORK / f"few-{count}.log"
    write_log(log, 50_000_000, examples[:40], every=20_000)
    file = WORK / f"regexes-{count}.txt"
    file.write_text("".join(f"{one}\n" for one in regexes.values()), encoding="utf-8")
    commands: dict[str, Sequence[str]] = {
        "detour": [DETOUR, "scan", str(log), "--format", "jsonl", "--no-builtin", "--kb", str(folder)],
        "rg -i -f": [str(rg), "-c", "-i", "-f", str(file), str(log)],
        "grep -E -i -f": ["grep", "-c", "-E", "-i", "-f", str(file), str(log)],
    }
    timings = alternate(commands, runs, timeout=60 if slow else 30, cwd=EMPTY, warm=False)
    found = found_records(timings["detour"].output)
    hit = _records_in_matched_lines(rg, file, log, regexes)
    checked = (
        f"records in the lines that ripgrep matched: {len(hit)}, of which Detour found {len(hit & found)}; "
        f"lines: ripgrep {lines_matched(timings['rg -i -f'])}, grep {lines_matched(timings['grep -E -i -f'])}"
    )
    targets = {"rg -i -f": 20.0, "grep -E -i -f": 20.0} if count >= 500 else {"rg -i -f": 1.0}
    return Row(f"50 MB `few`, {len(regexes)} foreign regexes", timings, targets, checked)


def _records_in_matched_lines(rg: Path, file: Path, log: Path, regexes: dict[str, str]) -> set[str]:
    lines = subprocess.run([str(rg), "-N", "-i", "-f", str(file), str(log)], capture_output=True).stdout
    text = sorted({line.decode("utf-8", "replace") for line in lines.splitlines()})
    compiled = {identity: re.compile(one, re.I) for identity, one in regexes.items()}
    return {identity for identity, one in compiled.items() if any(one.search(line) for line in text)}


def own_regexes(runs: int, rg: Path, size: int) -> Row:
    """Detour's own regexes, those that ripgrep can read, on the first 20 MB of the realistic log."""
    knowledge = open_knowledge()
    log = WORK / f"realistic-{size}.log"
    part = WORK / "realistic-part.log"
    with log.open("rb") as source:
        part.write_bytes(source.read(20_000_000))
    file = WORK / "regexes-own.txt"
    kept: list[str] = []
    for pattern in knowledge.signatures:
        unnamed = re.sub(r"\(\?P<\w+>", "(?:", pattern.regex)
        if "\n" not in unnamed and "\\n" not in unnamed.replace("[^\\n]", ""):
            done = subprocess.run([str(rg), "-q", "-e", unnamed], input=b"", capture_output=True)
            if done.returncode == 1:
                kept.append(unnamed)
    file.write_text("".join(f"{one}\n" for one in kept), encoding="utf-8")
    commands: dict[str, Sequence[str]] = {
        "detour": [DETOUR, "scan", str(log), "--format", "jsonl"],
        "rg -i -f": [str(rg), "-c", "-i", "-f", str(file), str(part)],
    }
    timings = alternate(commands, max(1, runs // 2), timeout=90, cwd=EMPTY, warm=False)
    scale = size / 20_000_000
    return Row(
        f"{size / 1e9:g} GB, own regexes ({len(kept)} of {len(knowledge.signatures)} that ripgrep reads)",
        timings, {"rg -i -f": 50.0}, notes=[f"ripgrep read 20 MB; its time is multiplied by {scale:g}"],
        scale={"rg -i -f": scale},
    )  # fmt: skip


def small_log(path: Path, example: str) -> None:
    """About 3 KB: some steps of a run, and the failure that ended it."""
    steps = [
        f"2026-11-30 10:00:{step:02d},123 - trainer - INFO - step {step} loss {2.5 / (step + 1):.4f}"
        for step in range(30)
    ]
    failure = next(failures([example], random.Random(3)))
    path.write_text("\n".join([*steps, *failure]) + "\n", encoding="utf-8")


WARM = """
import json, statistics, sys, time
from detour_lsp.knowledge.compiled import open_knowledge
from detour_lsp.logs.scan import Scanner
text = open(sys.argv[1], "rb").read()
scanner = Scanner(open_knowledge([sys.argv[2]]))
times = []
for _ in range(200):
    start = time.perf_counter(); found = scanner.scan(text, "log"); times.append(time.perf_counter() - start)
print(json.dumps([statistics.median(times), min(times), max(times), [i.record for i in found]]))
"""
PEER = """
import json, statistics, sys, time
from generator.lookup import lookup_all
text = open(sys.argv[1]).read()
lookup_all(text)
times = []
for _ in range(5):
    start = time.perf_counter(); found = lookup_all(text); times.append(time.perf_counter() - start)
print(json.dumps([statistics.median(times), min(times), max(times), [m["id"] for m in found][:5]]))
"""


def warm() -> Row:
    """One log of 3 KB, engines warm, the same 2,460 records in both (and Detour's own in Detour)."""
    examples = own_examples(open_knowledge(), 12)
    name = "cuda/out-of-memory"
    example = examples.get(name) or next(iter(examples.values()))
    log = WORK / "small.log"
    small_log(log, example)
    results: dict[str, Any] = {}
    for label, command in (
        ("detour", [sys.executable, "-c", WARM, str(log), str(peers.canons())]),
        ("deadends-dev lookup", [str(peers.python()), "-c", PEER, str(log)]),
    ):
        results[label] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    timings = {label: Timing([], value[:3], value[:1]) for label, value in results.items()}
    checked = f"Detour: {results['detour'][3]}; deadends-dev: {results['deadends-dev lookup'][3]}"
    return Row("one log of 3 KB, warm", timings, {"deadends-dev lookup": 1000.0}, checked)


def startup(runs: int) -> list[Row]:
    """Whole processes that have hardly anything to do."""
    example = next(iter(own_examples(open_knowledge(), 12).values()))
    log = EMPTY / "small.log"
    small_log(log, example)
    rows: list[Row] = []
    for name, command, limit in (
        ("`detour --version`", [DETOUR, "--version"], 1 / 2.5),
        ("`detour scan` of 3 KB", [DETOUR, "scan", str(log)], 1 / 6),
    ):
        commands: dict[str, Sequence[str]] = {
            "detour": command,
            'python -c "import json, re"': [sys.executable, "-c", "import json, re"],
        }
        timings = alternate(commands, 4 * runs, cwd=EMPTY)
        rows.append(Row(name, timings, {'python -c "import json, re"': limit}))
    return rows
