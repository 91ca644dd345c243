"""The cache of compiled knowledge on disk: one file per content, safe to lose, safe to share.

A file is written under another name and moved into place, is never changed afterwards, and carries checksums; whatever
goes wrong (a full or read-only disk, a damaged file, another version) means compiling again and nothing worse.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MAGIC = b"DETOURK1"
_DATABASE_MAGIC = b"DETOURD1"
_PREFIX = len(_MAGIC) + 12
#: Old contents are removed beyond this many; each has one to a few MB.
MOST_FILES = 24


def note(message: str, *arguments: object) -> None:
    """Tell the log of something that nobody needs to do anything about."""
    # Imported here: `logging` costs more than reading the cache, and this is hardly ever called.
    import logging

    logging.getLogger(__name__).info(message, *arguments)


class DamagedError(Exception):
    """The file is not what was written."""


def cache_directory() -> Path:
    """`DETOUR_CACHE_DIR`, else the place that the platform has for caches."""
    chosen = os.environ.get("DETOUR_CACHE_DIR")
    if chosen:
        return Path(chosen)
    # What platformdirs would say; importing it costs more than reading the whole cache.
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "detour" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "detour"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "detour"


@dataclass(frozen=True, slots=True)
class Sections:
    """What one file holds: a header of plain data, a binary database, and bodies that are read one by one."""

    header: Mapping[str, Any]
    database: bytes
    #: All bodies one after the other; the header says where each begins.
    bodies: memoryview


def body(sections: Sections, offset: int, length: int, checksum: int) -> bytes:
    """One body; raises `DamagedError` when it is not what was written."""
    data = bytes(sections.bodies[offset : offset + length])
    if len(data) != length or zlib.crc32(data) != checksum:
        raise DamagedError(f"body at {offset}")
    return data


def checksum(data: bytes) -> int:
    """What `body` compares with."""
    return zlib.crc32(data)


class Store:
    """A folder of such files and of stamps, which say what content some state of the record files has."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def content_of(self, stamp: str) -> str | None:
        """The content that was compiled when the record files had this stamp."""
        try:
            return (self._folder / f"{stamp}.stamp").read_text(encoding="ascii").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def remember(self, stamp: str, content: str) -> None:
        """Note which content belongs to a stamp."""
        self._replace(f"{stamp}.stamp", content.encode("ascii"))

    def read(self, content: str) -> Sections | None:
        """The file of this content; None when it is not there or cannot be used."""
        if not content.isalnum():
            return None
        try:
            with open(self._folder / f"{content}.knowledge", "rb") as file:
                data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):
            return None
        try:
            return _unpack(data)
        except (DamagedError, ValueError) as damage:
            note("%s.knowledge is damaged and is made again: %s", content, damage)
            return None

    def write(self, content: str, header: Mapping[str, Any], database: bytes, bodies: bytes) -> None:
        """Keep this content; a disk that does not take it is no error."""
        packed_header = json.dumps(header, separators=(",", ":")).encode("utf-8")
        front = packed_header + database
        lengths = len(packed_header).to_bytes(4, "little") + len(database).to_bytes(4, "little")
        prefix = _MAGIC + zlib.crc32(lengths + front).to_bytes(4, "little") + lengths
        if self._replace(f"{content}.knowledge", prefix + front + bodies):
            self._remove_old()

    def database(self, content: str) -> bytes | None:
        """The word database that was kept under this name; None when it is not there or cannot be used."""
        try:
            data = (self._folder / f"{content}.database").read_bytes()
        except OSError:
            return None
        head, payload = data[: len(_DATABASE_MAGIC) + 4], data[len(_DATABASE_MAGIC) + 4 :]
        if head != _DATABASE_MAGIC + zlib.crc32(payload).to_bytes(4, "little"):
            note("%s.database is damaged and is made again", content)
            return None
        return payload

    def keep_database(self, content: str, database: bytes) -> None:
        """Keep a word database; a disk that does not take it is no error."""
        head = _DATABASE_MAGIC + zlib.crc32(database).to_bytes(4, "little")
        if self._replace(f"{content}.database", head + database):
            self._remove_old()

    def _replace(self, name: str, data: bytes) -> bool:
        temporary = self._folder / f".{name}.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(data)
            os.replace(temporary, self._folder / name)
        except OSError as error:
            note("the knowledge cache in %s cannot be written: %s", self._folder, error)
            # Half a temporary file on a full disk helps nobody.
            _unlink(temporary)
            return False
        return True

    def _remove_old(self) -> None:
        try:
            with os.scandir(self._folder) as entries:
                files = [(entry.stat().st_mtime_ns, entry.path) for entry in entries if entry.is_file()]
        except OSError:
            return
        for suffix, most in ((".knowledge", MOST_FILES), (".database", MOST_FILES), (".stamp", 4 * MOST_FILES)):
            for _, path in sorted((item for item in files if item[1].endswith(suffix)), reverse=True)[most:]:
                _unlink(Path(path))


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        # On Windows a file that another process has open stays; the next writer tries again.
        note("%s stays: %s", path, error)


def _unpack(data: memoryview) -> Sections:
    if len(data) < _PREFIX or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise DamagedError("not a knowledge file of this version")
    expected = int.from_bytes(data[8:12], "little")
    header_end = _PREFIX + int.from_bytes(data[12:16], "little")
    database_end = header_end + int.from_bytes(data[16:20], "little")
    if database_end > len(data) or zlib.crc32(data[12:database_end]) != expected:
        raise DamagedError("checksum of the header")
    header = json.loads(bytes(data[_PREFIX:header_end]))
    return Sections(header, bytes(data[header_end:database_end]), data[database_end:])
