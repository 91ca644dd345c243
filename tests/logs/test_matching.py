"""The engine finds every line that a regex could match in, raw or noisy, with hyperscan and without."""

import re
import time

import pytest
import regex as regex_module
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.logs.conftest import make_record

from detour_lsp.knowledge import words as words_module
from detour_lsp.knowledge.pattern import Pattern, pattern_of, words_of
from detour_lsp.knowledge.words import HyperscanFinder, PlainFinder, Word
from detour_lsp.logs.matching import Matcher
from detour_lsp.logs.noise import noisy_places, without_noise

REGEXES = [
    r"CUDA out of memory\. Tried to allocate (?P<size>[\d.]+ [GM]iB)",
    r"(?i)Device-Side Assert(?P<decisive> triggered)?",
    r"config\.recompile_limit \((?P<limit>\d+)\)\n[^\n]*function: '(?P<name>\w+)'",
    r"cudaErrorAssert|CUBLAS_STATUS_\w+",
    r"größer als fluxonator",
]


def patterns(regexes: list[str]) -> list[Pattern]:
    records = [make_record(f"test/r{index}", (regex, "error")) for index, regex in enumerate(regexes)]
    return [pattern_of(record, 0, record.regex, "error") for record in records]


@pytest.fixture
def matcher() -> Matcher:
    return Matcher(patterns(REGEXES))


def lines_found(matcher: Matcher, data: bytes) -> list[tuple[bytes, tuple[int, ...]]]:
    return [(data[item.start : item.end], item.signature_indexes) for item in matcher.candidates(data)]


def test_candidates_are_whole_lines_with_their_signatures(matcher: Matcher) -> None:
    data = (
        b"fine\n[rank1]: CUDA out of memory. Tried to allocate 2.00 GiB\nfine\nDEVICE-SIDE assert and cudaErrorAssert"
    )
    assert lines_found(matcher, data) == [
        (b"[rank1]: CUDA out of memory. Tried to allocate 2.00 GiB", (0,)),
        (b"DEVICE-SIDE assert and cudaErrorAssert", (1, 3)),
    ]


def test_nothing_found_in_nothing(matcher: Matcher) -> None:
    assert matcher.candidates(b"") == []
    assert matcher.candidates(b"\n\n") == []


@pytest.mark.parametrize(
    "line",
    [
        b"CUDA out of mem\x1b[31mory.\x1b[0m Tried to allocate 2.00 GiB",
        b"CUDA out of mem\x1b]8;;file://x\x1b\\ory. Tri\x1b(Bed to allocate 2.00 GiB",
        b"CUDA out of mem\x1b]0;title\x07ory. Tried to allocate 2.00 GiB",
        b"CUDA\x1b[1Cout of memory.\x1b[1CTried to allocate 2.00 GiB",
        b"C\0U\0DA out of me\0mory. Tr\0ied to allocate 2.00 GiB",
        b"CUDA out of memoxx\x08\x08ry. Tried to allocate 2.00 GiB",
        b"CUDA out of mem\xc2\x9b1mory. Tried to allocate 2.00 GiB",
        b"CUDA out of&nbsp;memory.&#32;Tried to all&#x6f;cate 2.00 GiB &amp; more",
    ],
)
def test_words_are_seen_through_noise(matcher: Matcher, line: bytes) -> None:
    data = b"one\r\n\x1b[32mtwo\x1b[0m\n" + line + b"\nlast\n"
    assert lines_found(matcher, data) == [(line, (0,))]


