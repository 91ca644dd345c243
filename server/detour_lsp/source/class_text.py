"""Rules a `class` selector out by the text of the classes, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.quoted import Quoted
from detour_lsp.source.spellings import names_of

_CLASS = re.compile(rb"^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?", re.MULTILINE)
_METHOD_END = re.compile(rb"\n[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]")
_WORD = re.compile(rb"\w+")


def class_possible(data: bytes, selector: Clause, quoted: Quoted) -> bool:
    """Whether some class that may derive from the selector's base lacks the call that the selector misses."""
    call, where = selector.get("missing_call"), str(selector.get("in", "__init__"))
    if call is not None and not any(True for _ in _lacking(data, 0, len(data), str(call), where, quoted)):
        return False
    bases = {name.rpartition(".")[2].encode() for name in names_of(selector["class"])}
    headers = [(match.start(), match[2], set(_WORD.findall(match[3] or b""))) for match in _CLASS.finditer(data)]
    while True:
        # Classes of this file that derive from it through others.
        more = {name for _, name, words in headers if words & bases} - bases
        if not more:
            break
        bases |= more
    if call is None:
        return any(words & bases for _, _, words in headers)
    for index, (start, _, words) in enumerate(headers):
        stop = headers[index + 1][0] if index + 1 < len(headers) else len(data)
        if words & bases and any(True for _ in _lacking(data, start, stop, str(call), where, quoted)):
            return True
    return False


def _lacking(data: bytes, start: int, stop: int, call: str, where: str, quoted: Quoted) -> Iterator[int]:
    """The methods of that name whose text does not hold the call."""
    wanted, name = call.rpartition(".")[2].encode() + b"(", b"def " + where.encode() + b"("
    position = data.find(name, start, stop)
    while position >= 0:
        after = position + len(name)
        ending = _METHOD_END.search(data, after, stop)
        end = ending.start() if ending is not None else stop
        lacks = data.find(wanted, after, end) < 0 and wanted not in data[after:end].replace(b" ", b"")
        if lacks and not quoted.covers(position):
            yield position
        position = data.find(name, after, stop)
