"""What the import lines and plain assignments of a file say, read as bytes and without a parser: enough to rule names
out, not to decide."""

from __future__ import annotations

import re
from collections.abc import Iterator

from detour_lsp.source.quoted import Quoted
from detour_lsp.source.spellings import public

_IMPORT_LINE = re.compile(
    rb"[^\n#'\"]*?\b(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([\w.][^\n#;]*))"
)
_PART = re.compile(rb"([\w.]+)(?:\s+as\s+(\w+))?")
#: Ways to a name that the chain in front of a word does not show.
_INDIRECT = re.compile(rb"\b(?:getattr|import_module|__import__|sys\.modules)\b")
#: `m = getattr(torch, "_dynamo")`, `m = torch if x else y`.
_WINDING = re.compile(rb"getattr|import|modules|\bif\b|\bor\b")
#: Behind a name that is given something: `= torch._dynamo.config`, `: Any = torch`, `:= torch`.
_GIVEN = re.compile(rb"[ \t]*(?::[^=\n]*)?:?=(?!=)[ \t]*(\(?[ \t]*([A-Za-z_][\w.]*)?[^\n]*)")
#: Names that nobody gives to a module.
_OBJECTS = frozenset({b"self", b"cls"})
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")
_DEPTH = 3


class Source:
    """A file's bytes and what its import lines say, read when first asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.quoted = Quoted(data)
        self._names: dict[bytes, set[str]] | None = None
        self._given: dict[bytes, tuple[frozenset[bytes], bool]] = {}
        self._assigned: dict[bytes, set[str]] = {}
        self._every: frozenset[str] | None = None
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

    def every(self) -> frozenset[str]:
        """All qualified names that import statements name."""
        if self._every is None:
            self._every = frozenset({public(name) for names in self.imported().values() for name in names})
        return self._every

    def winds(self, name: bytes) -> bool:
        """Whether a plain name is given something by a winding way: `m = getattr(torch, "_dynamo")`."""
        return self._what_is_given(name)[1]

    def meanings(self, name: bytes, depth: int = _DEPTH) -> set[str]:
        """The qualified names that a plain name may have, through imports and `cfg = torch._dynamo.config`."""
        found = self.imported().get(name)
        if found is not None:
            return found
        known = self._assigned.get(name)
        if known is None and depth > 0:
            known = self._assigned[name] = set()
            for value in self._what_is_given(name)[0]:
                first, dot, rest = value.partition(b".")
                if first == name:
                    continue
                plain = {first.decode("ascii", "replace")} if dot else set[str]()
                for meaning in self.meanings(first, depth - 1) or plain:
                    known.add(f"{meaning}{dot.decode()}{rest.decode('ascii', 'replace')}")
        return known or set()

    def given(self, name: bytes) -> list[bytes]:
        """What stands on the right of the assignments to a plain name."""
        return [rest for rest, _ in self._assignments(name)]

    def _what_is_given(self, name: bytes) -> tuple[frozenset[bytes], bool]:
        """The dotted names that a plain name is given somewhere, and whether it is given anything by a winding way."""
        known = self._given.get(name)
        if known is None:
            values: set[bytes] = set()
            winding = False
            for rest, value in self._assignments(name) if name not in _OBJECTS else ():
                if value is not None:
                    values.add(value)
                winding = winding or _WINDING.search(rest) is not None
            known = self._given[name] = frozenset(values), winding
        return known

    def _assignments(self, name: bytes) -> Iterator[tuple[bytes, bytes | None]]:
        """What stands on the right of each assignment to a plain name, and the dotted name that it begins with."""
        data, size = self.data, len(name)
        for sign in (b" =", b"=", b":", b" :"):
            position = data.find(name + sign)
            while position >= 0:
                match = None
                if position == 0 or data[position - 1] not in _WORD_BYTES:
                    match = _GIVEN.match(data, position + size)
                if match is not None:
                    yield match[1], match[2]
                position = data.find(name + sign, position + size)


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
