"""Tells a failure from text that merely holds the same words: source code, help texts, test names, advice.

Frames' source lines are known from the traceback and never get here. What does are sources without a frame (a paste,
a diff, a docstring in a log) and prose about errors.
"""

from __future__ import annotations

import re

_SOURCE = re.compile(
    r"^\s*(?:[+\-]\s*|>>> |\.\.\. |In \[\d+\]: |\d{1,5}[ :|]\s*)?"
    r"(?:raise\b|except\b|if\b.*:$|elif\b.*:$|assert\b|print\(|warnings\.warn\(|log(?:ger|ging)?\.\w+\(|return\b|self\.\w+\(|with\b.*raises\(|def \w|class \w|@\w|#|\"\"\"|'''"
    r"|TORCH_CHECK|AT_ERROR|throw\b|static_assert)"
)
_QUOTED_BY_CODE = re.compile(r"""(?:==|\bin\b|\bnot in\b|=|\(|,|\bmatch=|\bstr\()\s*[rfbu]{0,2}["'][^"']*$""")
_OPTION = re.compile(r"^\s*(?:-{1,2}[A-Za-z][\w-]*[ ,=]|usage: |\[--)")
_TEST_ID = re.compile(r"(?:^|\s)\S+\.py::\S+")
_TEST_PASSED = re.compile(r"\b(?:PASSED|SKIPPED|XFAIL(?:ED)?|XPASS|ok)\b")
_ADVICE_BEFORE = re.compile(
    r"(?:\bif (?:you|it|this|the \w+|there)\b[^.!?]{0,80}|\bwhen(?:ever)? (?:you|it)\b[^.!?]{0,60}|\b(?:avoid|avoids|avoiding|prevent|prevents|against|to fix|in case of|e\.g\.,?|such as|instead of|without|no more|fixes|handles?|catch(?:es)?|on|see|get|getting|raises?|of)\b[^.!?:]{0,40})[\"'`“‘(]*$",
    re.IGNORECASE,
)


def is_harmless(line: str, start: int, end: int) -> bool:
    """Whether the words at `line[start:end]` of a clean line report no failure."""
    before = line[:start]
    if _SOURCE.match(line) and not re.match(r"^\s*#\s*\d", line):
        # `self.foo(` at the start of a line is code only if the words stand in quotes; the rest is code anyway.
        return True
    if _OPTION.match(line):
        return True
    if _TEST_ID.search(before) and _TEST_PASSED.search(line) and " - " not in before:
        return True
    if _QUOTED_BY_CODE.search(before) and not re.search(
        r'["\'](?:message|msg|error|exception|exc_info|text|log|stderr|detail|traceback)["\']\s*:\s*["\'][^"\']*$',
        before,
    ):
        return bool(re.search(r"""["']\s*(?:\)|,|\]|:|in\b|$)""", line[end:]))
    if _ADVICE_BEFORE.search(before) and not re.search(r"(?:Error|Exception|Warning)\b", before):
        return True
    return False
