"""TOML to tables, by the standard library or its backport (`tomllib` is new in Python 3.11)."""

from __future__ import annotations

import importlib
import sys
from typing import Any, cast


def decode(text: str) -> dict[str, Any]:
    """The tables of a TOML text; raises ValueError (the decoder's own error is one) for what is not TOML."""
    decoder = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    return cast("dict[str, Any]", decoder.loads(text))


def table(data: object, *keys: str) -> dict[str, Any]:
    """The table at the end of a path of keys; empty when something on the way is no table."""
    current: object = data
    for key in keys:
        current = cast("dict[str, object]", current).get(key) if isinstance(current, dict) else None
    return cast("dict[str, Any]", current) if isinstance(current, dict) else {}
