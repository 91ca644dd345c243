"""Rules out, without parsing, most of the places where a selector's word stands.

`load`, `compile` and `Module` are in every file, `torch.load` is in few. The dotted chain in front of a word and the
file's import lines, read as text, already tell that most of these places cannot be meant; what stands behind the word,
strings, comments and indentation tell it of most others. Only what is certain is ruled out: whoever is left is parsed.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from detour_lsp.source.call_text import call_possible, callee_of
from detour_lsp.source.class_text import class_possible
from detour_lsp.source.environment_text import NO_STRING, variable_possible
from detour_lsp.source.import_lines import BLANKS, Source
from detour_lsp.source.loop_text import in_loop_possible
from detour_lsp.source.selector_plan import Plan
from detour_lsp.source.spellings import public

_SPACES = re.compile(rb"\s+")
_SPACED_CHAIN = re.compile(rb"((?:\w+\s*\.[ \t]*)+)\Z")
_WINDOW = 120
#: Behind a setting that is written: `= value`, `+= 1`, `: int = 0`, or more targets and then `=`.
_WRITTEN = re.compile(rb"[^\n]*?(?<![=!<>])=(?!=)")
_CALLED = re.compile(rb"\s*\(")
#: Behind a function that is given to a name or another function.
_HANDED_ON = re.compile(rb"\s*(?:,|\)|[;#\r\n]|if\b|or\b|else\b|\Z)")
_RENAMED = re.compile(rb"\s+as\s+\w")
#: In front of what a name is given: `f = `, `a, b = torch.load, `, `(f := `, `x = torch.load if new else `.
_ASSIGNS = re.compile(
    rb"(?:^|;)\s*[\w.]+(?:\s*,\s*[\w.]+)*\s*(?::[^=\n]*)?=(?!=)(?:[\w.,()\s]*|.*\belse\s[\s(]*(?:\w+\.)*)\Z"
)
_NAMED = re.compile(rb":=[\s(]*(?:\w+\.)*\w+\Z")
_CALLS = re.compile(rb"\w\s*\(")
_FLUENT = re.compile(rb"\.(?:to|cuda|cpu|eval|train|half|float|double|bfloat16|requires_grad_)\([^()\n]*\)\s*\.\s*\Z")
_OPENED = re.compile(rb"=\s*\([^\n]*\n\s*\Z")
_DEFINED = re.compile(rb"\b(?:def|class)\s+(\w+)")
_KEYWORD = re.compile(rb"\s*=(?!=)|[\"']\s*:")
_LINE_COMMENT = re.compile(rb"\s*(?:#|>>>|\.\.\. )")
#: In front of a string that names an attribute: `getattr(torch, "load"`; or one that is kept under a name.
_GETS = re.compile(rb"getattr\s*\([^()\n]*,\s*[rbuRBU]?\Z")
_KEPT = re.compile(rb"(?:^|[;\s(])\w+[ \t]*(?::[^=\n]*)?:?=[ \t]*\(?[rbuRBU]?\Z")
_MOST_HITS = 400
#: What is called with keywords that reach another call.
_PASSING = frozenset({"dict", "partial", "partialmethod", "update"})
_WRAPPING = frozenset({"partial", "partialmethod", "staticmethod", "classmethod"})
_DOT, _QUOTES = 46, frozenset(b"'\"")
_NOTHING: frozenset[str] = frozenset()


class Candidates:
    """One file's places, asked for one selector after the other; what was found out of a place is kept."""

    def __init__(self, source: Source, hits: Mapping[str, Sequence[int]], wanted: Mapping[str, frozenset[str]]) -> None:
        self.source = source
        self._hits = hits
        #: For each word the qualified names that end with it.
        self._wanted = wanted
        self._reach: dict[int, frozenset[str] | None] = {}
        self._mentioned: dict[str, bool] = {}

    def possible(self, plan: Plan, words: Iterable[str]) -> bool:
        """Whether the text around these words of a selector leaves room for a match."""
        return any(self._word_possible(plan, word) for word in words)

    def _word_possible(self, plan: Plan, word: str) -> bool:
        ends = self._hits.get(word, ())
        if not ends:
            return False
        source, head = self.source, plan.head
        if head == "class":
            return class_possible(source.data, plan.selector, source.quoted)
        if head == "env":
            return any(variable_possible(source, word, end) for end in ends)
        if len(ends) > _MOST_HITS:
            return True
        if plan.pattern:
            # The word is a keyword: `size_average=False`, or a key of what is passed by `**`.
            return any(self._keyword_possible(plan, word, end) for end in ends)
        for end in ends:
            if self._hit_possible(plan, word, end):
                return all(self._mentions(names) for names in plan.passed)
        return False

    def places(self, word: str, plans: Iterable[Plan]) -> Iterator[int]:
        """Where a word ends that may be what one of the plans names, whatever it is called with."""
        ends = self._hits.get(word, ())
        named = [plan for plan in plans if plan.head in ("call", "decorator", "use") and not plan.pattern]
        if len(named) < len(list(plans)) or len(ends) > _MOST_HITS:
            yield from ends
            return
        for end in ends:
            reach = self._reach_of(word, end)
            if reach is None or not all(map(reach.isdisjoint, (plan.names for plan in named))):
                yield end

    # -- names -----------------------------------------------------------------------------------------------------

    def _hit_possible(self, plan: Plan, word: str, end: int) -> bool:
        reach, head, data = self._reach_of(word, end), plan.head, self.source.data
        if reach is not None and reach.isdisjoint(plan.names):
            if head != "set" or not self._is_key(plan, word, end):
                return False
        elif not self._followed(plan, end):
            return False
        if head == "call" and not call_possible(data, end, plan.selector, self._may_be_constant):
            return False
        if plan.receivers and not self._may_be_made(plan, word, end):
            return False
        if plan.loops and not (
            in_loop_possible(data, end, self.source.quoted) or any(name in data for name in plan.methods)
        ):
            return False
        if "statement" in plan.selector and not _statement_possible(data, end, str(plan.selector["statement"])):
            return False
        return _is_quoted(data, word, end) or not self.source.quoted.covers(end - 1) or _is_target(data, head, end)

    def _may_be_constant(self, name: bytes) -> bool:
        """Whether a plain name may hold a constant."""
        return any(NO_STRING.match(rest) is not None or rest[:1] in (b"'", b'"') for rest in self.source.given(name))

    def _reach_of(self, word: str, end: int) -> frozenset[str] | None:
        reach = self._reach.get(end, _NOTHING)
        if end not in self._reach:
            reach = self._reach[end] = self._read(word, end)
        return reach

    def _read(self, word: str, end: int) -> frozenset[str] | None:
        """The names that a word may stand for with what is in front of it; None where the text does not tell."""
        source, data = self.source, self.source.data
        start = end - len(word)
        before = data[start - 1] if start else 0
        if before in _QUOTES:
            return None if self._is_asked_for(word, end) else _NOTHING
        line_start = data.rfind(b"\n", 0, start) + 1
        if before == _DOT:
            chain = data[max(0, start - _WINDOW) : start].translate(BLANKS).rsplit(None, 1)[-1]
            if chain[:1] == b".":
                # The chain hangs on a call, an item, a string, or a name before a blank.
                return self._read_far(word, start, line_start)
        else:
            front = data[max(line_start, start - 8) : start].rstrip()
            if front.endswith(b".") or (
                line_start == start - len(front) and data[line_start - 2 : line_start - 1] == b"."
            ):
                return self._read_far(word, start, line_start)
            if _comment(data, line_start, start):
                return _NOTHING
            names = source.every()
            found = frozenset(name for name in names if name == word or name.endswith(f".{word}"))
            starred = source.starred()
            return found.union(public(f"{module}.{word}") for module in starred) if starred else found
        if _comment(data, line_start, start):
            return _NOTHING
        return self._chained(chain[:-1].split(b"."), word)

    def _read_far(self, word: str, start: int, line_start: int) -> frozenset[str] | None:
        data = self.source.data
        if _comment(data, line_start, start):
            return _NOTHING
        window = data[max(0, start - 160) : start]
        found = _SPACED_CHAIN.search(window)
        if found is None:
            dots = window.rstrip()
            if not dots.endswith(b".") or dots.endswith(b".."):
                return _NOTHING
            return None if self.source.indirect else frozenset({f".{word}"})
        if window[: found.start()].rstrip(b" \t").endswith(b"."):
            return None if self.source.indirect else frozenset({f".{word}"})
        return self._chained([part for part in _SPACES.sub(b"", found[1]).split(b".") if part], word)

    def _chained(self, parts: list[bytes], word: str) -> frozenset[str] | None:
        """What `a.b.word` may be: what it says, and a method of any object."""
        source = self.source
        first, rest = parts[0], parts[1:]
        if rest and (first in (b"self", b"cls") or source.is_class(first)):
            # An attribute of a class: `self.config = torch._dynamo.config`.
            own, first, rest = rest[0], first + b"." + rest[0], rest[1:]
        else:
            own = first
        tail = ".".join([*(part.decode("ascii", "replace") for part in rest), word])
        found = {f".{word}"}
        wanted = self._wanted.get(word)
        if wanted is not None and not any(name.endswith(f".{tail}") for name in wanted):
            # Whatever the first name is: no selector looks for anything that ends so.
            return frozenset(found)
        # `config` of the class's body is `self.config` in its methods.
        meanings = source.meanings(first) | source.meanings(own)
        for meaning in meanings:
            found.add(public(f"{meaning}.{tail}"))
        if not meanings:
            found.add(public(f"{first.decode('ascii', 'replace')}.{tail}"))
        return None if source.winds(first) or source.winds(own) else frozenset(found)

    # -- keywords --------------------------------------------------------------------------------------------------

    def _keyword_possible(self, plan: Plan, word: str, end: int) -> bool:
        """Whether a keyword is passed to what a pattern of names may mean."""
        data = self.source.data
        if _KEYWORD.match(data, end) is None:
            return False
        if data[end : end + 1] in (b"'", b'"'):
            return True
        if self.source.quoted.covers(end - 1):
            return False
        callee = callee_of(data, end - len(word), self.source.quoted)
        if not callee:
            # Empty: the default of a parameter, or what a class is made with.
            return callee is None
        parts = callee.split(b".")
        last = parts[-1].decode("ascii", "replace")
        if last in _PASSING:
            return True
        if len(parts) == 1:
            meanings = self.source.meanings(parts[0]) or {f"{module}.{last}" for module in self.source.starred()}
            reach: frozenset[str] | None = frozenset(map(public, meanings))
            reach = None if self.source.winds(parts[0]) else reach
        else:
            reach = self._chained(parts[:-1], last)
        if reach is None:
            return True
        return any(fnmatch.fnmatchcase(name, pattern) for name in reach for pattern in plan.names)

    # -- what stands around ----------------------------------------------------------------------------------------

    def _followed(self, plan: Plan, end: int) -> bool:
        """Whether what stands around a word fits what a selector looks for."""
        data, head = self.source.data, plan.head
        if head == "set":
            return _WRITTEN.match(data, end) is not None or data[end : end + 1] in (b"'", b'"')
        if head == "use" or data[end : end + 1] in (b"'", b'"'):
            return True
        if _RENAMED.match(data, end) is not None:
            # The new name is called: `from torch import load as torch_load`.
            return True
        line = data[data.rfind(b"\n", 0, end) + 1 : end].lstrip()
        if line.startswith(b"@") and b" " not in line[1:].strip().translate(BLANKS):
            on = plan.selector.get("on") if head == "decorator" else None
            defined = _DEFINED.search(data, end, end + 2000) if on is not None else None
            return defined is None or re.fullmatch(str(on), defined[1].decode("ascii", "replace")) is not None
        if head == "call" and _CALLED.match(data, end) is not None:
            return True
        if _HANDED_ON.match(data, end) is None:
            return False
        if _NAMED.search(line) is not None:
            return True
        assigned = _ASSIGNS.search(line)
        if assigned is not None and (b"else" in line or _CALLS.search(line) is None):
            return True
        if head == "call" and self._is_partial(end):
            return True
        return _OPENED.search(data, max(0, end - 400), end - len(line)) is not None

    def _may_be_made(self, plan: Plan, word: str, end: int) -> bool:
        """Whether the object whose method is called may come from one of the selector's functions."""
        data = self.source.data
        front = data[max(0, end - len(word) - 2000) : end - len(word)].rstrip()
        chain = front[-_WINDOW:].translate(BLANKS).rsplit(None, 1)[-1].rstrip(b".")
        if front[-2:-1] == b")" or not chain:
            return _FLUENT.search(front) is not None or any(name in front for name in plan.receivers)
        return any(name in rest for rest in self.source.given(chain) for name in plan.receivers) or self.source.winds(
            chain
        )

    def _is_partial(self, end: int) -> bool:
        """Whether a function's name stands first in the brackets of `functools.partial(` or `staticmethod(`."""
        data = self.source.data
        front = data[max(0, end - _WINDOW) : end]
        name = front.translate(BLANKS).rsplit(None, 1)[-1]
        before = front[: len(front) - len(name)].rstrip()
        if not before.endswith(b"("):
            return False
        callee = (before[:-1].translate(BLANKS).rsplit(None, 1) or [b""])[-1]
        meant = {callee.decode("ascii", "replace"), *self.source.imported().get(callee, ())}
        return any(item.rpartition(".")[2] in _WRAPPING for item in meant)

    def _is_key(self, plan: Plan, word: str, end: int) -> bool:
        """Whether a setting's own name may stand there: as a keyword of `patch(...)`, as a key, for `setattr`."""
        data = self.source.data
        if _is_quoted(data, word, end):
            return _sets_by_string(data)
        if data[end - len(word) - 1 : end - len(word)] == b"." or _KEYWORD.match(data, end) is None:
            return False
        owners = {name.rpartition(".")[0].rpartition(".")[2].encode() for name in plan.names}
        if not any(owner in data for owner in owners) or self.source.quoted.covers(end - 1):
            return False
        callee = callee_of(data, end - len(word), self.source.quoted)
        return callee is None or callee.rpartition(b".")[2] in (b"patch", b"dict", b"update", b"partial")

    def _is_asked_for(self, word: str, end: int) -> bool:
        """Whether the word is all of a string that may become the name of an attribute that is read."""
        data = self.source.data
        if not self.source.indirect or not _is_quoted(data, word, end):
            return False
        front = data[max(0, end - len(word) - 120) : end - len(word) - 1]
        return _GETS.search(front) is not None or _KEPT.search(front[front.rfind(b"\n") + 1 :]) is not None

    def _mentions(self, names: Sequence[str]) -> bool:
        """Whether one of the names may be meant anywhere in the file."""
        return any(self._mentions_one(name) for name in names)

    def _mentions_one(self, name: str) -> bool:
        known = self._mentioned.get(name)
        if known is None:
            wanted, word = public(name), name.rpartition(".")[2]
            known = self._mentioned[name] = any(
                reach is None or wanted in reach
                for reach in (self._read(word, end) for end in _places(self.source.data, word.encode()))
            )
        return known


