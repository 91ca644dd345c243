"""The words that stand for a regex: every match must hold one, whatever the regex is made of."""

import re

import pytest
import regex as regex_module
from hypothesis import given, settings
from hypothesis import strategies as st

from detour_lsp.knowledge.literals import SHORTEST, anchor_of, required_literals
from detour_lsp.knowledge.rarity import bits_of_set, bits_of_text


@pytest.mark.parametrize(
    ("regex", "words"),
    [
        (r"CUDA out of memory\. Tried", {"out of memory."}),
        (r"device-side assert(?:ion)? triggered", {"device-side assert"}),
        (r"(?:torch\.(?:cuda\.)?)?OutOfMemoryError: x\d", {"OutOfMemoryError:"}),
        (r"cudaErrorAssert|\bdevice-side assert\b", {"cudaErrorAssert", "device-side assert"}),
        (r"(?i)ZeroPointer Fluxcapacitor", {"fluxcapacitor", "zeropointer"}),
        (r"\d+ wrong\nnextlinewords \w+", {"nextlinewords"}),
        (r"(?P<a>fluxone)|(?P<b>fluxtwo)", {"fluxone", "fluxtwo"}),
        (r"flux{2}onator", {"fluxxonator"}),
        (r"[Ff]luxon[ae]tor", {"Fluxonator", "Fluxonetor", "fluxonator", "fluxonetor"}),
        (r"(?=lookahead)fluxonator(?!never)", {"fluxonator"}),
        # Only the module `regex` knows these; the words around them are found all the same.
        (r"\p{Lu}+fluxonator++(?>xyzzyplugh)\d", {"xyzzyplugh"}),
        (r"(?P<n>fluxonator)|(?P<n>xyzzyplugh)", {"fluxonator", "xyzzyplugh"}),
        (r"[[:alpha:]]fluxonator\h+", {"fluxonator"}),
    ],
)
def test_words(regex: str, words: set[str]) -> None:
    found = required_literals(regex)
    assert found is not None
    if regex.startswith("(?i)"):
        assert set(found) <= {*words, "zeropointer fluxcapacitor"}
    else:
        assert set(found) == words


@pytest.mark.parametrize(
    "regex", [r"\d+\.\d+", r"6\.4", r".*", r"(?:fluxonator)?", r"(fluxonator|\d+)", r"[a-z]{9}", "abc", ""]
)
def test_none_where_a_match_may_hold_no_word(regex: str) -> None:
    assert required_literals(regex) is None


def test_a_word_is_never_cut_across_lines() -> None:
    words = required_literals("fluxonator\nxyzzyplughs") or ()
    assert words
    assert not any("\n" in word for word in words)


def test_an_invalid_regex_is_an_error_and_not_a_guess() -> None:
    with pytest.raises(re.error):
        anchor_of("(unclosed fluxonator")


def test_rare_words_are_preferred_to_long_ones() -> None:
    assert required_literals(r"site-packages/torch/nn/modules \w+ xyzzyplugh") == ("xyzzyplugh",)
    assert bits_of_text("connection") < bits_of_text("recompile_limit")
    assert bits_of_set(["loss", "xyzzyplugh"]) <= bits_of_text("loss")


_PIECES = st.sampled_from(
    ["flux", "CUDA error", r"\d+", r"(?:one|three)", r"x?", r"(?:assert)+", r"[abc]", r"\s", "memory", r"(?:pip){2}",
     r"(?P<q>quux)?", r"(?:a|bc|)", r"[^\n]{0,5}", r"\b", r"(?=.)", r"(?:deep (?:er|est) )?", "e+"]
)  # fmt: skip
_REGEXES = st.lists(_PIECES, min_size=1, max_size=7).map("".join).filter(lambda text: text.count("(?P<q>") < 2)


@settings(max_examples=300, deadline=None)
@given(data=st.data(), regex=_REGEXES, ignore_case=st.booleans())
def test_every_match_holds_a_word(data: st.DataObject, regex: str, ignore_case: bool) -> None:
    regex = "(?i)" * ignore_case + regex
    anchor = anchor_of(regex)
    if anchor is None:
        return
    assert min(map(len, anchor.literals)) >= SHORTEST
    text = data.draw(st.from_regex(re.compile(regex, re.MULTILINE)))
    for match in regex_module.finditer(regex, text, regex_module.MULTILINE):
        matched = match.group().lower() if anchor.ignore_case else match.group()
        assert any(word in matched for word in anchor.literals)
