"""Finds what a process printed over and over, so that a storm of one error is read four times and not ten thousand.

Only repetitions in a row count, of one line or of a whole traceback with what stands between two of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from detour_lsp.logs.later import later

#: So many repetitions are read: the first and what still has to do with it, one that stands for many, and the last.
KEPT = 4
#: What repeats has at most so many lines.
LONGEST = 400
#: Shorter texts are read as they are.
WORTHWHILE = 40

_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
#: In lines with one of these the numbers say where or who, and are no mere measurements.
_TELLING = later("line |\\.py|ank|In ?\\[|->|pid|\u2502|\u2771".encode())


@dataclass(frozen=True, slots=True)
class Run:
    """`times` repetitions of `period` lines from `start` on."""

    start: int
    period: int
    times: int

    @property
    def end(self) -> int:
        """The first line behind it."""
        return self.start + self.period * self.times


def key_of(line: str) -> bytes:
    """What lines have in common that say the same: all but measurements."""
    text = line.encode("utf-8", "replace")
    return text if _TELLING.search(text) else text.translate(_DIGITS)


def runs(keys: Sequence[Hashable], whole: Sequence[bool]) -> list[Run]:
    """The repetitions worth folding, in order, none within another.

    What repeats must hold a line that is `whole`: the frames of a recursion are one traceback, not many.
    """
    numbers: dict[Hashable, int] = {}
    lines = [numbers.setdefault(key, len(numbers)) for key in keys]
    found: list[Run] = []
    if len(numbers) == len(lines):
        return found
    last_seen: dict[int, int] = {}
    index = 0
    while index < len(lines):
        line = lines[index]
        before = last_seen.get(line, -1)
        last_seen[line] = index
        period = index - before
        if before >= 0 and period <= LONGEST and lines[before:index] == lines[index : index + period]:
            pattern = lines[before:index]
            end = index + period
            while lines[end : end + period] == pattern:
                end += period
            times = (end - before) // period
            if times > KEPT and any(whole[before:index]):
                found.append(Run(before, period, times))
                last_seen.clear()
                index = end
                continue
        index += 1
    return found


def fold(keys: Sequence[Hashable], whole: Sequence[bool]) -> tuple[list[int], list[int]]:
    """The lines to read, and for each how many lines it stands for."""
    kept: list[int] = []
    weights: list[int] = []
    position = 0
    for run in runs(keys, whole):
        # The last repetition is kept, since what follows may go on from it; the one before it stands for the rest.
        third = run.start + 2 * run.period
        for start, end, weight in (
            (position, third, 1),
            (third, third + run.period, run.times - KEPT + 1),
            (run.end - run.period, run.end, 1),
        ):
            kept.extend(range(start, end))
            weights.extend([weight] * (end - start))
        position = run.end
    kept.extend(range(position, len(keys)))
    weights.extend([1] * (len(keys) - position))
    return kept, weights