def _places(data: bytes, word: bytes) -> Iterator[int]:
    pattern = re.compile(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)")
    position = data.find(word)
    while position >= 0:
        if pattern.match(data, position) is not None:
            yield position + len(word)
        position = data.find(word, position + len(word))


def _statement_possible(data: bytes, end: int, pattern: str) -> bool:
    """Whether the import statement that a name stands in may read as a pattern says; only its line is looked at."""
    start = data.rfind(b"\n", 0, end) + 1
    stop = data.find(b"\n", end)
    line = data[start : stop if stop >= 0 else len(data)].decode("utf-8", "replace").strip()
    if "import" not in line:
        # Inside the brackets of an import that goes over lines.
        return b"import" in data
    # A comment may stand behind the statement.
    return re.search(pattern.removesuffix("$"), line) is not None or ";" in line


def _comment(data: bytes, line_start: int, start: int) -> bool:
    if _LINE_COMMENT.match(data, line_start, start) is not None:
        return True
    line = data[line_start:start]
    return b"#" in line and b'"' not in line and b"'" not in line


def _sets_by_string(data: bytes) -> bool:
    return b"setattr" in data or b"patch" in data or b"__dict__" in data or b"vars(" in data or b"load_config" in data


def _is_quoted(data: bytes, word: str, end: int) -> bool:
    """Whether a word is all of a string."""
    return data[end - len(word) - 1 : end - len(word)] in (b"'", b'"') and data[end : end + 1] in (b"'", b'"')


def _is_target(data: bytes, head: str, end: int) -> bool:
    """`mock.patch("torch._dynamo.config.disable", True)`"""
    return head == "set" and data[end : end + 1] in (b"'", b'"') and b"patch" in data[max(0, end - 200) : end]
