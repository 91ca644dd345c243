"""What a process prints over and over is read a few times, and counted as often as it was printed."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.logs.samples import TEXTS

from detour_lsp.logs import repeats
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner

TRACE = [
    "Traceback (most recent call last):",
    '  File "/job/train.py", line 61, in main',
    "    loss = model(images)",
    "RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 7.79 GiB",
]


def unfolded(scanner: Scanner, data: bytes) -> list[Incident]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeats, "WORTHWHILE", 10**9)
        return scanner.scan(data, "x.log")


def test_runs_of_any_period() -> None:
    keys = [*"xy", *"abcde" * 6, *"zz", *"a" * 9]
    assert repeats.runs(keys, [True] * len(keys)) == [repeats.Run(2, 5, 6), repeats.Run(34, 1, 9)]
    assert repeats.runs(keys, [False] * len(keys)) == []


def test_lines_stand_for_all_that_were_left_out() -> None:
    keys = [*"xy", *"abc" * 10, "a"]
    kept, weights = repeats.fold(keys, [True] * len(keys))
    assert [keys[at] for at in kept] == [*"xy", *"abc" * 4, "a"]
    assert sum(weights) == len(keys)


@given(st.lists(st.sampled_from("abc"), max_size=80))
@settings(max_examples=300, deadline=None)
def test_folding_loses_no_line(keys: list[str]) -> None:
    kept, weights = repeats.fold(keys, [True] * len(keys))
    assert kept == sorted(set(kept))
    assert sum(weights) == len(keys)
    assert {keys[at] for at in kept} == set(keys)
    for at, weight in zip(kept, weights, strict=True):
        assert weight == 1 or keys.count(keys[at]) >= weight


@pytest.mark.parametrize("ranks", [1, 3, 16])
@pytest.mark.parametrize("skipped", range(len(TRACE)))
def test_a_storm_is_counted_as_if_all_of_it_were_read(scanner: Scanner, ranks: int, skipped: int) -> None:
    chooser = random.Random(ranks + skipped)
    queues = [
        [f"[rank{rank}]: {line}" for line in ["step 3 loss 0.25", *TRACE] * 40][skipped:] for rank in range(ranks)
    ]
    mixed: list[str] = []
    while any(queues):
        mixed.append(chooser.choice([queue for queue in queues if queue]).pop(0))
    data = "\n".join(mixed).encode()
    assert scanner.scan(data, "x.log") == unfolded(scanner, data)


@given(st.sampled_from(sorted(TEXTS)), st.integers(1, 30), st.booleans())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_layout_many_times(scanner: Scanner, name: str, times: int, timed: bool) -> None:
    text = (TEXTS[name] + "\nretrying\n") * times
    if timed:
        text = "".join(f"2026-11-30 10:00:{n % 60:02} {line}\n" for n, line in enumerate(text.split("\n")))

    def told(found: list[Incident]) -> list[object]:
        return [(i.record, i.span, i.user_frame, i.count, i.ranks, i.captures) for i in found]

    assert told(scanner.scan(text.encode(), "x.log")) == told(unfolded(scanner, text.encode()))


def test_other_places_in_a_storm_are_found(scanner: Scanner) -> None:
    lines = TRACE * 300
    lines[4 * 150 + 1] = lines[1].replace("61", "7")
    found = scanner.scan("\n".join(lines).encode(), "x.log")
    assert [(i.user_frame.line, i.count) for i in found if i.user_frame] == [(61, 299), (7, 1)]


def test_a_recursion_keeps_its_frames(scanner: Scanner) -> None:
    frame = '  File "/job/net.py", line 9, in forward\n    return self.inner(x)\n'
    text = f"{TRACE[0]}\n{frame * 200}{TRACE[3]}\n"
    (incident,) = scanner.scan(text.encode(), "x.log")
    assert len(incident.frames) == 200


def test_storms_cost_little(scanner: Scanner) -> None:
    storm = ("\n".join(TRACE) + "\n").encode() * 5_000
    start = time.process_time()
    (incident,) = scanner.scan(storm, "x.log")
    # A block that is full ends within a traceback, and the message then counts as the next one's.
    assert 4_990 <= incident.count <= 5_000
    # 20,000 lines; 0.25 s where this was written. Reading every repetition took six times as long.
    assert time.process_time() - start < 1.5
