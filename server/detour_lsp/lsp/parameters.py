"""Reads the parameters of our own messages, which pygls hands over as it got them: nothing of them is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def value_of(params: Any, name: str) -> Any:
    """A parameter, from an object or a mapping; None when it is absent."""
    if isinstance(params, Mapping):
        return cast("Mapping[str, Any]", params).get(name)
    return getattr(params, name, None)


def text_of(params: Any, name: str) -> str | None:
    """A parameter that is text; None when it is absent or something else."""
    value = value_of(params, name)
    return value if isinstance(value, str) else None


def number_of(params: Any, name: str) -> int | None:
    """A parameter that is a whole number; None when it is absent or something else."""
    value = value_of(params, name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def list_of(params: Any, name: str) -> list[Any]:
    """A parameter that is a list; empty when it is absent or something else."""
    value = value_of(params, name)
    return cast("list[Any]", value) if isinstance(value, list) else []
