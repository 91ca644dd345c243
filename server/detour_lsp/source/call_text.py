"""Rules a call out by the text between its brackets, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.import_lines import BLANKS
from detour_lsp.source.quoted import Quoted
from detour_lsp.source.spellings import names_of

_OPEN = re.compile(rb"\s*\(")
_MARK = re.compile(rb"[()\[\]{}#]|\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_BRACKET = re.compile(rb"[()\[\]{}]")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_COMMA = re.compile(rb"[()\[\]{},]|#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_LINE_COMMENTS = re.compile(rb"#[^\n]*")
_PASSED_BY_NAME = re.compile(rb"[A-Za-z_]\w*\s*=(?!=)")
_OPTIONS = re.compile(rb"\*\*\s*([A-Za-z_]\w*)\s*(?:[,#]|\Z)")
#: A longer call is not read to its end: whatever it passes, it may be meant.
_LONGEST = 3000
#: A bracket that was opened further above is no bracket of a call.
_FAR = 30_000


def call_possible(data: bytes, end: int, selector: Clause, constant: Callable[[bytes], bool]) -> bool:
    """Whether a function whose name ends at `end` may be called there as the selector says.

    `constant` tells whether a plain name may hold a constant.
    """
    opened = _OPEN.match(data, end)
    if opened is None:
        # Not called here: a decorator, an alias, an argument of `partial`.
        return True
    inner = _inside(data, opened.end())
    if inner is None:
        return True
    text, after = inner
    if b"**" in text:
        return "missing" not in selector or _is_written_out(data, text)
    if any(
        re.search(rb"\b" + re.escape(name.encode()) + rb"\s*=", text) for name in names_of(selector.get("missing", ()))
    ):
        return False
    keywords = cast("Mapping[str, Any]", selector.get("keyword", {}))
    if any(name.encode() not in text for name in keywords):
        # It may have come by `partial`; then the name stands before the call is completed, not here.
        return b"partial" in data
    if not all(_keyword_possible(text, name, wanted, constant) for name, wanted in keywords.items()):
        return b"partial" in data
    if "within" in selector and str(selector["within"]).startswith("@"):
        line = data[after : data.find(b"\n", after) if data.find(b"\n", after) >= 0 else len(data)]
        rest = line.lstrip(b" \t)").decode("utf-8", "replace")
        return re.match(str(selector["within"]), f"@ {rest}") is not None
    if not _count_possible(text, selector):
        return False
    sources = [
        str(predicate["source"])
        for predicate in cast("Mapping[str, Mapping[str, Any]]", selector.get("position", {})).values()
        if "source" in predicate
    ]
    argument = text.decode("utf-8", "replace").strip().rstrip(",").rstrip()
    return all(re.search(pattern, argument) is not None for pattern in sources) if _is_single(selector) else True


def _is_written_out(data: bytes, text: bytes) -> bool:
    """Whether the content of `**options` may stand in the file."""
    name = _OPTIONS.search(text)
    if name is None:
        return True
    return re.search(rb"(?<![\w.])" + re.escape(name[1]) + rb"[^=\n]*=\s*(?:\{|dict\()", data) is not None


def _keyword_possible(text: bytes, name: str, wanted: object, constant: Callable[[bytes], bool]) -> bool:
    """Whether a keyword may have the truth value that is asked for."""
    switch = cast("Mapping[str, Any]", wanted).get("is") if isinstance(wanted, Mapping) else None
    if not isinstance(switch, bool):
        return True
    found = re.findall(rb"\b" + re.escape(name.encode()) + rb"\s*=\s*([^\s,()\[\]{}#]+)\s*(?:[,#]|\Z)", text)
    if len(found) != 1:
        return True
    value = found[0]
    if value in (b"True", b"1", b"False", b"0", b"None"):
        return (value in (b"True", b"1")) is switch and value != b"None"
    return constant(value) if _NAME.fullmatch(value) is not None else True


def _count_possible(text: bytes, selector: Clause) -> bool:
    """Whether so many arguments may be passed; commas in nested brackets and strings are none of the call's own."""
    least = cast("Mapping[str, int]", selector.get("arguments", {})).get("min", 0)
    most = cast("Mapping[str, int]", selector.get("arguments", {})).get("max")
    positions = [int(number) for number in cast("Mapping[str, Any]", selector.get("position", {}))]
    least = max([least, *(number + 1 for number in positions)])
    if (most is None and not least) or b"*" in text:
        return True
    passed = len(_own_arguments(text))
    return passed >= least and (most is None or passed <= most)


def _own_arguments(text: bytes) -> list[bytes]:
    """The positional arguments in the text between a call's brackets."""
    parts: list[bytes] = []
    depth = position = 0
    for mark in _COMMA.finditer(text):
        what = mark[0]
        if what in (b"(", b"[", b"{"):
            depth += 1
        elif what in (b")", b"]", b"}"):
            depth -= 1
        elif what == b"," and depth == 0:
            parts.append(text[position : mark.start()])
            position = mark.end()
    parts.append(text[position:])
    return [part for part in map(_bare, parts) if part and _PASSED_BY_NAME.match(part) is None]


def _bare(part: bytes) -> bytes:
    return _LINE_COMMENTS.sub(b"", part).strip() if b"#" in part else part.strip()


def callee_of(data: bytes, place: int, quoted: Quoted) -> bytes | None:
    """The dotted name whose call a keyword at `place` is passed to, empty where there is none; None when not clear."""
    for first in (max(0, place - _LONGEST), max(0, place - _FAR)):
        opened = _opened(data, first, place, quoted)
        if opened is not None:
            break
    else:
        # Nothing is open there: an assignment.
        return b""
    if data[opened] != 40:
        return None
    before = data[max(0, opened - 200) : opened].rstrip()
    names = before.translate(BLANKS).rsplit(None, 2)
    if not names or not before.endswith(names[-1]) or names[-1].startswith(b"."):
        # What is called is no plain name.
        return None
    defined = len(names) > 1 and names[-2] in (b"def", b"class")
    return b"" if defined else names[-1]


def _opened(data: bytes, first: int, place: int, quoted: Quoted) -> int | None:
    """The nearest bracket in front of a place that is open there."""
    depth = 0
    for mark in reversed([match.start() for match in _BRACKET.finditer(data, first, place)]):
        if quoted.covers(mark):
            continue
        if data[mark] in b")]}":
            depth += 1
        elif depth:
            depth -= 1
        else:
            return mark
    return None


def _is_single(selector: Clause) -> bool:
    """Whether the call has one argument, which then is the whole text between the brackets."""
    return cast("Mapping[str, int]", selector.get("arguments", {})).get("max") == 1


def _inside(data: bytes, start: int) -> tuple[bytes, int] | None:
    """The text between the brackets that open in front of `start`, and where it ends; None when that is not clear."""
    depth, position = 1, start
    while position - start < _LONGEST:
        mark = _MARK.search(data, position, start + _LONGEST)
        if mark is None or (len(mark[0]) == 3 and mark[0][:1] in (b'"', b"'")):
            return None
        position = mark.end()
        what = mark[0]
        if what in (b"(", b"[", b"{"):
            depth += 1
        elif what in (b")", b"]", b"}"):
            depth -= 1
            if depth == 0:
                return data[start : mark.start()], position
        elif what == b"#":
            line_end = data.find(b"\n", position)
            position = line_end if line_end >= 0 else len(data)
    return None
