"""Which words a text must hold before a regex can match in it: one pass over raw bytes rules out nearly everything.

The words are derived from the regex itself: of all literal runs that every match contains, the one that is rarest in
healthy logs is taken (`rarity.py`). For alternatives it is a set of words of which any match contains one.
A regex without such words would have to be tried on every line; `kb check` refuses it.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from detour_lsp.knowledge.rarity import bits_of_set, bits_of_text, rarest_window

if sys.version_info >= (3, 11):
    from re import _constants as codes  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
else:
    import sre_constants as codes
    import sre_parse as parser

#: More alternatives than this are not multiplied out: the parts in front and behind are looked at one by one.
MOST_ALTERNATIVES = 24
#: Shorter words occur by chance in hashes, paths and numbers all over a healthy log.
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Anchor:
    """The words of one regex: every match contains one of `literals`, in any case if `ignore_case`."""

    literals: tuple[str, ...]
    ignore_case: bool
    #: How rare the words are, in bits: a healthy log holds one about every 2**rarity bytes.
    rarity: float


def required_literals(regex: str) -> tuple[str, ...] | None:
    """The words of which every match of `regex` contains one, or None when there are none that are worth anything."""
    anchor = anchor_of(regex)
    return anchor.literals if anchor else None


def anchor_of(regex: str) -> Anchor | None:
    """The rarest required words of `regex`; None without any of at least `SHORTEST` characters.

    Raises `re.error` when the regex is not one.
    """
    tree, ignore_case = _parse(regex)
    found = _Required(ignore_case).of_sequence(tree)
    best = found.best_with_own()
    if best is None:
        return None
    # A window of a long text is as good as the whole and survives line wrapping and colours better.
    windows = sorted({_window(text.lower() if ignore_case else text) for text in best})
    minimal = [text for text in windows if not any(other != text and other in text for other in windows)]
    return Anchor(tuple(minimal), ignore_case, bits_of_set(minimal))


#: So rare, in bits, are words of which a healthy log of megabytes holds hardly one.
_RARE_ENOUGH = 20.0
#: What web pages, forums, JSON and `repr` write otherwise.
_REWRITTEN = re.compile(r"[\"'<>&`\\]+")


def _window(text: str) -> str:
    """The rarest stretch of `text`, without quotes and the like if what remains is rare enough."""
    pieces = [rarest_window(piece, SHORTEST) for piece in _REWRITTEN.split(text) if len(piece) >= SHORTEST]
    plain = max(pieces, key=bits_of_text, default="")
    return plain if plain and bits_of_text(plain) >= _RARE_ENOUGH else rarest_window(text, SHORTEST)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a part of a regex says: `exact`: all texts that it can match (None: too many), `best`: its rarest words."""

    exact: frozenset[str] | None
    best: frozenset[str] | None

    def best_with_own(self) -> frozenset[str] | None:
        """The rarer of `best` and of the exact texts themselves."""
        return _rarer(self.best, self.exact)


_NOTHING = _Found(frozenset({""}), None)
_ANYTHING = _Found(None, None)


def _rarer(first: frozenset[str] | None, second: frozenset[str] | None) -> frozenset[str] | None:
    usable = [texts for texts in (first, second) if texts and min(map(len, texts)) >= SHORTEST]
    if len(usable) < 2:
        return usable[0] if usable else None
    return max(usable, key=_quality)


def _quality(texts: frozenset[str]) -> tuple[float, int, list[str]]:
    # The texts themselves come last so that the choice never depends on the order of a set.
    return bits_of_set(texts), -len(texts), sorted(texts)


