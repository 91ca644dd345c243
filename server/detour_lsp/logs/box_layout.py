"""Tracebacks drawn as boxes, as rich and loguru draw them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from detour_lsp.logs import frames as frame_lines
from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.frames import FrameLine
from detour_lsp.logs.later import later
from detour_lsp.logs.segments import EXCEPTION, MAX_GAP, SegmentBuilder

BOX_EDGE = "│┃|║"
BOX_HEADER = later(r"^\s*[╭┌+┏]")
_BOX_FOOTER = later(r"^\s*[╰└┗+][─━\-]+")
_BOX_CODE = later(r"^[│┃|║]\s*(?P<mark>[❱>])?\s*(?P<line>\d{1,6})\s*(?:[│┃|║](?P<code>.*))?(?P<plain>\s.*)?$")


class BoxLayout(SegmentBuilder):
    """Reads the lines within a box."""

    def __init__(self, units: Sequence[Unit]) -> None:
        super().__init__(units)
        self.box_seen = 0

    def other_frame(self, index: int, text: str, hit: FrameLine) -> None:
        """A frame in another layout than Python's own; said by who reads all of them."""
        raise NotImplementedError

    def box_line(self, index: int, text: str, stripped: str) -> bool:
        if stripped[0] not in BOX_EDGE:
            if _BOX_FOOTER.match(stripped):
                self.code[index] = True
                self.in_box = False
                if self.current:
                    self.current.end = index + 1
                    self.indent = 1
                return True
            if BOX_HEADER.match(stripped):
                self.code[index] = True
                return True
            # Another process's line within the box is not its end; an exception is, where the lower edge is missing.
            if self.in_box and not EXCEPTION.match(stripped) and index - self.box_seen <= MAX_GAP:
                return True
            self.in_box = False
            return False
        self.box_seen = index
        content = stripped.strip("│┃|║").strip()
        match = _BOX_CODE.match(stripped)
        carried = self.box_carry
        self.box_carry = ""
        if match and not frame_lines.frame(stripped):
            if not self.in_box and not (stripped[-1] in BOX_EDGE or "│" in stripped[1:]):
                return False
            self.code[index] = True
            if match["mark"] and self.current and self.current.frames and self.current.message < 0:
                code = (match["code"] or match["plain"] or "").strip().strip("│┃║").rstrip("|").strip()
                code = code.lstrip("│┃║| ").strip()
                last = self.current.frames[-1]
                if last.source is None and code:
                    self.current.frames[-1] = replace(last, source=code)
            return True
        hit = frame_lines.frame("│ " + carried + content) if carried else None
        if hit is None:
            hit = frame_lines.frame(stripped)
        if hit is not None and hit.style == "box":
            self.other_frame(index, text, hit)
            return True
        if self.in_box:
            self.code[index] = True
            last = self.current.frames[-1] if self.current and self.current.frames else None
            if last and self.current and last.function is None and re.fullmatch(r"[\w<>.]+", content):
                # A narrow box puts the function below the path.
                self.current.frames[-1] = replace(last, function=content)
            if len(content) >= 16 and re.match(r"(?:/|~|[A-Za-z]:[\\/])[^\n:]*$", content):
                self.box_carry = content
            return True
        return False