@given(
    st.lists(
        st.sampled_from(
            [
                b"\x1b[0m",
                b"\x1b[1;31m",
                b"\n",
                b"\r",
                b"x",
                b"\x08",
                b"\0",
                b"\x1b",
                b"\x1b]",
                b"\x07",
                b"\xc2\x9b",
                b"cudaErrorAssert",
                b"fluxonator",
                "größer als ".encode(),
                b"3C",
                b"m",
            ]
        ),
        max_size=60,
    )
)
@settings(max_examples=300, deadline=None)
def test_noise_removal_keeps_lines_apart(parts: list[bytes]) -> None:
    data = b"".join(parts)
    cleaned = without_noise(data)
    assert cleaned.count(b"\n") == data.count(b"\n")
    matcher = Matcher(patterns(REGEXES))
    for candidate in matcher.candidates(data):
        assert b"\n" not in data[candidate.start : candidate.end]
        assert candidate.start == 0 or data[candidate.start - 1 : candidate.start] == b"\n"
        assert candidate.end == len(data) or data[candidate.end : candidate.end + 1] == b"\n"
    if b"\x1b" not in data and not noisy_places(data):
        assert cleaned == data
        wanted = {line for line in data.split(b"\n") if b"cudaErrorAssert" in line}
        assert wanted <= {line for line, _ in lines_found(matcher, data)}


def test_a_storm_of_backspaces_costs_no_quadratic_time() -> None:
    data = b"x" * 300_000 + b"\x08" * 300_000 + b"\n"
    start = time.process_time()
    without_noise(data)
    assert time.process_time() - start < 5


def test_confirmed_in_text_with_groups_and_place(matcher: Matcher) -> None:
    text = "head\nhit config.recompile_limit (8)\n   function: 'forward'\nCUDA device-side assert triggered"
    found = matcher.confirm(text, range(len(REGEXES)))
    assert [(match.signature, text[match.start : match.end].split("\n")[0], dict(match.groups)) for match in found] == [
        (2, "config.recompile_limit (8)", {"limit": "8", "name": "forward"}),
        (1, "device-side assert triggered", {}),
    ]
    assert text[found[1].at :] == " triggered"


def test_case_counts_unless_the_regex_says_otherwise(matcher: Matcher) -> None:
    assert matcher.candidates(b"cuda OUT OF MEMORY. tried to allocate 2.00 GiB") == []
    assert len(matcher.candidates(b"DEVICE-side ASSERT")) == 1


def test_a_regex_that_explodes_is_switched_off_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("detour_lsp.logs.matching.SLOWEST_SECONDS", 0.05)
    matcher = Matcher(patterns([r"fluxonator (?:a|aa|a.)+(?:a|aa|b?a)+$", "xyzzyplugh"]))
    text = "fluxonator " + "a" * 60 + "!\nxyzzyplugh"
    start = time.process_time()
    assert [match.signature for match in matcher.confirm(text, [0, 1])] == [1]
    assert time.process_time() - start < 5
    assert "0.05 s" in matcher.switched_off[0]
    start = time.process_time()
    matcher.confirm(text, [0, 1])
    assert time.process_time() - start < 0.04


def test_a_regex_that_does_not_compile_is_switched_off() -> None:
    matcher = Matcher([Pattern("test/bad", 0, "(fluxonator", "error", ("fluxonator",))])
    assert matcher.confirm("fluxonator", [0]) == []
    assert "not a valid regex" in matcher.switched_off[0]


def test_common_words_are_left_out_unless_asked_for() -> None:
    common = patterns([r"loss\s*[:=]\s*nan"])
    assert common[0].common
    assert Matcher(common).candidates(b"loss: nan") == []
    assert len(Matcher(common, common=True).candidates(b"loss: nan")) == 1


_WORDS = [
    Word(b"flux"),
    Word(b"UXON"),
    Word(b"device-side", ignore_case=True),
    Word(b"ss:"),
    Word(b"ssss"),
    Word("größe".encode()),
]


