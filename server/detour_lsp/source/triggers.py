"""Which selectors can match in a file at all, from one pass over its bytes.

A selector names a function, a setting or a variable; a file that does not contain the last part of that name, as a
whole word, together with the package it belongs to cannot match. Most files of most projects contain none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from detour_lsp.knowledge.record import Clause
from detour_lsp.knowledge.words import Word, WordFinder, build
from detour_lsp.source.selectors import head_of, words_of
from detour_lsp.source.spellings import names_of

#: A method of an unknown object is torch's only in files that use torch or something built on it.
_LIBRARIES = ("torch", "lightning", "pytorch_lightning", "accelerate", "transformers", "timm")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Triggers:
    """The words of a list of selectors."""

    def __init__(self, selectors: Sequence[Clause]) -> None:
        #: For each selector: alternatives, each of a word and the words one of which must be there too.
        self._needs = [_needs(selector) for selector in selectors]
        every = {word for needs in self._needs for word, others in needs for word in (word, *others)}
        self._words = sorted(every)
        self._index = {word: index for index, word in enumerate(self._words)}
        self._finder: WordFinder | None = None

    def active(self, data: bytes) -> list[int]:
        """Indexes of the selectors that may match in the file."""
        present = self._present(data)
        if not present:
            return []
        return [
            index
            for index, needs in enumerate(self._needs)
            if any(word in present and (not others or not present.isdisjoint(others)) for word, others in needs)
        ]

    def words(self, active: Sequence[int]) -> set[str]:
        """The words around which these selectors look."""
        return {word for index in active for word, _ in self._needs[index]}

    def _present(self, data: bytes) -> set[str]:
        if self._finder is None:
            self._finder = build([Word(word.encode()) for word in self._words])
        found: set[int] = set()
        for index, end in self._finder.find(data):
            if index in found:
                continue
            start = end - len(self._words[index].encode())
            if start > 0 and data[start - 1] in _WORD_BYTES:
                continue
            if end < len(data) and data[end] in _WORD_BYTES:
                continue
            found.add(index)
        return {self._words[index] for index in found}


def _needs(selector: dict[str, Any] | Clause) -> list[tuple[str, tuple[str, ...]]]:
    head = head_of(selector)
    if head == "env":
        return [(word, ("environ", "putenv")) for word in words_of(selector)]
    needs: list[tuple[str, tuple[str, ...]]] = []
    for name in names_of(selector.get(head)):
        root, _, _ = name.partition(".")
        needs.append((name.rpartition(".")[2], (root,) if root else _LIBRARIES))
    return needs
