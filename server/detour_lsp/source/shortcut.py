"""Edits that cannot change any finding, told from the edited line alone, so that typing in a file of 50,000 lines costs
what the line costs.

The findings stay, moved along, when all of this holds; otherwise the file is checked as after any other edit:
- the edit stays inside one line (or adds empty lines at its end), and what ties that line to others is the same before
  and after: its indentation, brackets that it leaves open, the end of a string, a colon or backslash at its end. What
  else goes wrong in the line is its own affair: errors stay local (`recovery`);
- the line holds none of the words that selectors look for, and no statement keyword;
- it is not near such a word, so it is no part of a statement that was or could be found;
- it binds no name that a statement with such a word uses, directly or through another name;
- it has nothing that such a word depends on from afar (a model that is let go, a method that calls `super().__init__`).
"""

from __future__ import annotations

import keyword
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from detour_lsp.source.finding import Finding
from detour_lsp.source.parsing import Edit

#: A statement is followed so many lines up and down from the word that a selector looks for.
LONGEST = 80
#: So many lines around such a statement are kept away from as well.
MARGIN = 8
#: Names that depend on names that depend on names: deeper than this, every edit is checked.
DEPTH = 6

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>"[^"\n]*"(?!")|'[^'\n]*'(?!'))
      | (?P<word>[^\W\d]\w*)(?P<prefix>["'])?
      | (?P<number>\d[\w.]*)
      | (?P<space>[ \t\f]+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d]\w*")
#: Keywords inside an expression; every other keyword shapes the statements around it.
_HARMLESS = frozenset({"and", "or", "not", "in", "is", "None", "True", "False", "return", "print"})
_KEYWORDS = frozenset({*keyword.kwlist, *keyword.softkwlist} - _HARMLESS)
_NO_NAMES = frozenset(keyword.kwlist)
_BINDS = re.compile(
    r"=(?!=)|\b(?:import|for|def|class|as|lambda|global|nonlocal|del|except|case)\b"
    r"|\.\s*(?:update|setdefault|pop|clear)\s*\("
)
#: For words that selectors look for: lines far from them that change what is said of them (`release`, `objects`).
_FAR = {
    "empty_cache": re.compile(r"=(?!=)|\.\s*\w+\s*\("),
    "Module": re.compile(r"^\s*(?:self|cls)\s*\.\s*\w+\s*\("),
}
_LINE_END = re.compile(r"[\r\n]")
_NEWLINE = re.compile(r"\r\n?|\n")
_OPENERS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Guard:
    """What edits of a text have to keep away from; offsets count code points."""

    #: Stretches around the statements with words that selectors look for, sorted, not overlapping.
    regions: tuple[tuple[int, int], ...]
    #: The words of those statements themselves.
    used: frozenset[str]
    #: The names that they depend on; None until an edit of a binding asks for them.
    names: frozenset[str] | None = None
    #: What the edits that were passed over since the text was last parsed cover: the stretch's start, its end in the
    #: text as it was parsed, and its end now.
    pending: tuple[int, int, int] | None = None

    def skipped(self, text: str) -> list[Edit]:
        """The edits that were passed over, as one; `text` is the text as it is now."""
        if self.pending is None:
            return []
        start, old_end, end = self.pending
        return [Edit(start, old_end, text[start:end])]


def guard(text: str, hits: Sequence[int]) -> Guard:
    """The guard of a text that was just checked; `hits` are offsets of the words that selectors look for, sorted."""
    regions: list[tuple[int, int]] = []
    used: set[str] = set()
    brackets = _Brackets(text)
    last = 0
    for hit in hits:
        if hit < last:
            continue
        start, last = _statement(text, hit, brackets)
        used.update(_WORD.findall(text, start, last))
        region = (_lines_up(text, start, MARGIN), _lines_down(text, last, MARGIN))
        if regions and region[0] <= regions[-1][1]:
            regions[-1] = (regions[-1][0], region[1])
        else:
            regions.append(region)
    return Guard(tuple(regions), frozenset(used))


class _Brackets:
    """How many brackets each line opens more than it closes; every line is counted once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nets: dict[int, int] = {}

    def net(self, start: int, end: int) -> int:
        """Of the line (or more) between two offsets."""
        found = self._nets.get(start)
        if found is None:
            found = self._nets[start] = _depth(self._text[start:end])
        return found


def _statement(text: str, hit: int, brackets: _Brackets) -> tuple[int, int]:
    """The lines around an offset that its brackets tie together; rather too many than too few."""
    start = text.rfind("\n", 0, hit) + 1
    depth = _depth(text[start:hit])
    first = start
    for _ in range(LONGEST):
        if first == 0:
            break
        after = first
        first = text.rfind("\n", 0, first - 1) + 1
        depth += brackets.net(first, after)
        if depth > 0:
            start = first
    end = _lines_down(text, hit, 0)
    depth = _depth(text[start:end])
    for _ in range(LONGEST):
        if end >= len(text) or depth <= 0:
            break
        before = end
        end = _lines_down(text, end, 1)
        depth += _depth(text[before:end])
    return start, end


def _depth(text: str) -> int:
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def _lines_up(text: str, offset: int, lines: int) -> int:
    """Where the line stands that is so many lines above an offset."""
    start = text.rfind("\n", 0, offset) + 1
    for _ in range(lines):
        if start == 0:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return start


def _lines_down(text: str, offset: int, lines: int) -> int:
    """Where the line ends that is so many lines below an offset."""
    end = text.find("\n", offset)
    for _ in range(lines):
        if end < 0:
            break
        end = text.find("\n", end + 1)
    return end if end >= 0 else len(text)


@dataclass(frozen=True, slots=True)
class Passed:
    """The outcome for an edit that changes no finding."""

    text: str
    findings: tuple[Finding, ...]
    guard: Guard


def pass_over(
    text: str, findings: tuple[Finding, ...], known: Guard, edit: Edit, words: frozenset[str]
) -> Passed | None:
    """The text and the findings after an edit that cannot change them but by moving them; None for any other edit."""
    if _LINE_END.search(text, edit.start, edit.old_end):
        return None
    start = max(text.rfind("\n", 0, edit.start), text.rfind("\r", 0, edit.start)) + 1
    found = _LINE_END.search(text, edit.old_end)
    end = found.start() if found else len(text)
    if _inside(known.regions, start, end):
        return None
    before = text[start:end]
    lines = 0
    if _LINE_END.search(edit.text):
        # Enter at the end of a line: what follows it stays what it was.
        if edit.old_end > edit.start or edit.text.strip(" \t\r\n") or text[edit.start : end].strip(" \t"):
            return None
        if before.rstrip().endswith("\\"):
            return None
        lines = len(_NEWLINE.findall(edit.text))
    else:
        after = before[: edit.start - start] + edit.text + before[edit.old_end - start :]
        if not _ties_alike(text, start, before, after):
            return None
        used = {*_WORD.findall(before), *_WORD.findall(after)}
        if used & words or used & _KEYWORDS:
            return None
        if any(far.search(before) or far.search(after) for word, far in _FAR.items() if word in known.used):
            return None
        if _BINDS.search(before) or _BINDS.search(after):
            names = known.names if known.names is not None else _names(text, known.used)
            if names is None or used & names:
                return None
            known = replace(known, names=names)
    shift = len(edit.text) - (edit.old_end - edit.start)
    return Passed(
        text[: edit.start] + edit.text + text[edit.old_end :],
        tuple(_moved(finding, edit, shift, lines) for finding in findings),
        replace(
            known,
            regions=tuple(_shifted(region, edit, shift) for region in known.regions),
            pending=_covering(known.pending, edit),
        ),
    )


def _ties_alike(text: str, start: int, before: str, after: str) -> bool:
    """Whether a line hangs together with its neighbours in the same way before and after an edit."""
    ties = _ties(before)
    if ties is not None and ties == _ties(after):
        return True
    if before.strip() or not after.strip():
        return False
    # The first letter on an empty line: a further statement of the block that the line above stands in.
    above = _code_above(text, start)
    new = _ties(after)
    if above is None or new is None or above.rstrip().endswith((":", "\\")) or above.lstrip().startswith("@"):
        return False
    return new == _ties(above[: len(above) - len(above.lstrip())] + "x")


def _code_above(text: str, start: int) -> str | None:
    """The nearest line above that is neither empty nor a comment."""
    end = start - 1
    for _ in range(MARGIN):
        if end <= 0:
            return None
        first = text.rfind("\n", 0, end) + 1
        line = text[first:end]
        if line.strip() and not line.lstrip().startswith("#"):
            return line
        end = first - 1
    return None


def _inside(regions: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    index = bisect_right(regions, (end, end)) - 1
    return index >= 0 and regions[index][1] >= start


def _ties(line: str) -> str | None:
    """What ties a line to others: indentation, what it opens and closes, how it ends; None where that is not plain.

    Whether the line stands inside a longer string is not known, and need not be: it holds nothing that could end one.
    """
    if "\\" in line or '"""' in line or "'''" in line:
        return None
    open_brackets: list[str] = []
    last = ""
    for match in _TOKEN.finditer(line):
        kind, token = match.lastgroup, match.group()
        if kind == "prefix" or token in "\"'":
            return None
        if kind in ("comment", "space"):
            continue
        last = token
        if kind == "other" and token in "([{":
            open_brackets.append(token)
        elif kind == "other" and token in ")]}":
            if open_brackets and open_brackets[-1] == _OPENERS[token]:
                open_brackets.pop()
            else:
                open_brackets.append(token)
    indentation = line[: len(line) - len(line.lstrip(" \t\f"))] if last else ""
    shape = "".join(open_brackets)
    return f"{indentation}|{'@' if line.lstrip().startswith('@') else ''}|{shape}|{last if last == ':' else bool(last)}"


def _covering(pending: tuple[int, int, int] | None, edit: Edit) -> tuple[int, int, int]:
    """The stretch that covers what was passed over so far and one edit more."""
    if pending is None:
        return edit.start, edit.old_end, edit.start + len(edit.text)
    start, old_end, end = pending
    beyond = max(0, edit.old_end - end)
    shift = len(edit.text) - (edit.old_end - edit.start)
    return min(start, edit.start), old_end + beyond, end + beyond + shift


def _moved(finding: Finding, edit: Edit, shift: int, lines: int) -> Finding:
    if not shift or finding.start < edit.old_end:
        return finding
    return replace(
        finding,
        start=finding.start + shift,
        end=finding.end + shift,
        line=finding.line + lines,
        end_line=finding.end_line + lines,
    )


def _shifted(region: tuple[int, int], edit: Edit, shift: int) -> tuple[int, int]:
    return region if region[0] < edit.old_end else (region[0] + shift, region[1] + shift)


def _names(text: str, used: frozenset[str]) -> frozenset[str] | None:
    """The words that are used, those of the lines that bind one of them, and so on; None when there is no end."""
    names = set(used - _NO_NAMES)
    lines = (line for line in re.split(r"[\r\n]+", text) if _BINDS.search(line))
    bindings = [frozenset(_WORD.findall(line)) - _NO_NAMES for line in lines]
    for _ in range(DEPTH):
        more: set[str] = set()
        rest: list[frozenset[str]] = []
        for binding in bindings:
            if names.isdisjoint(binding):
                rest.append(binding)
            else:
                more |= binding
        if more <= names:
            return frozenset(names)
        names |= more
        bindings = rest
    return None
