"""Rules out, without parsing, most of the places where a selector's word stands.

`load`, `compile` and `Module` are in every file, `torch.load` is in few. The dotted chain in front of a word and the
file's import lines, read as text, already tell that most of these places cannot be meant. Only what is certain is ruled
out: whoever is left is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.spellings import names_of, public

_IMPORT_LINE = re.compile(
    rb"[^\n#'\"]*?\b(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([\w.][^\n#;]*))"
)
_PART = re.compile(rb"([\w.]+)(?:\s+as\s+(\w+))?")
#: Ways to a name that the chain in front of a word does not show.
_INDIRECT = re.compile(rb"\b(?:getattr|import_module|__import__|sys\.modules)\b")
_CHAIN = re.compile(rb"((?:\w+\s*\.[ \t]*)+)$")
_SPACES = re.compile(rb"\s+")
_WINDOW = 160
#: Behind a setting that is written: `= value`, `+= 1`, `: int = 0`, or more targets and then `=`.
_WRITTEN = re.compile(rb"[^\n]*?(?<![=!<>])=(?!=)")
#: Behind a function that is called, or given to a name or another function.
_CALLED = re.compile(rb"\s*(?:\(|,|\)|[;#\r\n]|if\b|or\b|$)")
_KEYWORD = re.compile(rb"\s*=(?!=)|[\"']\s*:")
_LINE_COMMENT = re.compile(rb"^\s*(?:#|>>>|\.\.\. )")
_MOST_HITS = 400


class Source:
    """A file's bytes and what its import lines say, read when first asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._names: dict[bytes, set[str]] | None = None
        self._assigned: dict[bytes, set[str]] = {}
        self._every: set[str] | None = None
        self._indirect: bool | None = None

    @property
    def indirect(self) -> bool:
        """Whether the file reaches modules by strings."""
        if self._indirect is None:
            self._indirect = _INDIRECT.search(self.data) is not None
        return self._indirect

    def imported(self) -> dict[bytes, set[str]]:
        """The qualified names that import statements give to plain names, anywhere in the file."""
        if self._names is None:
            self._names = _imported(self.data)
        return self._names

    def every(self) -> set[str]:
        """All qualified names that import statements name."""
        if self._every is None:
            self._every = {public(name) for names in self.imported().values() for name in names}
        return self._every

    def meanings(self, name: bytes, depth: int = 3) -> set[str]:
        """The qualified names that a plain name may have, through imports and `cfg = torch._dynamo.config`."""
        found = self.imported().get(name)
        if found is not None:
            return found
        known = self._assigned.get(name)
        if known is None and depth > 0:
            known = self._assigned[name] = set()
            pattern = rb"(?<![\w.])" + re.escape(name) + rb"[ \t]*(?::[^=\n]*)?:?=[ \t]*\(?([A-Za-z_][\w.]*)"
            for value in set(re.findall(pattern, self.data)):
                first, dot, rest = value.partition(b".")
                if first == name:
                    continue
                plain = {first.decode("ascii", "replace")} if dot else set[str]()
                for meaning in self.meanings(first, depth - 1) or plain:
                    known.add(f"{meaning}{dot.decode()}{rest.decode('ascii', 'replace')}")
        return known or set()


def _imported(data: bytes) -> dict[bytes, set[str]]:
    names: dict[bytes, set[str]] = {}
    position = data.find(b"import")
    while position >= 0:
        match = _IMPORT_LINE.match(data, data.rfind(b"\n", 0, position) + 1)
        if match is None or match.end() <= position:
            position = data.find(b"import", position + 6)
            continue
        module, imported, plain = match.groups()
        if module is not None:
            prefix = module.decode("ascii", "replace")
            for name, alias in _PART.findall(imported.partition(b"#")[0] if imported[:1] != b"(" else imported):
                names.setdefault(alias or name, set()).add(f"{prefix}.{name.decode('ascii', 'replace')}")
        else:
            for name, alias in _PART.findall(plain):
                text = name.decode("ascii", "replace")
                names.setdefault(alias or name.partition(b".")[0], set()).add(text if alias else text.partition(".")[0])
        position = data.find(b"import", match.end())
    return names


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
        return _class_possible(source.data, selector)
    if "env" in selector:
        return any(_written(source.data, end) for end in ends)
    head = next(head for head in ("set", "call", "decorator", "use") if head in selector)
    names = {public(name) for name in names_of(selector[head])}
    if any("*" in name for name in names):
        # The word is a keyword: `size_average=False`, or a key of what is passed by `**`.
        return any(_KEYWORD.match(source.data, end) is not None for end in ends)
    return any(_hit_possible(source, head, names, word, end) for end in ends)


def _hit_possible(source: Source, head: str, names: set[str], word: str, end: int) -> bool:
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
    # `cfg = getattr(torch, "_dynamo").config`, `m = torch if x else y`.
    return (
        re.search(rb"\b" + re.escape(parts[0]) + rb"[ \t]*=[^=\n]*(?:getattr|import|modules|\bif\b|\bor\b)", data)
        is not None
    )


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


def _class_possible(data: bytes, selector: Clause) -> bool:
    call, where = selector.get("missing_call"), str(selector.get("in", "__init__"))
    if call is None:
        return True
    wanted = str(call).rpartition(".")[2].encode() + b"("
    pieces = re.split(rb"\bdef\s+" + re.escape(where.encode()) + rb"\b", data)[1:]
    for piece in pieces:
        body = re.split(rb"\n[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]", piece, maxsplit=1)[0]
        if wanted not in body.replace(b" ", b""):
            return True
    return False
