"""What runs of real torch printed (`seeds`) is recognised however it was carried on: logged, marked, cut, coloured.

Detour's own records, and one in so many of their stored outputs, chosen by name. Few may fail: outputs come and go.
"""

from __future__ import annotations

import html
import json
import random
import re
import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner

SEEDS = Path(__file__).parents[2] / "seeds"
#: One of so many stored outputs is taken.
ONE_OF = 17


@pytest.fixture(scope="module")
def real() -> Scanner:
    return Scanner(compile_knowledge(load()))


@pytest.fixture(scope="module")
def outputs(real: Scanner) -> dict[str, str]:
    """Stored outputs in which something is recognised, by name."""
    paths = {f"{path.parts[-3]}/{path.name}": path for path in sorted(SEEDS.glob("*/*/logs/*.txt"))}
    texts = {
        name: path.read_text(encoding="utf-8", errors="replace")
        for name, path in paths.items()
        if crc32(name.encode()) % ONE_OF == 0
    }
    kept = {name: text for name, text in texts.items() if essence(real, text)}
    assert len(kept) > 30
    return kept


def essence(scanner: Scanner, text: str) -> set[tuple[str, str, int]]:
    """Records with the place of the user's frame; symptoms point at what is there anyway."""
    return {of(incident) for incident in scanner.scan(text.encode(), "x.log") if incident.level != "symptom"}


def of(incident: Incident) -> tuple[str, str, int]:
    frame = incident.user_frame
    return incident.record, frame.file.rpartition("/")[2] if frame else "", frame.line if frame else 0


def lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def each(change: Callable[[int, str], str]) -> Callable[[str], str]:
    return lambda text: "".join(change(n, line) + "\n" for n, line in enumerate(lines(text)))


def cut(width: int) -> Callable[[str], str]:
    """As a terminal breaks lines, and as copying from it leaves them."""
    return lambda text: "".join(
        line[at : at + width] + "\n" for line in lines(text) for at in range(0, max(1, len(line)), width)
    )


def cut_between_words(width: int) -> Callable[[str], str]:
    """As mailers and forums break lines."""

    def wrapped(line: str) -> list[str]:
        parts = textwrap.wrap(line, width, drop_whitespace=False, replace_whitespace=False)
        return [part.rstrip() for part in parts] or [""]

    return lambda text: "".join(part + "\n" for line in lines(text) for part in wrapped(line))


def interleaved(text: str) -> str:
    chooser = random.Random(7)
    queues = [[f"[rank{rank}]: {line}" for line in lines(text)] for rank in (0, 1)]
    mixed: list[str] = []
    while any(queues):
        mixed.append(chooser.choice([queue for queue in queues if queue]).pop(0))
    return "\n".join(mixed)


def behind_a_bar(text: str) -> str:
    return "\r  0%|          | 0/10 [00:00<?, ?it/s]\r 10%|█         | 1/10 [00:00<00:01,  7.9it/s]" + text


def coloured(text: str) -> str:
    return re.sub(r'("[^"\n]*")|\b\w*Error\b|\b\d+\b', lambda match: f"\x1b[1;35m{match[0]}\x1b[0m", text)


