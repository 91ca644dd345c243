"""Which selectors can match in a file at all, from one pass over its bytes.

A selector names a function, a setting or a variable; a file that does not contain the last part of that name, as a
whole word, together with the package it belongs to and the keywords it asks for, cannot match. Most files contain none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.knowledge.words import Word, WordFinder, build
from detour_lsp.source.candidates import Source, possible
from detour_lsp.source.selectors import head_of, words_of
from detour_lsp.source.spellings import names_of

#: A method of an unknown object is torch's only in files that use torch or something built on it.
_LIBRARIES = ("torch", "lightning", "pytorch_lightning", "accelerate", "transformers", "timm")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Triggers:
    """The words of a list of selectors."""

    def __init__(self, selectors: Sequence[Clause]) -> None:
        self._selectors = selectors
        #: For each selector: alternatives, each of a word and the words one of which must be there too.
        self._needs = [_needs(selector) for selector in selectors]
        #: For each selector: words that must all be there besides.
        self._besides = [tuple(dict.fromkeys(_besides(selector))) for selector in selectors]
        every = {word for needs in self._needs for word, others in needs for word in (word, *others)}
        every.update(word for words in self._besides for word in words)
        self._words = sorted(every)
        self._finder: WordFinder | None = None

    def active(self, data: bytes) -> list[int]:
        """Indexes of the selectors that may match in the file."""
        hits = self._hits(data)
        if not hits:
            return []
        found = [
            index
            for index, needs in enumerate(self._needs)
            if any(word in hits and (not others or any(other in hits for other in others)) for word, others in needs)
            and all(word in hits for word in self._besides[index])
        ]
        return possible(Source(data), self._selectors, found, hits, self._needs) if found else []

    def words(self, active: Sequence[int]) -> set[str]:
        """The words around which these selectors look."""
        return {word for index in active for word, _ in self._needs[index]}

    def _hits(self, data: bytes) -> dict[str, list[int]]:
        """Where each word that is in the file ends."""
        if self._finder is None:
            self._finder = build([Word(word.encode()) for word in self._words])
        found: dict[str, list[int]] = {}
        size = len(data)
        for index, end in self._finder.find(data):
            word = self._words[index]
            start = end - len(word)
            if start > 0 and data[start - 1] in _WORD_BYTES:
                continue
            if end < size and data[end] in _WORD_BYTES:
                continue
            found.setdefault(word, []).append(end)
        return found


def _needs(selector: Clause) -> list[tuple[str, tuple[str, ...]]]:
    head = head_of(selector)
    if head == "env":
        return [(word, ("environ", "putenv")) for word in words_of(selector)]
    needs: list[tuple[str, tuple[str, ...]]] = []
    for name in names_of(selector.get(head)):
        root, _, _ = name.partition(".")
        needs.append((name.rpartition(".")[2], (root,) if root else _LIBRARIES))
    return needs


def _besides(selector: Clause) -> Iterator[str]:
    """Names that a match must write somewhere in the file: its keywords, and the functions that made its objects."""
    keywords = cast("Mapping[str, Any]", selector.get("keyword", {}))
    yield from (name for name in keywords if name.isidentifier())
    predicates: list[object] = [*keywords.values(), *cast("Mapping[str, Any]", selector.get("position", {})).values()]
    predicates += [selector.get("receiver"), selector.get("value")]
    for predicate in predicates:
        names = names_of(cast("Mapping[str, Any]", predicate).get("call", ())) if isinstance(predicate, Mapping) else ()
        if len(names) == 1 and names[0].rpartition(".")[2].isidentifier():
            yield names[0].rpartition(".")[2]
    bases = names_of(selector.get("inside_class", ()))
    if len(bases) == 1:
        yield bases[0].rpartition(".")[2]
