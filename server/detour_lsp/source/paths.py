"""What the path of a file says about it: that it is a test, that it is part of an installed library."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath

_TEST_FOLDERS = frozenset({"test", "tests", "testing"})


@lru_cache(maxsize=256)
def is_test_path(path: str) -> bool:
    """Whether a file is a test by its path."""
    parts = _parts(path)
    name = parts[-1] if parts else ""
    stem = name.rpartition(".")[0] or name
    if name.startswith("test_") or stem.endswith("_test") or name == "conftest.py":
        return True
    return not _TEST_FOLDERS.isdisjoint(parts[:-1])


def in_own_library(path: str, names: Iterable[str]) -> bool:
    """Whether a file is part of the installed library whose names a selector is about: it may use what it retires."""
    if "site-packages" not in path:
        return False
    parts = _parts(path)
    if "site-packages" not in parts:
        return False
    package = parts[parts.index("site-packages") + 1 :][:1]
    return any(package == (name.partition(".")[0],) for name in names)


@lru_cache(maxsize=256)
def _parts(path: str) -> tuple[str, ...]:
    return PurePath(path.replace("\\", "/")).parts
