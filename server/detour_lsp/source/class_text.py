"""Rules a `class` selector out by the text of the classes, before anything is parsed."""

from __future__ import annotations

import re

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.spellings import names_of

_CLASS = re.compile(rb"^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?", re.MULTILINE)
_METHOD_END = re.compile(rb"\n[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]")
_WORD = re.compile(rb"\w+")


def class_possible(data: bytes, selector: Clause) -> bool:
    """Whether some class that may derive from the selector's base lacks the call that the selector misses."""
    call, where = selector.get("missing_call"), str(selector.get("in", "__init__"))
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
    wanted = str(call).rpartition(".")[2].encode() + b"("
    method = re.compile(rb"\bdef[ \t]+" + re.escape(where.encode()) + rb"\b")
    for index, (start, _, words) in enumerate(headers):
        if not words & bases:
            continue
        stop = headers[index + 1][0] if index + 1 < len(headers) else len(data)
        for found in method.finditer(data, start, stop):
            ending = _METHOD_END.search(data, found.end(), stop)
            body = data[found.end() : ending.start() if ending is not None else stop]
            if wanted not in body and wanted not in body.replace(b" ", b""):
                return True
    return False
