"""Tells a failure from text that merely holds the same words: source code, help texts, test names, advice.

Frames' source lines are known from the traceback and never get here. What does are sources without a frame (a paste,
a diff, a listing in a log) and prose about errors. When in doubt it is a failure: a missed error costs more than an
explanation too many.
"""

from __future__ import annotations

import re

from detour_lsp.logs.later import later

#: A line of Python or C++ that speaks of errors, maybe with a line number, a diff's mark or a prompt before it.
_SOURCE = later(
    r"^\s*(?:[+\-]\s*|>>> |\.\.\. |In \[\d+\]: |\d{1,5}[ :|]\s*)?"
    r"(?:raise\s+[A-Za-z_][\w.]*\(|except\s+[\w.(]|(?:el)?if\b.*:$|assert\s|print\(|warnings\.warn\(|log(?:ger"
    r"|ging)?\.\w+\(|return\s"
    r"|with\s.*raises\(|def \w+\(|class \w+[(:]|@\w+|\"\"\"|TORCH_CHECK|TORCH_WARN|AT_ERROR|C10_\w+\(|throw\s"
    r"|static_assert|#\s*define\b)"
)
#: Under such a key a report in JSON, printed over several lines, says what went wrong.
_SAYS = r"(?:\w*_)?(?:message|error|exception|msg|detail|details|reason|evalue|stderr|output|log|text)"
#: A line that is a string of a program: with its letter, maybe numbered; assigned; or indented, quoted to its end, as
#: an argument or in a table.
_LITERAL = later(
    r"""^(?:\s*(?:-*>?\s*\d{1,5}\s+)?(?:\w+\s*\+?=\s*\(?)?[rfb]{1,2}["']|\s*\w+\s*\+?=\s*\(?["']"""
    rf"""|\s{{4,}}\(?["'](?!{_SAYS}["']\s*:)(?=.*["'](?:[,)]*|\.format\(|,\s+\w+(?:=\w+)?[,)]*)\s*$))"""
    r"""|^\s*(?:from [\w.]+ )?import \w"""
)
_COMPARED = later(
    r"""(?:==|!=|\bin\b|\bmatch=|\bstartswith\(|\bendswith\(|\bsearch\(|\bmatch\(|\blambda:)\s*\(?[rfbu]{0,2}["'][^"']*$"""
)
_COMPARED_AFTER = later(r"""^[^"']*["']\s+(?:not )?in\s+\w""")
#: A comment in a listing. At the left edge it may be a heading or a quoted line.
_COMMENT = later(r"^\s{2,}#+\s|^\s*#\s*(?:TODO|FIXME|NOTE|XXX|HACK|WARNING)\b")
#: A call with a comment behind it that tells what it raises.
_TRAILING = later(r"^\s*(?:[\w., \[\]*]{1,120}=\s*)?[\w.]{1,120}\([^#\n]{0,300}\)[^\s#]{0,40}\s+#\s")
_OPTION = later(r"^\s*(?:-{1,2}[A-Za-z][\w-]*(?:[ ,=]|$)|usage: |\[--?\w)")
_TEST_ID = later(r"(?:^|\s)\S+\.py::\S+")
_TEST_PASSED = later(r"\b(?:PASSED|SKIPPED|XFAIL(?:ED)?|XPASS)\b")
#: TensorFlow, XLA and others fail on the same device in the same words; their remedies are others.
_OTHER_FRAMEWORK = later(
    r"(?:\b(?:tensorflow|tsl|xla|stream_executor)/[\w./-]*|\bpjrt_\w*)\.cc:\d+\]"
    r"|\b(?:jaxlib|jax|tensorflow|paddle|cupy|cupy_backends|numba)\.[\w.]*(?:Error|Exception|Status)\b"
)
_ADVICE = later(
    r"(?:\b(?:if|when|whenever|in case|should) (?:you|it|there|this|your \w+|the \w+|users?)\b[^.!?:]{0,80}"
    r"|\b(?:to avoid|avoids?|avoiding|to prevent|prevents?|preventing|to fix|in case of|instead of|such as"
    r"|for example|e\.g\.,?|see also|protects? against|guards? against|never)\b[^.!?:]{0,40})"
    r"[\"'`(]*$",
    re.IGNORECASE,
)


def is_harmless(line: str, start: int, end: int) -> bool:
    """Whether the words at `line[start:end]` of a clean line report no failure."""
    before = line[:start]
    if _SOURCE.match(line) or _OPTION.match(line) or _LITERAL.match(line) or _COMMENT.match(line):
        return True
    if "#" in before and _TRAILING.match(before):
        return True
    if _TEST_ID.search(before) and _TEST_PASSED.search(line):
        return True
    if is_anothers(before):
        return True
    if _COMPARED.search(before) or (before[-1:] in ("'", '"') and _COMPARED_AFTER.match(line[end:])):
        return True
    return _ADVICE.search(before) is not None


def is_anothers(before: str) -> bool:
    """Whether what stands before the words says that another framework than torch wrote them."""
    return _OTHER_FRAMEWORK.search(before) is not None
