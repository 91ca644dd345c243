"""Rules out, by the text around it, that an environment variable is set at a place."""

from __future__ import annotations

import re

from detour_lsp.source.import_lines import Source

#: What may be no string.
NO_STRING = re.compile(rb"\(?\s*(?:[-+]?[\d.]|True\b|False\b|None\b|[A-Za-z_]\w*\s*(?:[#;\r\n]|\Z))")
#: `os.environ` where it is written to: with what may be no string.
_ENVIRON_SET = re.compile(
    rb"\s*(?:\[[^\]\n]*\]\s*=(?!=)(?!\s*(?:[fFrRbBuU]{0,2}[\"']|str\())"
    rb"|\.(?:setdefault|__setitem__)\(\s*[^,\n]+,(?!\s*(?:[fFrRbBuU]{0,2}[\"']|str\())|\.update\b|\|=)"
)
_ENVIRON_VALUE = re.compile(rb"\s*\[[^\]\n]*\]\s*=\s*([A-Za-z_]\w*)[ \t]*(?:[#;\r\n]|\Z)")
_ENVIRON_UPDATED = re.compile(rb"\s*(?:\.update\(|\|=)\s*([A-Za-z_]\w*)[ \t]*(?:[)#;\r\n]|\Z)")
_GIVEN_NAME = re.compile(rb"(?:^|[;:(\s])[\w.]+[ \t]*(?::[^=\n]*)?:?=[ \t]*\(?[ \t]*(?:\w+\.)?\Z")
#: `os.environ` where it is handed on.
_ENVIRON_PASSED = re.compile(rb"\s*(?:\Z|[,)\r\n;#])")
_MAPPING = re.compile(rb"\(?\s*(?:\{|dict\()")
_PASSED_ON = re.compile(rb"^\s*\w+=(?:\w+\.)*\Z")


def variable_possible(source: Source, word: str, end: int) -> bool:
    """Whether a variable's name, or `environ`, stands where a variable is set."""
    data = source.data
    if word != "environ":
        return _variable_written(data, end)
    if _ENVIRON_SET.match(data, end) is not None:
        given, updated = _ENVIRON_VALUE.match(data, end), _ENVIRON_UPDATED.match(data, end)
        if given is not None and not source.may_be_given(given[1], NO_STRING):
            return given[1] in (b"True", b"False", b"None")
        if updated is not None and not source.may_be_given(updated[1], _MAPPING):
            return False
        return not source.quoted.covers(end - 1)
    if _ENVIRON_PASSED.match(data, end) is None:
        return False
    line = data[data.rfind(b"\n", 0, end) + 1 : end - len(word)]
    if _PASSED_ON.match(line) is not None and data[end : end + 1] in (b",", b")"):
        return False
    handed = b"dict(" in data[max(0, end - 120) : end] or b"import" in line
    return (handed or _GIVEN_NAME.search(line) is not None) and not source.quoted.covers(end - 1)


def _variable_written(data: bytes, end: int) -> bool:
    """Whether a variable's name stands where it is set, not where it is read."""
    before = data[max(0, end - 200) : end]
    cut = max(before.rfind(b'"', 0, -1), before.rfind(b"'", 0, -1))
    lead = before[:cut].rstrip() if cut > 0 else b""
    return not lead.endswith((b".get(", b"getenv(", b" in", b"(in"))