class _Required:
    """Walks a parsed regex. Positions (`^`, `\\b`) are transparent, whatever is not plain text ends a word."""

    def __init__(self, ignore_case: bool) -> None:
        self._ignore_case = ignore_case

    def of_sequence(self, items: Iterable[Any]) -> _Found:
        best: frozenset[str] | None = None
        run: frozenset[str] = frozenset({""})
        whole = True
        for item in items:
            part = self._of_item(item)
            best = _rarer(best, part.best)
            if part.exact is not None and len(run) * len(part.exact) <= MOST_ALTERNATIVES:
                run = frozenset(left + right for left in run for right in part.exact)
                continue
            whole = False
            best = _rarer(best, run)
            # An exact part that would multiply too much still begins the next run.
            run = part.exact if part.exact is not None else frozenset({""})
        return _Found(run if whole else None, best if whole else _rarer(best, run))

    def _of_item(self, item: tuple[Any, Any]) -> _Found:
        code, argument = item
        if code is codes.LITERAL:
            return self._of_character(argument)
        if code is codes.IN:
            return self._of_set(argument)
        if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
            return _NOTHING
        if code is codes.SUBPATTERN:
            return self.of_sequence(argument[3])
        if code is codes.BRANCH:
            return self._of_branches([self.of_sequence(branch) for branch in argument[1]])
        if code is getattr(codes, "ATOMIC_GROUP", None):
            return self.of_sequence(argument)
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, getattr(codes, "POSSESSIVE_REPEAT", None)):
            return self._of_repeat(*argument)
        return _ANYTHING

    def _of_character(self, point: int) -> _Found:
        character = chr(point)
        # Words stand in one line; outside ASCII case has rules that a search over bytes does not know.
        cased = point > 127 and (character.lower() != character or character.upper() != character)
        if point < 32 or point == 127 or (self._ignore_case and cased):
            return _ANYTHING
        return _Found(frozenset({character}), None)

    def _of_set(self, members: Sequence[tuple[Any, Any]]) -> _Found:
        characters: set[str] = set()
        for code, argument in members:
            if code is not codes.LITERAL:
                return _ANYTHING
            part = self._of_character(argument).exact
            if part is None:
                return _ANYTHING
            characters |= part
        return _Found(frozenset(characters), None) if 0 < len(characters) <= 4 else _ANYTHING

    def _of_branches(self, branches: Sequence[_Found]) -> _Found:
        exact: set[str] | None = set()
        required: set[str] | None = set()
        for branch in branches:
            exact = exact | branch.exact if exact is not None and branch.exact is not None else None
            best = branch.best_with_own()
            required = required | best if required is not None and best is not None else None
        if exact is not None and len(exact) <= MOST_ALTERNATIVES:
            return _Found(frozenset(exact), None)
        return _Found(None, frozenset(required) if required and len(required) <= MOST_ALTERNATIVES else None)

    def _of_repeat(self, least: int, most: Any, body: Iterable[Any]) -> _Found:
        part = self.of_sequence(body)
        if least == 0:
            if most == 1 and part.exact is not None and len(part.exact) < MOST_ALTERNATIVES:
                return _Found(part.exact | {""}, None)
            return _ANYTHING
        if least == most and least <= 4 and part.exact is not None and len(part.exact) == 1:
            return _Found(frozenset(text * least for text in part.exact), None)
        return _Found(None, part.best_with_own())


def _parse(regex: str) -> tuple[Any, bool]:
    """The parse tree and whether case is ignored anywhere."""
    try:
        with warnings.catch_warnings():
            # `re` warns about sets that it will read differently one day; they only end a word here.
            warnings.simplefilter("ignore", FutureWarning)
            tree: Any = parser.parse(regex)
    except (re.error, OverflowError):
        # Valid for the module `regex` but not for `re`: read a form of it that matches at least as much.
        tree = parser.parse(_as_plain(regex))
    return tree, bool(tree.state.flags & re.IGNORECASE) or re.search(r"\(\?[a-zA-Z]*i[a-zA-Z]*[-:)]", regex) is not None


_ONLY_IN_REGEX = re.compile(
    r"""(?P<keep>\\[^pPhRXKGmMLN])                       # an ordinary escape
      | (?P<property>\\[pP](?:\{[^}]*\}|.)|\\[hRX]|\\N\{[^}]*\}|\\L<\w+>)
      | (?P<position>\\[KGmM])
      | (?P<set>\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*\])
      | (?P<atomic>\(\?>|\(\?\|)
      | (?P<named>\(\?P?<[A-Za-z_]\w*>)
      | (?P<flags>\(\?(?:V[01]|[fwbpera]+)\))
      | (?P<possessive>(?<=[*+?}])\+)""",
    re.VERBOSE | re.DOTALL,
)


def _as_plain(regex: str) -> str:
    """`regex` without what only the module `regex` knows, matching at least what it matches."""

    def replace(match: re.Match[str]) -> str:
        kind, text = match.lastgroup, match.group()
        if kind == "set":
            return "[^\\n]" if re.search(r"\\[pPhN]|\[:|--|&&|\|\|", text) else text
        by_kind = {
            "property": "[^\\n]+",
            "position": "",
            "atomic": "(?:",
            "named": "(?:",
            "flags": "",
            "possessive": "",
        }
        return by_kind.get(kind or "", text)

    return _ONLY_IN_REGEX.sub(replace, regex)


def describe(regex: str) -> str:
    """One line for `kb check`: the words that were found and how rare they are, or what is missing."""
    anchor = anchor_of(regex)
    if anchor is None:
        return f"no literal of at least {SHORTEST} characters that every match contains"
    words = ", ".join(repr(text) for text in anchor.literals)
    return f"{words} (about one in {2**anchor.rarity / 1e6:.3g} MB of a healthy log; {bits_of_text(words):.0f} bits)"
