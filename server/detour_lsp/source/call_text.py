"""Rules a call out by the text between its brackets, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.spellings import names_of

_OPEN = re.compile(rb"\s*\(")
_MARK = re.compile(rb"[()\[\]{}#]|\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
#: A longer call is not read to its end: whatever it passes, it may be meant.
_LONGEST = 3000


def call_possible(data: bytes, end: int, selector: Clause) -> bool:
    """Whether a function whose name ends at `end` may be called there as the selector says."""
    opened = _OPEN.match(data, end)
    if opened is None:
        # Not called here: a decorator, an alias, an argument of `partial`.
        return True
    inner = _inside(data, opened.end())
    if inner is None:
        return True
    text, after = inner
    if b"**" in text:
        return "missing" not in selector
    if any(
        re.search(rb"\b" + re.escape(name.encode()) + rb"\s*=", text) for name in names_of(selector.get("missing", ()))
    ):
        return False
    keywords = cast("Mapping[str, Any]", selector.get("keyword", {}))
    if any(name.encode() not in text for name in keywords):
        # It may have come by `partial`; then the name stands before the call is completed, not here.
        return b"partial" in data
    if "within" in selector and str(selector["within"]).startswith("@"):
        line = data[after : data.find(b"\n", after) if data.find(b"\n", after) >= 0 else len(data)]
        rest = line.lstrip(b" \t)").decode("utf-8", "replace")
        return re.match(str(selector["within"]), f"@ {rest}") is not None
    sources = [
        str(predicate["source"])
        for predicate in cast("Mapping[str, Mapping[str, Any]]", selector.get("position", {})).values()
        if "source" in predicate
    ]
    argument = text.decode("utf-8", "replace").strip().rstrip(",").rstrip()
    return all(re.search(pattern, argument) is not None for pattern in sources) if _is_single(selector) else True


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
