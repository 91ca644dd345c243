"""Which selectors can match in a file at all, from one pass over its bytes.

A selector names a function, a setting or a variable; a file that does not contain the last part of that name, as a
whole word, together with the package it belongs to and the keywords it asks for, cannot match. Most files contain none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.candidates import Candidates
from detour_lsp.source.import_lines import Source
from detour_lsp.source.paths import in_own_library, is_test_path
from detour_lsp.source.selector_plan import Plan, head_of, words_of
from detour_lsp.source.spellings import names_of, spellings
from detour_lsp.source.whole_words import WholeWords

#: A method of an unknown object is torch's only in files that use torch or something built on it.
_LIBRARIES = ("torch", "lightning", "pytorch_lightning", "accelerate", "transformers", "timm")
#: Packages that were renamed; `spellings` makes one name of them.
_PACKAGES = {"lightning": ("lightning", "pytorch_lightning")}

_COMMENT = re.compile(rb"#\s*detour:", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Active:
    """The selectors that may match in a file, the bytes where their words stand, and these words."""

    selectors: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    words: frozenset[str]


_NONE = Active((), (), frozenset())


class Triggers:
    """The words of a list of selectors."""

    def __init__(self, selectors: Sequence[Clause]) -> None:
        self._selectors = selectors
        #: For each selector: alternatives, each of a word and the words one of which must be there too.
        self._needs = [_needs(selector) for selector in selectors]
        #: For each selector: groups of words; one of each group must be there besides.
        besides = [tuple(dict.fromkeys(_besides(selector))) for selector in selectors]
        self._besides = [tuple(_encoded(words) for words in groups) for groups in besides]
        self._plans = [Plan.of(selector) for selector in selectors]
        every = {word for needs in self._needs for word, others in needs for word in (word, *others)}
        every.update(word for groups in besides for words in groups for word in words)
        self._by_word: dict[str, list[tuple[int, tuple[bytes, ...]]]] = {}
        for index, needs in enumerate(self._needs):
            for word, others in needs:
                self._by_word.setdefault(word, []).append((index, _encoded(others)))
        self._wanted = _wanted(self._plans)
        self._words = sorted(every)
        self._finder: WholeWords | None = None
        self._sensitive: frozenset[str] | None = None
        self._packages: frozenset[bytes] | None = None

    def active(self, data: bytes, path: str = "") -> Active:
        """The selectors that may match in the file, and where."""
        hits = self._hits(data)
        if not hits:
            return _NONE
        present: dict[tuple[bytes, ...], bool] = {}

        def has(words: tuple[bytes, ...]) -> bool:
            # Anywhere, not only as a whole word: this only rules out, and a plain search is fast.
            answer = present.get(words)
            if answer is None:
                answer = present[words] = any(word in data for word in words)
            return answer

        words_of: dict[int, list[str]] = {}
        for word in hits:
            for index, others in self._by_word[word]:
                if (not others or has(others)) and all(map(has, self._besides[index])):
                    words_of.setdefault(index, []).append(word)
        if not words_of:
            return _NONE
        candidates = Candidates(Source(data), hits, self._wanted)
        plans = self._plans
        test = is_test_path(path)
        found = sorted(
            index
            for index, words in words_of.items()
            if not (test and plans[index].no_tests)
            and not (plans[index].existence and in_own_library(path, plans[index].names))
            and candidates.possible(plans[index], words)
        )
        if not found:
            return _NONE
        by_word: dict[str, list[Plan]] = {}
        for index in found:
            for word, _ in self._needs[index]:
                by_word.setdefault(word, []).append(plans[index])
        ends = sorted({(end, word) for word, mine in by_word.items() for end in candidates.places(word, mine)})
        return Active(tuple(found), tuple((end - len(word), end) for end, word in ends), frozenset(by_word))

    def mentioned(self, data: bytes) -> bool:
        """Whether a package that selectors ask for is named anywhere: holds of text in any escaping, rules out less."""
        if self._packages is None:
            self._packages = frozenset(
                other.encode() for needs in self._needs for word, others in needs for other in (others or (word,))
            )
        return any(package in data for package in self._packages)

    @property
    def sensitive(self) -> frozenset[str]:
        """Every word that any selector speaks of: a line with one of them may change what is found."""
        if self._sensitive is None:
            self._sensitive = frozenset({*self._words, "detour", *_words_in(self._selectors)})
        return self._sensitive

    def guarded_places(self, text: str, data: bytes) -> list[int]:
        """Where in the text (code points, sorted) the words stand that selectors look around; comments to us, too."""
        heads = {word for needs in self._needs for word, _ in needs}
        ends = {end for word, places in self._hits(data).items() if word in heads for end in places}
        ends.update(match.end() for match in _COMMENT.finditer(data))
        if len(text) == len(data):
            return sorted(ends)
        found: list[int] = []
        last = points = 0
        for end in sorted(ends):
            points += len(data[last:end].decode("utf-8", "surrogatepass"))
            last = end
            found.append(points)
        return found

    def words(self, indexes: Iterable[int]) -> frozenset[str]:
        """The words around which these selectors look."""
        return frozenset(word for index in indexes for word, _ in self._needs[index])

    def _hits(self, data: bytes) -> dict[str, list[int]]:
        """Where each word that selectors look around ends."""
        if self._finder is None:
            self._finder = WholeWords(sorted(self._by_word))
        return self._finder.find(data)


def _wanted(plans: Sequence[Plan]) -> dict[str, frozenset[str]]:
    """For each last word the names that selectors look for, also as packages really keep them."""
    found: dict[str, set[str]] = {}
    for plan in plans:
        for name in (*plan.names, *(name for names in plan.passed for name in names)):
            if "*" not in name and not name.startswith("."):
                found.setdefault(name.rpartition(".")[2], set()).update(spellings(name))
    return {word: frozenset(names) for word, names in found.items()}


def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in words)


def _words_in(value: object) -> Iterator[str]:
    """Every name in the texts of a selector, however deep, and those of its keywords; no words of its patterns."""
    if isinstance(value, str):
        yield from _IDENTIFIER.findall(value)
    elif isinstance(value, Mapping):
        clause = cast("Mapping[str, object]", value)
        keywords = clause.get("keyword")
        if isinstance(keywords, Mapping):
            yield from cast("Mapping[str, object]", keywords)
        for key, item in clause.items():
            if key not in ("matches", "severity", "inside", "outside"):
                yield from _words_in(item)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for item in cast("Sequence[object]", value):
            yield from _words_in(item)


def _needs(selector: Clause) -> list[tuple[str, tuple[str, ...]]]:
    head = head_of(selector)
    if head == "env":
        return [(word, ("environ", "putenv", "%env", "%set_env")) for word in words_of(selector)]
    needs: list[tuple[str, tuple[str, ...]]] = []
    for name in names_of(selector.get(head)):
        root, _, _ = name.partition(".")
        last = name.rpartition(".")[2]
        others = _PACKAGES.get(root, (root,)) if root else _LIBRARIES
        needs.extend((word, others) for word in ((last,) if "*" not in last else words_of(selector)))
    return needs


def _besides(selector: Clause) -> Iterator[tuple[str, ...]]:
    """Names that a match must write somewhere in the file: its keywords, and the functions that made its objects."""
    keywords = cast("Mapping[str, Any]", selector.get("keyword", {}))
    yield from ((name,) for name in keywords if name.isidentifier())
    predicates: list[object] = [*keywords.values(), *cast("Mapping[str, Any]", selector.get("position", {})).values()]
    predicates += [selector.get("receiver"), selector.get("value")]
    for predicate in predicates:
        names = names_of(cast("Mapping[str, Any]", predicate).get("call", ())) if isinstance(predicate, Mapping) else ()
        yield from _last_words(names)
    yield from _last_words(names_of(selector.get("inside_class", ())))
    for name in names_of(selector.get("call", ())) if len(names_of(selector.get("call", ()))) == 1 else ():
        if "*" in name:
            # A pattern: the last part that is spelt out (`lr_scheduler` of `torch.optim.lr_scheduler.*`).
            yield from _last_words(tuple(part for part in name.split(".") if "*" not in part)[-1:])


def _last_words(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    words = tuple(name.rpartition(".")[2] for name in names)
    if words and all(word.isidentifier() for word in words):
        yield words
