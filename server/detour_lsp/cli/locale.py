"""The language that a person at a terminal has chosen."""

from __future__ import annotations

import os


def user_locale() -> str | None:
    """The locale for messages as POSIX looks it up; DETOUR_LANG comes first."""
    for name in ("DETOUR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value
    return None
