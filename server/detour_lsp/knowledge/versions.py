"""Whether a version falls into the bounds that a record names.

`versions` entries are bounds that hold together (`torch>=2.0` and `torch<=2.5.1` are a range), except that `==` entries
are alternatives. What is not known (no torch installed, a bound that is not a version) never hides a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

_ENTRY = re.compile(r"\s*(?P<package>[A-Za-z][\w.-]*?)?\s*(?P<bounds>(?:[<>=!~]=?|===).*)?$")


def normalise(package: str) -> str:
    """A package name as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", package).lower()


@lru_cache(maxsize=256)
def parse(version: str) -> Version | None:
    """The version without build tags; a nightly counts as the release it leads to; None for what is no version."""
    # Where no version is known, nothing is compared, and a scan starts faster without this package.
    from packaging.version import InvalidVersion, Version

    try:
        return Version(Version(version.strip().lstrip("vV")).base_version)
    except InvalidVersion:
        return None


@lru_cache(maxsize=2048)
def _entry(entry: str) -> tuple[str, SpecifierSet] | None:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    match = _ENTRY.match(entry)
    if match is None or not match["bounds"]:
        return None
    try:
        return normalise(match["package"] or ""), SpecifierSet(match["bounds"])
    except InvalidSpecifier:
        return None


def valid(entry: str) -> bool:
    """Whether an entry reads as bounds of a package (`torch>=2.0`, `torch>=2.1,<2.4`)."""
    return _entry(entry) is not None


def matches(bounds: Iterable[str], version: str | None, package: str = "torch") -> bool:
    """Whether `version` of `package` lies in the bounds.

    An unknown version matches; bounds of other packages do not count.
    """
    known = parse(version) if version else None
    if known is None:
        return True
    alternatives: list[SpecifierSet] = []
    for bound in bounds:
        entry = _entry(bound)
        if entry is None or entry[0] not in ("", normalise(package)):
            continue
        specifiers = entry[1]
        if all(item.operator in ("==", "===") for item in specifiers):
            alternatives.append(specifiers)
        elif not specifiers.contains(known, prereleases=True):
            return False
    return not alternatives or any(item.contains(known, prereleases=True) for item in alternatives)
