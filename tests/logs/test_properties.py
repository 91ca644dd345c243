"""What must not change the incidents of a text: how it is cut, what stands before each line, colours, other ranks."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.logs.samples import NAMES, PREFIXES, TEXTS

from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner

RELAXED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
names = st.sampled_from(NAMES)


def essence(incident: Incident) -> tuple[str, str, int]:
    frame = incident.user_frame
    return incident.record, frame.file if frame else "", frame.line if frame else 0


def split(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


@given(names, st.data())
@RELAXED
def test_cut_anywhere(scanner: Scanner, name: str, data: st.DataObject) -> None:
    raw = ("epoch 1 done\n" * 5 + TEXTS[name] + "\r 5%|#  | ünïcode \x1b[32mok\x1b[0m\n" * 3).encode()
    whole = scanner.scan(raw, "x.log")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=12)))
    stream = scanner.stream("x.log")
    told: dict[str, Incident] = {}
    for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True):
        told |= {incident.fingerprint: incident for incident in stream.feed(raw[start:end])}
    told |= {incident.fingerprint: incident for incident in stream.close()}
    assert stream.incidents() == whole
    assert sorted(told) == sorted(incident.fingerprint for incident in whole)
    assert [told[incident.fingerprint] for incident in whole] == whole


def test_byte_by_byte(scanner: Scanner) -> None:
    raw = TEXTS["group-3.12"].encode()
    stream = scanner.stream("x.log")
    for byte in raw:
        stream.feed(bytes([byte]))
    stream.close()
    assert stream.incidents() == scanner.scan(raw, "x.log")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefix_before_every_line(scanner: Scanner, prefix: str) -> None:
    for name, text in TEXTS.items():
        expected = Counter(map(essence, scanner.scan(text.encode(), "x.log")))
        prefixed = "".join(f"{PREFIXES[prefix](n)}{line}\n" for n, line in enumerate(split(text)))
        assert Counter(map(essence, scanner.scan(prefixed.encode(), "x.log"))) == expected, name


@given(names, st.sampled_from(sorted(PREFIXES)), st.sampled_from(sorted(PREFIXES)))
@RELAXED
def test_two_prefixes_stacked(scanner: Scanner, name: str, outer: str, inner: str) -> None:
    # A mark that is not one wherever it stands (a lone word or bar within a line) cannot be told from the text.
    if (
        inner in ("mail", "bar", "indented", "word", "host", "compose", "line number", "unheard of", "pod")
        or outer == inner
    ):
        return
    lines = split(TEXTS[name])
    prefixed = "".join(f"{PREFIXES[outer](n)}{PREFIXES[inner](n)}{line}\n" for n, line in enumerate(lines))
    expected = Counter(map(essence, scanner.scan(TEXTS[name].encode(), "x.log")))
    assert Counter(map(essence, scanner.scan(prefixed.encode(), "x.log"))) == expected


@pytest.mark.parametrize("name", NAMES)
def test_coloured(scanner: Scanner, name: str) -> None:
    text = TEXTS[name]
    if "\x1b" not in text:
        text = re.sub(r'("[^"\n]*")|\b\w+Error\b|(?<=line )\d+', lambda m: f"\x1b[1;35m{m[0]}\x1b[0m", text)
    text = "\n".join(f"\x1b[31m{line}\x1b[0m\x1b[K" for line in text.split("\n"))
    text = "\x1b]133;C\x07\x1b]0;title\x1b\\" + text.replace("File ", "\x1b]8;;file:///x\x07File \x1b]8;;\x07", 1)
    expected = Counter(map(essence, scanner.scan(TEXTS[name].encode(), "x.log")))
    assert Counter(map(essence, scanner.scan(text.encode(), "x.log"))) == expected


@given(names, names, st.integers(0, 2**32))
@RELAXED
def test_two_ranks_interleaved(scanner: Scanner, first: str, second: str, seed: int) -> None:
    chooser = random.Random(seed)
    queues = [[f"[rank{rank}]: {line}" for line in split(TEXTS[name])] for rank, name in enumerate((first, second))]
    mixed: list[str] = []
    while any(queues):
        mixed.append(chooser.choice([queue for queue in queues if queue]).pop(0))
    found = scanner.scan("\n".join(mixed).encode(), "x.log")
    expected = {essence(i) for name in (first, second) for i in scanner.scan(TEXTS[name].encode(), "x.log")}
    assert {essence(incident) for incident in found} == expected
    if first == second:
        assert all(incident.ranks == (0, 1) for incident in found)


@given(names, names)
@RELAXED
def test_one_after_the_other(scanner: Scanner, first: str, second: str) -> None:
    text = TEXTS[first] + "\n" + "step 7 loss 0.31\n" * 40 + TEXTS[second]
    expected = {essence(i) for name in (first, second) for i in scanner.scan(TEXTS[name].encode(), "x.log")}
    assert {essence(incident) for incident in scanner.scan(text.encode(), "x.log")} == expected


@given(names, st.integers(1, 3000))
@RELAXED
def test_columns_lead_back_to_the_words(scanner: Scanner, name: str, padding: int) -> None:
    text = "x" * 10 + "\n" * padding + "\x1b[35m" + TEXTS[name].replace("\n", "\x1b[0m\n\x1b[35m")
    lines = text.split("\n")
    for incident in scanner.scan(text.encode(), "x.log"):
        if incident.record != "t/oom":
            continue
        shown = lines[incident.span.line - 1][incident.span.column - 1 :]
        assert shown.startswith("CUDA out of memory. Tried")


@given(st.binary(max_size=400), st.integers(0, 400))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_survived(scanner: Scanner, noise: bytes, cut: int) -> None:
    raw = noise[:cut] + b"\n" + TEXTS["plain-3.12"].encode() + noise[cut:]
    scanner.scan(raw, "x.log")
    scanner.scan(noise + b"CUDA out of memory. Tried to allocate 1 GiB" + noise, "x.log")
