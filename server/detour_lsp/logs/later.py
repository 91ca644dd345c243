"""Regexes that are compiled when they are first used: a run of `detour` on one small log needs few of the many.

Compiling all of them took a quarter of the time of such a run.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Later:
    """Turns into the methods of the compiled pattern as soon as one of them is asked for."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        # Only called while the attribute is missing; from then on it costs what any attribute costs.
        value = getattr(re.compile(*self._source), name)
        setattr(self, name, value)
        return value


def later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` returns, compiled on first use; mistakes in the pattern show then (tests use them all)."""
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))
