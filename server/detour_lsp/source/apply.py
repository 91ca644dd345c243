"""Text edits put into effect: on strings, on files, and as diffs.

A repair touches a file that somebody cares about, so everything that is not the edit stays as it was: encoding, byte
order mark, line endings, a missing final newline, mode bits, a symbolic link. A file changes as a whole or not at all.
"""

from __future__ import annotations

import codecs
import contextlib
import difflib
import io
import itertools
import os
import re
import stat
import tempfile
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from detour_lsp.source.finding import FileEdit, TextEdit

#: Larger than any hand-written program; guards against a checkpoint that is named `.py`.
MAX_FILE_BYTES = 20_000_000

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class ApplyError(Exception):
    """Why edits were not applied, in a sentence for the user."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text without byte order mark, line endings untouched, and what is needed to write it back."""

    text: str
    encoding: str = "utf-8"
    bom: bool = False

    def encode(self, text: str) -> bytes:
        """The bytes of the file with `text` in it."""
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            character = text[error.start]
            raise ApplyError(f"the edit needs {character!r}, which {self.encoding} cannot express") from error
        return codecs.BOM_UTF8 + data if self.bom else data


def decode(data: bytes, name: str = "the file") -> FileText:
    """Python source bytes as text, by byte order mark and encoding cookie as Python itself reads them."""
    if len(data) > MAX_FILE_BYTES:
        raise ApplyError(f"{name} has more than {MAX_FILE_BYTES} bytes")
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        encoding = "utf-8" if bom else tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        text = (data[3:] if bom else data).decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise ApplyError(f"{name} cannot be read as Python source: {error}") from error
    return FileText(text, encoding, bom)


def read_file(path: str | Path) -> FileText:
    """The text of a Python file or notebook."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ApplyError(f"{path} cannot be read: {error.strerror or error}") from error
    return decode(data, str(path))


def check(edits: Sequence[TextEdit], length: int) -> None:
    """Raise ApplyError unless the edits are sorted, inside a text of that length, and do not overlap."""
    last = 0
    for edit in edits:
        if not last <= edit.start <= edit.end <= length:
            raise ApplyError("the edits overlap or lie outside the text")
        last = edit.end


def apply(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after all edits, which count in the text as given."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    check(ordered, len(text))
    parts: list[str] = []
    last = 0
    for edit in ordered:
        parts += (text[last : edit.start], edit.text)
        last = edit.end
    return "".join(parts) + text[last:]


def overlaps(first: Sequence[FileEdit], second: Sequence[FileEdit]) -> bool:
    """Whether two repairs touch the same place; two insertions at one place count, since their order would decide."""
    for a in first:
        for b in second:
            if a.path == b.path and any(_touch(x, y) for x in a.edits for y in b.edits):
                return True
    return False


def _touch(a: TextEdit, b: TextEdit) -> bool:
    if a.start == a.end or b.start == b.end:
        return a.start <= b.end and b.start <= a.end
    return a.start < b.end and b.start < a.end


def merge(edits: Iterable[FileEdit]) -> list[FileEdit]:
    """The edits of several repairs as one per file; the same edit twice is one edit. Raises ApplyError on overlap."""
    files: dict[str, dict[TextEdit, None]] = {}
    for file in edits:
        files.setdefault(file.path, {}).update(dict.fromkeys(file.edits))
    merged: list[FileEdit] = []
    for path, unique in files.items():
        ordered = sorted(unique, key=lambda edit: (edit.start, edit.end))
        for a, b in itertools.pairwise(ordered):
            if _touch(a, b):
                raise ApplyError("two repairs change the same place")
        merged.append(FileEdit(path, tuple(ordered)))
    return merged


def difference(before: str, after: str) -> list[TextEdit]:
    """Edits of whole lines that turn one text into the other."""
    old, new = _lines(before), _lines(after)
    starts = [0, *itertools.accumulate(len(line) for line in old)]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        TextEdit(starts[i1], starts[i2], "".join(new[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def diff(path: str, before: str, after: str) -> str:
    """A unified diff that `patch -p1` and `git apply` take."""
    name = path.replace(os.sep, "/").lstrip("/")
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}", n=3)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    # Not splitlines(): a form feed or a Unicode separator is no line end for Python, patch or git.
    return _LINE.findall(text)


def write_file(path: str | Path, before: FileText, text: str) -> None:
    """Replace a file's content in one step. `before` is what was read: a file that has changed since is left alone."""
    target = Path(os.path.realpath(path))
    data = before.encode(text)
    try:
        current = target.read_bytes()
        mode = stat.S_IMODE(target.stat().st_mode)
        if current != before.encode(before.text):
            raise ApplyError(f"{path} has changed meanwhile; nothing was written")
        if not os.access(target, os.W_OK):
            raise ApplyError(f"{path} is read-only")
        _replace(target, data, mode)
    except OSError as error:
        raise ApplyError(f"{path} cannot be written: {error.strerror or error}") from error


def _replace(target: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".detour", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # Not fchmod: Windows has none.
        Path(name).chmod(mode)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
