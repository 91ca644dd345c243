"""What the import lines of a file say, read as bytes and without a parser: enough to rule names out, not to decide."""

from __future__ import annotations

import re

from detour_lsp.source.spellings import public

_IMPORT_LINE = re.compile(
    rb"[^\n#'\"]*?\b(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([\w.][^\n#;]*))"
)
_PART = re.compile(rb"([\w.]+)(?:\s+as\s+(\w+))?")
#: Ways to a name that the chain in front of a word does not show.
_INDIRECT = re.compile(rb"\b(?:getattr|import_module|__import__|sys\.modules)\b")
#: `m = getattr(torch, "_dynamo")`, `m = torch if x else y`.
_WINDING = re.compile(rb"getattr|import|modules|\bif\b|\bor\b")
#: Names that nobody gives to a module.
_OBJECTS = frozenset({b"self", b"cls"})


class Source:
    """A file's bytes and what its import lines say, read when first asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._names: dict[bytes, set[str]] | None = None
        self._assigned: dict[bytes, set[str]] = {}
        self._winding: dict[bytes, bool] = {}
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

    def winds(self, name: bytes) -> bool:
        """Whether a plain name is given something by a winding way: `m = getattr(torch, "_dynamo")`."""
        known = self._winding.get(name)
        if known is None:
            known = False
            if self._is_assigned(name):
                pattern = rb"(?<![\w.])" + re.escape(name) + rb"[ \t]*=([^=\n][^\n]*)"
                known = any(_WINDING.search(value) for value in re.findall(pattern, self.data))
            self._winding[name] = known
        return known

    def _is_assigned(self, name: bytes) -> bool:
        """Whether the file may give something to a plain name; most chains hang on names that are never assigned."""
        if name in _OBJECTS:
            return False
        return any(name + sign in self.data for sign in (b" =", b"=", b":", b" :"))

    def meanings(self, name: bytes, depth: int = 3) -> set[str]:
        """The qualified names that a plain name may have, through imports and `cfg = torch._dynamo.config`."""
        found = self.imported().get(name)
        if found is not None:
            return found
        known = self._assigned.get(name)
        if known is None and depth > 0:
            known = self._assigned[name] = set()
            if not self._is_assigned(name):
                return known
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