@given(
    st.lists(
        st.sampled_from(
            [b"flux", b"UXON", b"fLUXon", b"DEVICE-", b"side", b"s", b"ss:", b"\n", b"\xff", "größe".encode(), b" "]
        ),
        max_size=50,
    )
)
@settings(max_examples=300, deadline=None)
def test_hyperscan_and_the_plain_search_agree(parts: list[bytes]) -> None:
    data = b"".join(parts)
    fast = HyperscanFinder.compile(_WORDS)
    assert sorted(fast.find(data)) == sorted(PlainFinder(_WORDS).find(data))
    assert sorted(HyperscanFinder.load(_WORDS, fast.serialise()).find(data)) == sorted(fast.find(data))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_no_match_of_any_regex_is_missed(data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(REGEXES) - 1))
    matched = data.draw(st.from_regex(re.compile(REGEXES[index], re.MULTILINE)))
    text = (
        "healthy line\n"
        + matched.replace("\x1b", "").replace("\x08", "").replace("\0", "").replace("\x9b", "")
        + "\nhealthy"
    )
    raw = text.encode("utf-8", "surrogatepass")
    hits = [match.start() for match in regex_module.finditer(REGEXES[index], text, regex_module.MULTILINE)]
    matcher = Matcher(patterns(REGEXES))
    candidates = matcher.candidates(raw)
    if hits:
        assert any(index in candidate.signature_indexes for candidate in candidates)


def test_without_hyperscan_the_same_engine_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"a\nCUDA out of memory. Tried to allocate 2.00 GiB\nDevice-side ASSERT triggered\n"
    fast = Matcher(patterns(REGEXES)).candidates(data)
    monkeypatch.setattr(words_module, "_hyperscan", lambda: None)
    assert "plain search" in words_module.engine()
    finder = words_module.build(words_of(patterns(REGEXES))[0])
    assert isinstance(finder, PlainFinder)
    assert Matcher(patterns(REGEXES), finder).candidates(data) == fast
    assert len(fast) == 2


def test_threads_may_share_a_matcher(matcher: Matcher) -> None:
    from concurrent.futures import ThreadPoolExecutor

    data = (b"x" * 1000 + b"\n") * 2000 + b"cudaErrorAssert\n"
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: lines_found(matcher, data), range(32)))
    assert all(result == [(b"cudaErrorAssert", (3,))] for result in results)


_COLOURS = st.sampled_from(
    [b"\x1b[0m", b"\x1b[1;31m", b"\x1b[38;5;9m\x1b[1m", b"\x1b[K", b"\x1b]8;;x\x1b\\", b"\x1b(B"]
)


@given(
    word=st.sampled_from([b"CUDA out of memory. Tried to allocate 2 GiB", b"cudaErrorAssert", b"DEVICE-side assert"]),
    breaks=st.dictionaries(st.integers(0, 40), _COLOURS, min_size=1, max_size=6),
    before=st.sampled_from([b"", b"x", b"INFO\x1b[0m ", b"\x1b[32m"]),
)
@settings(max_examples=400, deadline=None)
@example(word=b"cudaErrorAssert", breaks={1: b"\x1b[0m", 2: b"\x1b[0m"}, before=b"")
@example(word=b"cudaErrorAssert", breaks={1: b"\x1b[K", 3: b"\x1b[0m"}, before=b"")
@example(word=b"cudaErrorAssert", breaks={1: b"\x1b[0m\x1b[1m"}, before=b"")
@example(word=b"cudaErrorAssert", breaks={1: b"\x1b[0m", 2: b"\x1b[0m", 3: b"\x1b[0m", 4: b"\x1b[0m"}, before=b"x")
def test_colours_anywhere_hide_nothing(word: bytes, breaks: dict[int, bytes], before: bytes) -> None:
    coloured = b"".join(breaks.get(at, b"") + word[at : at + 1] for at in range(len(word)))
    data = b"healthy \x1b[32mline\x1b[0m\n" * 50 + before + coloured + b"\nhealthy\n"
    (candidate,) = Matcher(patterns(REGEXES)).candidates(data)
    assert data[candidate.start : candidate.end] == before + coloured


@pytest.mark.parametrize("word", [b"cudaErrorAssert", b"CUDA out of memory. Tried"])
def test_coloured_letter_by_letter(word: bytes) -> None:
    rainbow = b"".join(b"\x1b[38;5;%dm%c" % (30 + at, letter) for at, letter in enumerate(word)) + b"\x1b[0m\n"
    data = rainbow.replace(b"E", b"F").replace(b"y", b"i") * 100 + rainbow
    (candidate,) = Matcher(patterns(REGEXES)).candidates(data)
    assert candidate.start == 100 * len(rainbow)