#: How it was carried on, and the least fraction of outputs that keep all records and frames.
CARRIED: dict[str, tuple[Callable[[str], str], float]] = {
    "time and logger": (each(lambda n, line: f"2025-03-04 05:06:{n % 60:02},{n:03} - run - ERROR - {line}"), 0.95),
    "[rank3]: ": (each(lambda _, line: f"[rank3]: {line}"), 0.95),
    "3: ": (each(lambda _, line: f"3: {line}"), 0.95),
    "[default3]:": (each(lambda _, line: f"[default3]:{line}"), 0.95),
    "kubernetes": (each(lambda n, line: f"2025-03-04T05:06:{n % 60:02}.{n:09}Z stderr F {line}"), 0.95),
    "docker": (each(lambda _, line: json.dumps({"log": line + "\n", "stream": "stderr"})), 0.95),
    "quoted": (each(lambda _, line: f"> {line}"), 0.95),
    "crlf": (lambda text: text.replace("\n", "\r\n"), 0.95),
    "colours": (coloured, 0.95),
    "behind a bar": (behind_a_bar, 0.95),
    "html": (lambda text: f"<pre>{html.escape(text)}</pre>", 0.93),
    "json field": (lambda text: json.dumps({"level": "error", "exc": text}), 0.93),
    "two ranks": (interleaved, 0.95),
    "cut at 80": (cut(80), 0.93),
    "cut at 100": (cut(100), 0.93),
    "cut at 120": (cut(120), 0.93),
    "marked, cut at 120": (lambda text: cut(120)(each(lambda _, line: f"[rank0]: {line}")(text)), 0.92),
    "cut between words at 80": (cut_between_words(80), 0.85),
    "cut between words at 120": (cut_between_words(120), 0.88),
}


@pytest.mark.parametrize("way", CARRIED)
def test_carried_on(real: Scanner, outputs: dict[str, str], way: str) -> None:
    change, least = CARRIED[way]
    lost = {name: essence(real, text) - essence(real, change(text)) for name, text in outputs.items()}
    lost = {name: what for name, what in lost.items() if what}
    assert 1 - len(lost) / len(outputs) >= least, lost


def moved(text: str, by: int) -> str:
    """The output of the same program with its lines further down."""
    text = re.sub(
        r'((?:/home/user/project|repro)[\w/]*\.py(?:", line |:| line ))(\d+)',
        lambda match: match[1] + str(int(match[2]) + by),
        text,
    )
    return re.sub(r"(resume_in_\w+_at_)(\d+)", lambda match: match[1] + str(int(match[2]) + by), text)


@pytest.mark.parametrize("between", ["", "retry\n", "step 7 loss 0.3\n" * 30])
def test_failures_at_other_lines_stay_apart(real: Scanner, outputs: dict[str, str], between: str) -> None:
    """Three failures of one record in one log: each on its own line of the log, each with its own frame."""
    lost: dict[str, list[tuple[str, int, int]]] = {}
    for name, text in outputs.items():
        text = "\n".join(lines(text)) + "\n"
        told = [i for i in real.scan(text.encode(), "x.log") if i.level != "symptom" and i.user_frame]
        length = text.count("\n") + between.count("\n")
        wanted = Counter(
            (i.record, i.span.line + copy * length, i.user_frame.line + 100 * copy)
            for copy in range(3)
            for i in told
            if i.user_frame and not i.user_frame.file.startswith("<")
        )
        whole = between.join(moved(text, by) for by in (0, 100, 200))
        got = Counter(
            (i.record, i.span.line, i.user_frame.line if i.user_frame else 0)
            for i in real.scan(whole.encode(), "x.log")
        )
        if missing := sorted((wanted - got).elements()):
            lost[name] = missing
    assert len(lost) / len(outputs) <= 0.05, lost


def test_the_same_failure_of_many_ranks_is_one(real: Scanner, outputs: dict[str, str]) -> None:
    lost: dict[str, list[tuple[str, int, tuple[int, ...]]]] = {}
    for name, text in outputs.items():
        marked = "".join(f"[rank{rank}]: {line}\n" for rank in range(4) for line in lines(text))
        alone = [i for i in real.scan(text.encode(), "x.log") if i.level != "symptom"]
        found = [i for i in real.scan(marked.encode(), "x.log") if i.level != "symptom"]
        # A rank may be named in the message, too.
        if [of(i) for i in found] != [of(i) for i in alone] or not all({*range(4)} <= {*i.ranks} for i in found):
            lost[name] = [(i.record, i.span.line, i.ranks) for i in found]
    assert len(lost) / len(outputs) <= 0.05, lost
