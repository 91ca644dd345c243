"""Without hyperscan scanning is slower and nothing else: the same incidents from both engines, on anything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.logs.samples import TEXTS

from detour_lsp.knowledge import words
from detour_lsp.knowledge.compiled import CompiledKnowledge, compile_knowledge, open_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.knowledge.pattern import words_of
from detour_lsp.logs.matching import Matcher
from detour_lsp.logs.reading import BlockReader
from detour_lsp.logs.scan import Scanner


def scanner_with(knowledge: CompiledKnowledge, finder: words.WordFinder) -> Scanner:
    scanner = Scanner(knowledge)
    scanner.matcher = Matcher(knowledge.signatures, finder)
    scanner.reader = BlockReader(scanner.matcher)
    return scanner


@pytest.fixture(scope="module")
def scanners() -> tuple[Scanner, Scanner]:
    knowledge = compile_knowledge(load())
    needed = words_of(knowledge.signatures)[0]
    fast = words.HyperscanFinder.compile(needed)
    return scanner_with(knowledge, fast), scanner_with(knowledge, words.PlainFinder(needed))


@pytest.mark.parametrize("name", TEXTS)
def test_every_layout(scanners: tuple[Scanner, Scanner], name: str) -> None:
    fast, plain = scanners
    data = TEXTS[name].encode()
    assert fast.scan(data, name) == plain.scan(data, name)


def test_every_example_of_every_record(scanners: tuple[Scanner, Scanner]) -> None:
    fast, plain = scanners
    missing: list[str] = []
    for record in load().records.values():
        for signature in record.signatures:
            data = f"healthy\n\x1b[31m{signature.example}\x1b[0m\nhealthy\n".encode()
            found = fast.scan(data, "log")
            assert found == plain.scan(data, "log")
            if not found:
                missing.append(record.id)
    # Not every example is an incident by itself (some are notes), nearly all are.
    assert len(missing) < 20, missing


_COLOURS = st.sampled_from(
    [b"\x1b[0m", b"\x1b[1;31m", b"\x1b[K", b"\0", b"\x08", b"\r", b"\n", b"\x1b]8;;x\x07", b"\xff"]
)


@given(name=st.sampled_from(sorted(TEXTS)), cuts=st.lists(st.tuples(st.integers(0, 5_000), _COLOURS), max_size=25))
@settings(max_examples=60, deadline=None)
def test_noise_anywhere(scanners: tuple[Scanner, Scanner], name: str, cuts: list[tuple[int, bytes]]) -> None:
    fast, plain = scanners
    data = bytearray(TEXTS[name].encode())
    for at, noise in cuts:
        data[at % (len(data) + 1) : at % (len(data) + 1)] = noise
    assert fast.scan(bytes(data), name) == plain.scan(bytes(data), name)


def test_a_machine_without_hyperscan_scans_from_the_same_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"x" * 30_000 + b"\n" + TEXTS["anomaly"].encode()
    wanted = Scanner(open_knowledge()).scan(data, "log")
    monkeypatch.setattr(words, "_hyperscan", lambda: None)
    assert Scanner(open_knowledge()).scan(data, "log") == wanted


def test_an_escape_is_suspected_only_where_the_word_goes_on_behind_it() -> None:
    finder = words.HyperscanFinder.compile([words.Word(b"out of memory"), words.Word(b"Killed", ignore_case=True)])
    healthy = b"\x1b[1mout\x1b[0m| epoch 3 out \x1b[31m7\x1b[0m kill\x1b[0m\x1b[1m.\n"
    assert finder.find_broken(healthy) == ([], [])
    for broken in (
        b"out \x1b[31mof memory",
        b"out\x1b[0m\x1b[1m of memory",
        b"out o\x1b]8;;x\x07f memory",
        b"KI\x1b[KLLED",
    ):
        assert set(finder.find_broken(broken)[1]) == {broken.index(b"\x1b")}, broken
    assert finder.find_broken(b"x out of memory\x1b[0m")[0] == [(0, 15)]


def test_databases_from_damaged_bytes_are_built_again() -> None:
    needed = [words.Word(b"out of memory")]
    whole = words.serialise(words.HyperscanFinder.compile(needed))
    for damaged in (b"x", whole[:40], whole[: len(whole) // 2], b"\0" * 64):
        finder = words.restore(needed, damaged)
        assert finder.find(b"." * 30_000 + b"out of memory") == [(0, 30_013)]
