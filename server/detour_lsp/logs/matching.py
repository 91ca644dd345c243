"""The one matching engine for files, streams, documents and foreign records.

Two steps. `candidates` reads raw bytes once for the words of all signatures and names the lines that hold one;
`confirm` tries only those signatures' regexes, and only on the cleaned text of the block around such a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from detour_lsp.knowledge.pattern import Pattern, words_of
from detour_lsp.knowledge.words import WordFinder, build, engine
from detour_lsp.logs.noise import noisy_places, without_noise

#: A signature that needs longer than this on one block is switched off for the session. Generous: the clock also runs
#: while the machine is busy with something else.
SLOWEST_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Whole lines of the raw bytes, `data[start:end]` without the last line end, holding a word of these signatures."""

    start: int
    end: int
    signature_indexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A signature found in a cleaned block; offsets are into the block's text."""

    #: Index into the matcher's `patterns`.
    signature: int
    start: int
    end: int
    groups: Mapping[str, str]
    #: Where the incident is placed: the group `decisive` if the regex has one, else `start`.
    at: int


def engine_name() -> str:
    """Which engine looks for words on this machine, for `detour --version --verbose`."""
    return engine()


class Matcher:
    """Looks for the signatures of `patterns`; `finder` is the word database of `words_of(patterns)` if there is one."""

    def __init__(self, patterns: Sequence[Pattern], finder: WordFinder | None = None, *, common: bool = False) -> None:
        self.patterns = patterns
        words, self._users = words_of(patterns, common=common)
        self._finder = finder if finder is not None else build(words)
        self._compiled: dict[int, Any] = {}
        #: Signatures that were too slow or could not be compiled, with the reason.
        self.switched_off: dict[int, str] = {}

    def candidates(self, data: bytes) -> list[Candidate]:
        """The lines of `data` that hold a word, in order; each line at most once."""
        hits, suspects = self._finder.find_broken(data)
        found = _whole_lines(data, hits, self._users)
        suspects += noisy_places(data)
        return self._with_hidden(data, found, suspects) if suspects else found

    def _with_hidden(self, data: bytes, found: list[Candidate], suspects: list[int]) -> list[Candidate]:
        """`found`, and the words in suspected lines that colours and other invisible bytes hide."""
        starts = sorted({data.rfind(b"\n", 0, place) + 1 for place in suspects})
        lines: list[bytes] = []
        for start in starts:
            end = data.find(b"\n", start)
            lines.append(data[start : end + 1] if end >= 0 else data[start:] + b"\n")
        cleaned = without_noise(b"".join(lines))
        by_start = {candidate.start: candidate for candidate in found}
        before = line = 0
        for hidden in _whole_lines(cleaned, self._finder.find(cleaned), self._users):
            line += cleaned.count(b"\n", before, hidden.start)
            before = hidden.start
            start = starts[line]
            seen = by_start.get(start)
            indexes = hidden.signature_indexes
            if seen is not None:
                indexes = tuple(sorted({*indexes, *seen.signature_indexes}))
            end = data.find(b"\n", start)
            by_start[start] = Candidate(start, end if end >= 0 else len(data), indexes)
        return [by_start[start] for start in sorted(by_start)]

    def confirm(self, text: str, signature_indexes: Iterable[int]) -> list[Match]:
        """All matches of these signatures in a cleaned block, in the order of their places."""
        found: list[Match] = []
        for index in signature_indexes:
            if index in self.switched_off:
                continue
            compiled = self._compiled.get(index) or self._compile(index)
            if compiled is None:
                continue
            try:
                for match in compiled.finditer(text, timeout=SLOWEST_SECONDS):
                    groups = {name: value for name, value in match.groupdict().items() if value is not None}
                    at = match.start("decisive") if "decisive" in groups else match.start()
                    groups.pop("decisive", None)
                    found.append(Match(index, match.start(), match.end(), groups, at))
            except TimeoutError:
                self._switch_off(index, f"needs more than {SLOWEST_SECONDS:g} s on a block of {len(text)} characters")
        found.sort(key=lambda match: (match.at, match.signature))
        return found

    def _compile(self, index: int) -> Any:
        # Imported on the first candidate: a log without any never pays for it.
        import regex

        try:
            compiled = regex.compile(self.patterns[index].regex, regex.MULTILINE)
        except regex.error as error:
            self._switch_off(index, f"is not a valid regex: {error}")
            return None
        self._compiled[index] = compiled
        return compiled

    def _switch_off(self, index: int, reason: str) -> None:
        import logging

        self.switched_off[index] = reason
        pattern = self.patterns[index]
        logging.getLogger(__name__).warning(
            "signature %d of %s is switched off for this session: it %s", pattern.signature, pattern.record, reason
        )


def _whole_lines(data: bytes, hits: list[tuple[int, int]], users: Sequence[tuple[int, ...]]) -> list[Candidate]:
    """The lines around hits, with the signatures whose words were hit."""
    if not hits:
        return []
    hits.sort(key=_end)
    found: list[Candidate] = []
    line_start = line_end = -1
    indexes: set[int] = set()
    for word, end in hits:
        if end > line_end:
            if line_end >= 0:
                found.append(Candidate(line_start, line_end, tuple(sorted(indexes))))
                indexes.clear()
            # Words hold no line end, so the byte before `end` is in the line.
            line_start = data.rfind(b"\n", 0, end) + 1
            line_end = data.find(b"\n", end)
            if line_end < 0:
                line_end = len(data)
        indexes.update(users[word])
    found.append(Candidate(line_start, line_end, tuple(sorted(indexes))))
    return found


def _end(hit: tuple[int, int]) -> int:
    return hit[1]
