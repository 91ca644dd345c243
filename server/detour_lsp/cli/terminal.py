"""Output for people: colours only on a terminal that wants them, and never an escape sequence out of a log."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from detour_lsp.card.markdown import visible

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "information": "blue", "hint": "cyan", "symptom": "dim"}


def wants_colour(stream: TextIO) -> bool:
    """Whether to colour: a terminal, unless NO_COLOR or TERM=dumb says no; FORCE_COLOR says yes anywhere."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class Painter:
    """Paints text for one stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        # Asked for now and not at import: the stream may have been replaced since.
        self.stream: TextIO = sys.stdout if stream is None else stream
        self.colour = wants_colour(self.stream)

    def paint(self, text: str, *styles: str) -> str:
        """The text, made harmless, in the styles when the stream shows colours."""
        text = visible(text)
        if not self.colour or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def severity(self, text: str, severity: str) -> str:
        """The text in the colour of a severity or level."""
        return self.paint(text, "bold", _SEVERITY_COLOURS.get(severity, "red"))

    def line(self, text: str = "") -> None:
        """Write one line; characters that the stream's encoding lacks are replaced, never an error."""
        encoding = self.stream.encoding or "utf-8"
        self.stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def print_diff(diff: str, stream: TextIO | None = None) -> None:
    """Show a unified diff: in colours on a terminal, else byte for byte, so that `patch` can read it."""
    painter = Painter(stream)
    if not painter.colour:
        _write_exactly(diff, painter.stream)
        return
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.splitlines():
        style = "bold" if line.startswith(("+++", "---")) else colours.get(line[:1], "")
        painter.line(painter.paint(line, style) if style else painter.paint(line))


def _write_exactly(text: str, stream: TextIO) -> None:
    """Write a text; where the stream's encoding lacks a character, all of it as UTF-8: a `?` would break the patch."""
    try:
        text.encode(stream.encoding or "utf-8", stream.errors or "strict")
    except UnicodeEncodeError:
        stream.flush()
        stream.buffer.write(text.encode("utf-8", "surrogateescape"))
        stream.buffer.flush()
        return
    stream.write(text)


def print_markdown(markdown: str, stream: TextIO | None = None) -> None:
    """Show Markdown: rendered on a terminal, as it is elsewhere."""
    target: TextIO = sys.stdout if stream is None else stream
    if not wants_colour(target):
        encoding = target.encoding or "utf-8"
        target.write(markdown.encode(encoding, "replace").decode(encoding))
        return
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    # A terminal may be light or dark, and only its owner knows: its own sixteen colours, and never a background.
    theme = Theme({"markdown.code": "bold cyan", "markdown.code_block": "cyan"})
    console = Console(file=target, force_terminal=True, soft_wrap=False, theme=theme)
    console.print(Markdown(markdown, code_theme="ansi_light"))
