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
_STARRED = re.compile(rb"\bfrom[ \t]+([\w.]+)[ \t]+import[ \t]*\*")
_PART = re.compile(rb"([\w.]+)(?:\s+as\s+(\w+))?")
#: Ways to a name that the chain in front of a word does not show.
_INDIRECT = (b"getattr", b"import_module", b"__import__", b"sys.modules")
#: A dotted name and nothing else that something is given: `cfg = torch._dynamo.config`, `th = torch if new else None`.
_DOTTED = (
    rb"[ \t]*(?:\([ \t]*([A-Za-z_][\w.]*)[ \t]*\)|([A-Za-z_][\w.]*))[ \t]*"
    rb"(?=[#;=\r\n]|if\b|or\b|else\b|\)[ \t]*[:#;\r\n]|\Z)"
)
_GIVEN = re.compile(rb"=(?!=)" + _DOTTED)
_OTHERWISE = tuple(re.compile(word + _DOTTED) for word in (rb" else", rb" or"))
#: `nn, F = torch.nn, torch.nn.functional`
_SEVERAL = re.compile(rb",[ \t]*\w+[ \t]*=(?!=)[ \t]*[A-Za-z_][\w.]*[ \t]*,")
_ANNOTATED = re.compile(rb"[ \t]*([A-Za-z_][\w.]*)[ \t]*:[^=\n]")
#: Everything but what a dotted name is made of becomes a blank.
BLANKS = bytes(
    code if code in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_." or code > 127 else 32
    for code in range(256)
)
_TARGETS = re.compile(rb"[ \t]*\(?[A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)+\)?[ \t]*\Z")
_FIRST_TARGET = re.compile(rb"[ \t]*(?:if |while |[^=\n]*\()?([A-Za-z_][\w.]*)[ \t]*(?::[^=\n]*)?:?=(?!=)")
_NAME = re.compile(rb"[A-Za-z_][\w.]*")
_EDGES = frozenset({b"", b" ", b"\t", b"\n", b"\r", b"(", b",", b";", b":", b"*"})
_DEPTH = 3


class Source:
    """A file's bytes and what its import lines say, read when first asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.quoted = Quoted(data)
        self._names: dict[bytes, set[str]] | None = None
        self._aliases: dict[bytes, set[bytes]] | None = None
        self._winding: frozenset[bytes] | None = None
        self._assigned: dict[bytes, set[str]] = {}
        self._every: frozenset[str] | None = None
        self._starred: list[str] | None = None
        self._indirect: bool | None = None

    @property
    def indirect(self) -> bool:
        """Whether the file reaches modules by strings."""
        if self._indirect is None:
            self._indirect = any(way in self.data for way in _INDIRECT)
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

    def starred(self) -> list[str]:
        """The modules of `from module import *`."""
        if self._starred is None:
            some = b"import *" in self.data or b"import  *" in self.data
            found = _STARRED.finditer(self.data) if some else ()
            self._starred = [match[1].decode("ascii", "replace") for match in found]
        return self._starred

    def is_class(self, name: bytes) -> bool:
        """Whether the file has a class of that name; its attributes are then names of the file."""
        return b"class " + name in self.data

    def winds(self, name: bytes) -> bool:
        """Whether a plain name is given something by a winding way: `m = getattr(torch, "_dynamo")`."""
        if self._winding is None:
            self._winding = frozenset(_winding(self.data)) if self.indirect else frozenset[bytes]()
        return name in self._winding

    def meanings(self, name: bytes, depth: int = _DEPTH) -> set[str]:
        """The qualified names that a plain name may have, through imports and `cfg = torch._dynamo.config`."""
        found = self.imported().get(name)
        if found is not None:
            return found
        known = self._assigned.get(name)
        if known is None and depth > 0:
            known = self._assigned[name] = set()
            for value in self.aliases().get(name, ()):
                first, dot, rest = value.partition(b".")
                if first == name:
                    continue
                plain = {first.decode("ascii", "replace")} if dot else set[str]()
                for meaning in self.meanings(first, depth - 1) or plain:
                    known.add(f"{meaning}{dot.decode()}{rest.decode('ascii', 'replace')}")
        return known or set()

    def aliases(self) -> dict[bytes, set[bytes]]:
        """The dotted names that names are given somewhere in the file."""
        if self._aliases is None:
            self._aliases = _aliases(self.data)
        return self._aliases

    def given(self, name: bytes) -> list[bytes]:
        """What stands on the right of the assignments to a plain name."""
        pattern = re.compile(re.escape(name) + rb"[ \t]*(?::[^=\n]*)?:?=(?!=)[ \t]*([^\n]*)")
        data = self.data
        return [match[1] for match in pattern.finditer(data) if data[match.start() - 1 : match.start()] in _EDGES]

    def may_be_given(self, name: bytes, what: re.Pattern[bytes]) -> bool:
        """Whether a plain name is given anything that begins so."""
        return any(what.match(rest) is not None for rest in self.given(name))


def _aliases(data: bytes) -> dict[bytes, set[bytes]]:
    found: dict[bytes, set[bytes]] = {}
    for match in _GIVEN.finditer(data):
        position = match.start()
        before = data[max(0, position - 80) : position].rstrip(b" \t:")
        names = before.translate(BLANKS).rsplit(None, 1)
        if not names or not before.endswith(names[-1]):
            continue
        value = match[1] or match[2]
        if names[-1] != value:
            found.setdefault(names[-1], set()).add(value)
        annotated = _ANNOTATED.match(data, data.rfind(b"\n", 0, position) + 1, position)
        if annotated is not None:
            found.setdefault(annotated[1], set()).add(value)
    for match in _SEVERAL.finditer(data):
        position = data.find(b"=", match.start())
        start, end = data.rfind(b"\n", 0, position) + 1, data.find(b"\n", position)
        if _TARGETS.match(data, start, position) is not None:
            values = _NAME.findall(data, position, end if end >= 0 else len(data))
            for name in _NAME.findall(data, start, position):
                found.setdefault(name, set()).update(values)
    for pattern in _OTHERWISE:
        for match in pattern.finditer(data):
            target = _FIRST_TARGET.match(data, data.rfind(b"\n", 0, match.start()) + 1, match.start())
            if target is not None:
                found.setdefault(target[1], set()).add(match[1] or match[2])
    return found


def _winding(data: bytes) -> Iterator[bytes]:
    for way in _INDIRECT:
        position = data.find(way)
        while position >= 0:
            target = _FIRST_TARGET.match(data, data.rfind(b"\n", 0, position) + 1, position)
            if target is not None:
                yield target[1]
            position = data.find(way, position + len(way))


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
