"""The regular expressions of records, run on code: a wrong one or a slow one refuses its repair and nothing else."""

from __future__ import annotations

from functools import lru_cache

import regex

from detour_lsp.source.templates import Refused

#: Longer than any honest pattern needs on one statement.
SECONDS = 0.5


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> regex.Pattern[str]:
    """The pattern, `^` and `$` at line ends. Raises Refused for what is no regular expression."""
    try:
        return regex.compile(pattern, regex.MULTILINE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise Refused(f"the record's pattern is wrong: {error}") from error


def search(pattern: str, text: str) -> regex.Match[str] | None:
    """The first match."""
    try:
        return compiled(pattern).search(text, timeout=SECONDS)
    except TimeoutError as error:
        raise Refused("the record's pattern takes too long on this code") from error


def every(pattern: str, text: str) -> list[regex.Match[str]]:
    """All matches, in order."""
    try:
        return list(compiled(pattern).finditer(text, timeout=SECONDS))
    except TimeoutError as error:
        raise Refused("the record's pattern takes too long on this code") from error
