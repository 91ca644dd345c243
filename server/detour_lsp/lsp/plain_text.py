"""Cards as plain text, for clients that show a hover as it is."""

from __future__ import annotations

import re

#: Code comes first: nothing in it is markup. A block keeps its indentation, a span only loses its marks.
_MARKUP = re.compile(
    r"^(?P<indent>[ ]*)(?P<fence>`{3,})[^\n]*\n(?P<block>.*?)^(?P=indent)(?P=fence)[ ]*\n?"
    r"|(?P<ticks>`+)(?P<span>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!!)\[(?P<label>(?:\\.|[^\[\]\\])*)\]\((?P<address>[^()\s]*)\)"
    r"|^\#+[ ]+"
    r"|\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|~~",
    re.MULTILINE | re.DOTALL,
)


def plain(markdown: str) -> str:
    """A card without its marks; a link becomes its address, behind its label where that says more."""
    return _MARKUP.sub(_shown, markdown)


def _shown(found: re.Match[str]) -> str:
    if found["block"] is not None:
        return found["block"]
    if found["span"] is not None:
        return found["span"].strip() if found["span"].startswith(" ") else found["span"]
    if found["escaped"] is not None:
        return found["escaped"]
    if found["address"] is not None:
        label, address = plain(found["label"]), found["address"]
        return address if label in address else f"{label} ({address})"
    return ""
