"""How cost grows: with the size of a log, the number of records, of files, and the length of lines."""

from __future__ import annotations

import json
import random
from pathlib import Path

from generate import write_log
from logs import DETOUR, EMPTY, REALISTIC, WORK, own_examples
from measure import alternate

from detour_lsp.knowledge.compiled import open_knowledge

#: x value -> (seconds, MB of memory)
Curve = dict[float, tuple[float, float]]


def _one(command: list[str], runs: int) -> tuple[float, float]:
    timing = alternate({"detour": command}, runs, timeout=600, cwd=EMPTY)["detour"]
    return timing.median, timing.memory


def by_size(runs: int, sizes: list[int]) -> Curve:
    """Logs of different lengths, own records, all cores."""
    examples = list(own_examples(open_knowledge(), 12).values())
    curve: Curve = {}
    for size in sizes:
        log = WORK / f"realistic-{size}.log"
        if size > 2_000_000_000:
            _repeat(WORK / "realistic-1000000000.log", log, size)
        elif not log.exists():
            write_log(log, size, examples, every=REALISTIC)
        curve[size / 1e6] = _one([DETOUR, "scan", str(log), "--format", "jsonl"], runs if size < 2e9 else 1)
        if size > 2_000_000_000:
            log.unlink()
    return curve


def _repeat(source: Path, target: Path, size: int) -> None:
    with target.open("wb") as out:
        while out.tell() < size:
            with source.open("rb") as part:
                while out.tell() < size and (data := part.read(8_000_000)):
                    out.write(data)


def by_records(runs: int, counts: list[int]) -> Curve:
    """50 MB of healthy log, made-up records: what the number of records costs when none of them is there."""
    log = WORK / "realistic-50000000.log"
    if not log.exists():
        write_log(log, 50_000_000, list(own_examples(open_knowledge(), 12).values()), every=20_000)
    template = json.loads(_any_record().read_text())
    random_numbers = random.Random(7)
    syllables = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "ix")]
    curve: Curve = {}
    for count in counts:
        folder = WORK / f"made-{count}"
        if not folder.exists():
            folder.mkdir()
            for number in range(count):
                words = ["".join(random_numbers.choices(syllables, k=3)) for _ in range(3)]
                regex = f"{words[0]}Error: {words[1]} {words[2]} failed with code (?P<code>\\d+)"
                record = {**template, "id": f"made/r{number}", "regex": regex, "signatures": []}
                (folder / f"{number}.json").write_text(json.dumps(record))
        command = [DETOUR, "scan", str(log), "--format", "jsonl", "--no-builtin", "--kb", str(folder), "--jobs", "1"]
        curve[count] = _one(command, runs)
    return curve


def _any_record() -> Path:
    from detour_lsp.knowledge.places import builtin_seeds, record_files

    return record_files(builtin_seeds())[0]


def by_files(runs: int, counts: list[int]) -> Curve:
    """50 MB shared out to more and more files in one folder."""
    examples = list(own_examples(open_knowledge(), 12).values())
    curve: Curve = {}
    for count in counts:
        folder = WORK / f"files-{count}"
        if not folder.exists():
            folder.mkdir()
            for number in range(count):
                write_log(folder / f"{number:05d}.log", 50_000_000 // count, examples, every=20_000, seed=number)
        curve[count] = _one([DETOUR, "scan", str(folder), "--format", "jsonl"], runs)
    return curve


def by_line_length(runs: int, lengths: list[int]) -> Curve:
    """50 MB of lines of one length, a failure every 2 MB."""
    example = next(iter(own_examples(open_knowledge(), 12).values())).split("\n")[0].encode()
    random_numbers = random.Random(11)
    letters = "".join(random_numbers.choices("abcdefghijklmnop 0123456789.,", k=4_000_000)).encode()
    curve: Curve = {}
    for length in lengths:
        log = WORK / f"lines-{length}.log"
        if not log.exists():
            with log.open("wb") as out:
                since = 0
                while out.tell() < 50_000_000:
                    start = random_numbers.randrange(len(letters) - min(length, 2_000_000))
                    line = letters[start : start + min(length, 2_000_000)]
                    line = line * (length // len(line)) if length > len(line) else line
                    since += out.write(line + b"\n")
                    if since > 2_000_000:
                        since = 0
                        out.write(example + b"\n")
        curve[length] = _one([DETOUR, "scan", str(log), "--format", "jsonl", "--jobs", "1"], runs)
    return curve
