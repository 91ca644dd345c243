"""A signature made ready for scanning: with its record, its place in it, and the words that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from detour_lsp.knowledge.words import Word

if TYPE_CHECKING:
    from detour_lsp.knowledge.record import Level, Record, Tier

#: Words seen more often than about 20 times a MB of healthy log would set the speed for everybody else.
RAREST_COMMON = 15.7
#: The same for words in any case: those of foreign records are plain words of seven letters and less, part of others.
RAREST_COMMON_IGNORING_CASE = 18.1


#: A word must be this rare to stand in for longer ones: each line that holds it is tried for all their regexes.
WORTH_SHARING = 23.0


@dataclass(frozen=True, slots=True)
class Pattern:
    """One signature of one record, ready to be looked for."""

    record: str
    #: Index into `signatures_of(record)`.
    signature: int
    regex: str
    level: Level
    #: Every match contains one of these; empty when nothing is known, then the pattern is never looked for in logs.
    literals: tuple[str, ...]
    ignore_case: bool = False
    #: Whether the words are so ordinary that the pattern is only tried on short texts that somebody asks about.
    common: bool = False
    #: Of the record, so that a scan does not have to decode it.
    tier: Tier = "ai_generated"
    outranks: tuple[str, ...] = ()


def pattern_of(record: Record, index: int, regex: str, level: Level) -> Pattern:
    """Derive the words of one signature of a record; raises `re.error` for a regex that cannot be read."""
    # Only when knowledge is compiled: a start from the cache has the words already.
    from detour_lsp.knowledge.literals import anchor_of

    anchor = anchor_of(regex)
    return Pattern(
        record.id,
        index,
        regex,
        level,
        anchor.literals if anchor else (),
        anchor.ignore_case if anchor else False,
        anchor is None or anchor.rarity < (RAREST_COMMON_IGNORING_CASE if anchor.ignore_case else RAREST_COMMON),
        record.verification_tier,
        record.outranks,
    )


def with_shared_words(patterns: Sequence[Pattern]) -> list[Pattern]:
    """The patterns with fewer different words: where a word holds another pattern's word, that one does for both.

    Fewer words are found faster, and a line that holds the longer word would be looked at anyway.
    """
    from detour_lsp.knowledge.rarity import bits_of_text

    all_words = {
        (literal, item.ignore_case)
        for item in patterns
        if not item.common
        for literal in item.literals
        if bits_of_text(literal) >= WORTH_SHARING
    }
    lengths = sorted({len(literal) for literal, _ in all_words})

    def shared(literal: str, ignore_case: bool) -> str:
        for length in lengths:
            if length >= len(literal):
                return literal
            for start in range(len(literal) - length + 1):
                if (literal[start : start + length], ignore_case) in all_words:
                    return literal[start : start + length]
        return literal

    return [
        item
        if item.common
        else replace(item, literals=tuple(sorted({shared(text, item.ignore_case) for text in item.literals})))
        for item in patterns
    ]


#: Signs that something is reported, rare in healthy logs. A line with one is looked at although it holds no word: a
#: console or a web page may have cut the message at its right border, in the middle of its words. Warnings are no sign:
#: healthy logs hold one every few pages, and 1 GB of them took 26 s of CPU time instead of one (`bench/`).
SIGNS = (
    b"Traceback (most recent call", b"RuntimeError: ", b"torch._dynamo", b"TORCH_LOGS=", b"TORCHDYNAMO_",
    b"[__recompiles]", b"[__graph_breaks]",
)  # fmt: skip


def words_of(patterns: Sequence[Pattern], *, common: bool = False) -> tuple[list[Word], list[tuple[int, ...]]]:
    """The distinct words of the patterns and the signs, and for each the indexes of the patterns that need it."""
    users: dict[Word, list[int]] = {}
    for index, pattern in enumerate(patterns):
        if pattern.common and not common:
            continue
        for literal in pattern.literals:
            users.setdefault(Word(literal.encode("utf-8"), pattern.ignore_case), []).append(index)
    for sign in SIGNS if users else ():
        users.setdefault(Word(sign), [])
    return list(users), [tuple(indexes) for indexes in users.values()]
