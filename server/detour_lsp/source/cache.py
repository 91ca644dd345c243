"""Findings kept by what a file contains: a second run reads only what has changed since.

The key holds everything that the findings depend on: the bytes, whether the path makes the file a test, the selectors
and their texts, the torch version, and Detour's own code. A cache that cannot be read or written is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath

import msgspec

from detour_lsp.knowledge.storage import cache_directory
from detour_lsp.source.check import Detection, Knowledge, detections_of
from detour_lsp.source.finding import Finding
from detour_lsp.version import __version__

_MOST = 50_000


class ResultCache:
    """The findings of one state of the knowledge; entries that were used last stay."""

    def __init__(self, file: Path, entries: dict[str, tuple[Finding, ...]]) -> None:
        self._file = file
        self._entries = entries
        self._new: dict[str, tuple[Finding, ...]] = {}
        self._taken: list[tuple[str, tuple[Finding, ...]]] = []

    @classmethod
    def open(cls, knowledge: Knowledge, torch: str | None) -> ResultCache:
        """The cache for a knowledge base and a torch version; empty when there is none yet."""
        found: Sequence[Detection] | None = getattr(knowledge, "detections", None)
        detections = found if found is not None else detections_of(knowledge.records.values())
        stamp = hashlib.blake2b(digest_size=12)
        for item in detections:
            stamp.update(repr((item.record, item.dead_end, item.selector, item.severity)).encode())
            dead_end = knowledge.records[item.record].dead_ends[item.dead_end]
            stamp.update(f"{dead_end.action}\0{dead_end.why_fails}".encode("utf-8", "surrogatepass"))
        stamp.update(repr((torch, __version__, _own_code())).encode())
        file = cache_directory() / "check" / f"{stamp.hexdigest()}.msgpack"
        entries: dict[str, tuple[Finding, ...]] = {}
        with contextlib.suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
            entries = msgspec.msgpack.decode(file.read_bytes(), type=dict[str, tuple[Finding, ...]])
        return cls(file, entries)

    def key(self, data: bytes, path: str) -> str:
        """The key of a file's content."""
        pure = PurePath(path.replace("\\", "/"))
        # The parts of a path that decide about tests, and the kind of file.
        about = (pure.suffix.lower(), pure.name.startswith("test_"), pure.stem.endswith("_test"), pure.name)
        folders = sorted({"test", "tests", "testing"} & set(pure.parts[:-1]))
        return hashlib.blake2b(data + repr((about, folders)).encode(), digest_size=16).hexdigest()

    def get(self, key: str, path: str) -> tuple[Finding, ...] | None:
        """The findings of a content that was checked before, None for a new one."""
        found = self._new.get(key, self._entries.get(key))
        return None if found is None else tuple(replace(finding, file=path) for finding in found)

    def put(self, key: str, findings: tuple[Finding, ...]) -> None:
        """Keep the findings of a content, whatever the file is called: not every name can be written as UTF-8."""
        nameless = tuple(replace(finding, file="") for finding in findings)
        self._new[key] = nameless
        self._taken.append((key, nameless))

    def take(self) -> list[tuple[str, tuple[Finding, ...]]]:
        """What was put since the last call: a process hands it to the one that writes."""
        taken, self._taken = self._taken, []
        return taken

    def close(self) -> None:
        """Write what is new."""
        if not self._new:
            return
        kept = {**self._entries, **self._new}
        while len(kept) > _MOST:
            kept.pop(next(iter(kept)))
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=".check-")
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.msgpack.encode(kept))
            os.replace(name, self._file)
            _remove_old(self._file.parent)


def _own_code() -> list[tuple[str, int, int]]:
    """What changes when this package changes."""
    return [
        (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns)
        for entry in sorted(os.scandir(Path(__file__).parent), key=lambda item: item.name)
        if entry.name.endswith(".py")
    ]


def _remove_old(folder: Path, most: int = 12) -> None:
    files = sorted(folder.glob("*.msgpack"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[most:]:
        file.unlink(missing_ok=True)
