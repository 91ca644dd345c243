"""Text that came from a log or a record, made harmless for Markdown.

Records may come from strangers and captures come from logs: a `[click](command:...)` or `<img>` in them must show as
the characters that they are (DESIGN section 9).
"""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\\[\]<>&*_#|!~$])")
_CODE_SPAN = re.compile(r"(`+)([^`]|[^`].*?[^`])\1(?!`)", re.DOTALL)
#: C0 and C1 controls, and the bidirectional overrides that make text read differently from what it is.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")
_ISSUE = re.compile(r"\b([A-Za-z0-9][\w.-]*/[\w.-]+)#(\d+)\b")


def visible(text: str) -> str:
    """Text without control characters and direction overrides; tabs and newlines stay."""
    return _UNSEEN.sub("", text)


def prose(text: str) -> str:
    """Text as Markdown that renders as the same characters; code spans in backticks stay code."""
    text = " ".join(visible(text).split())
    parts: list[str] = []
    position = 0
    for span in _CODE_SPAN.finditer(text):
        parts += [_escape(text[position : span.start()]), span.group(0)]
        position = span.end()
    return "".join([*parts, _escape(text[position:])])


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text).replace("`", r"\`")


def code_span(text: str) -> str:
    """Text as inline code, whatever backticks it holds."""
    text = " ".join(visible(text).split())
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def code_block(text: str, language: str = "python") -> str:
    """Text as a fenced block that the text itself cannot end."""
    text = visible(text).strip("\n")
    fence = "`" * max(3, max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def source_link(source: str) -> str:
    """A source as a link where it is a web address or `owner/repository#number`, else as code; never another scheme."""
    source = visible(source).strip()
    url = _URL.search(source)
    if url:
        address = url.group(0)
        label = source.replace(address, "").strip(" :()-–—") or re.sub(r"^https?://", "", address)
        return f"[{prose(label)}]({address})"
    issue = _ISSUE.search(source)
    if issue:
        return f"[{prose(source)}](https://github.com/{issue.group(1)}/issues/{issue.group(2)})"
    return code_span(source)
