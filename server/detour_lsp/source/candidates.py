"""Rules out, without parsing, most of the places where a selector's word stands.

`load`, `compile` and `Module` are in every file, `torch.load` is in few. The dotted chain in front of a word and the
file's import lines, read as text, already tell that most of these places cannot be meant. Only what is certain is ruled
out: whoever is left is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.call_text import call_possible
from detour_lsp.source.class_text import class_possible
from detour_lsp.source.import_lines import Source
from detour_lsp.source.spellings import names_of, public

_CHAIN = re.compile(rb"((?:\w+\s*\.[ \t]*)+)$")
_SPACES = re.compile(rb"\s+")
_WINDOW = 160
#: Behind a setting that is written: `= value`, `+= 1`, `: int = 0`, or more targets and then `=`.
_WRITTEN = re.compile(rb"[^\n]*?(?<![=!<>])=(?!=)")
#: Behind a function that is called, or given to a name or another function.
_CALLED = re.compile(rb"\s*(?:\(|,|\)|[;#\r\n]|if\b|or\b|$)")
#: `os.environ` where it is written to or passed on.
_ENVIRON = re.compile(
    rb"\s*(?:\[[^\]\n]*\]\s*=(?!=)\s*(?![fFrRbBuU]{0,2}[\"']|str\()|\.(?:setdefault|update|__setitem__)\b|\|=|$|[,)\r\n;#])"
)
_KEYWORD = re.compile(rb"\s*=(?!=)|[\"']\s*:")
_LINE_COMMENT = re.compile(rb"^\s*(?:#|>>>|\.\.\. )")
_MOST_HITS = 400


def possible(
    source: Source, selectors: Sequence[Clause], active: Iterable[int], hits: Mapping[str, Sequence[int]], needs: Needs
) -> list[int]:
    """Those of the active selectors that the text around their words does not rule out."""
    return [
        index
        for index in active
        if any(_selector_possible(source, selectors[index], word, hits.get(word, ())) for word, _ in needs[index])
    ]


Needs = Sequence[Sequence[tuple[str, tuple[str, ...]]]]


def _selector_possible(source: Source, selector: Clause, word: str, ends: Sequence[int]) -> bool:
    if not ends:
        return False
    if len(ends) > _MOST_HITS:
        return True
    if "class" in selector:
        return class_possible(source.data, selector)
    if "env" in selector:
        if word == "environ":
            return any(_ENVIRON.match(source.data, end) is not None for end in ends)
        return any(_written(source.data, end) for end in ends)
    if "statement" in selector and not _statement_possible(source, str(selector["statement"])):
        return False
    head = next(head for head in ("set", "call", "decorator", "use") if head in selector)
    names = {public(name) for name in names_of(selector[head])}
    if any("*" in name for name in names):
        # The word is a keyword: `size_average=False`, or a key of what is passed by `**`.
        return any(_KEYWORD.match(source.data, end) is not None for end in ends)
    return any(_hit_possible(source, selector, head, names, word, end) for end in ends)


def _statement_possible(source: Source, pattern: str) -> bool:
    # A comment may stand behind the statement.
    return re.search(pattern.removesuffix("$"), source.data.decode("utf-8", "replace"), re.MULTILINE) is not None


def _hit_possible(source: Source, selector: Clause, head: str, names: set[str], word: str, end: int) -> bool:
    data = source.data
    start = end - len(word)
    line_start = data.rfind(b"\n", 0, start) + 1
    if _LINE_COMMENT.match(data, line_start) is not None or _is_comment(data, line_start, start):
        return False
    before = data[start - 1 : start]
    if before in (b"'", b'"') or data[end : end + 1] in (b"'", b'"'):
        # A string: the name of an attribute that is set or got.
        return (head == "set" and _sets_by_string(data)) or source.indirect
    if not _followed(data, head, end, line_start):
        return False
    if head == "call" and not call_possible(data, end, selector):
        return False
    window = data[max(0, start - _WINDOW) : start]
    chain = _CHAIN.search(window)
    if chain is None:
        stripped = window.rstrip()
        if stripped.endswith(b".") and not stripped.endswith(b".."):
            # A method of an expression.
            return f".{word}" in names or (source.indirect and not stripped.endswith(b"..."))
        if head == "set":
            # A keyword of `patch(...)`, or a key.
            owners = {name.rpartition(".")[0].rpartition(".")[2].encode() for name in names}
            return b"patch" in data and any(owner in data for owner in owners)
        return not source.every().isdisjoint(names)
    if window[: chain.start()].rstrip(b" \t").endswith(b"."):
        # The chain hangs on a call or an item.
        return f".{word}" in names or source.indirect
    parts = [part for part in _SPACES.sub(b"", chain[1]).split(b".") if part]
    if f".{word}" in names:
        return True
    rest = ".".join([*(part.decode("ascii", "replace") for part in parts[1:]), word])
    meanings = source.meanings(parts[0])
    if not meanings and parts[0].decode("ascii", "replace") in {name.partition(".")[0] for name in names}:
        meanings = {parts[0].decode("ascii", "replace")}
    if any(public(f"{meaning}.{rest}") in names for meaning in meanings):
        return True
    return source.winds(parts[0])


def _sets_by_string(data: bytes) -> bool:
    return b"setattr" in data or b"patch" in data or b"__dict__" in data or b"vars(" in data


def _followed(data: bytes, head: str, end: int, line_start: int) -> bool:
    """Whether what stands behind a word fits what a selector looks for."""
    match head:
        case "set":
            return _WRITTEN.match(data, end) is not None
        case "call":
            return _CALLED.match(data, end) is not None or b"import" in data[line_start:end]
        case "decorator":
            line = data[line_start:end].lstrip()
            return line.startswith(b"@") or b"import" in line or b"=" in line
        case _:
            return True


def _is_comment(data: bytes, line_start: int, start: int) -> bool:
    line = data[line_start:start]
    return b"#" in line and b'"' not in line and b"'" not in line


def _written(data: bytes, end: int) -> bool:
    """Whether a variable's name stands where it is set, not where it is read."""
    before = data[max(0, end - 200) : end]
    cut = max(before.rfind(b'"', 0, -1), before.rfind(b"'", 0, -1))
    lead = before[:cut].rstrip() if cut > 0 else b""
    return not lead.endswith((b".get(", b"getenv(", b" in", b"(in"))
