"""IPython's tracebacks: the source around each frame, with an arrow at its line."""

from __future__ import annotations

from dataclasses import replace

from detour_lsp.logs import frames as frame_lines
from detour_lsp.logs.later import later
from detour_lsp.logs.segments import REPEATED, SegmentBuilder

_IPY_CODE = later(r"^\s*(?P<arrow>-{1,6}>)?\s*(?P<line>\d{1,6})(?:\s(?P<code>.*))?$")
_IPY_BARE_CODE = later(r"^\s+(?:\(\.\.\.\)|\.\.\.)\s*$")


class IPythonLayout(SegmentBuilder):
    """Reads the numbered source lines below a frame of IPython."""

    def in_ipython(self) -> bool:
        return (
            self.current is not None
            and self.current.style == "ipython"
            and self.current.message < 0
            and bool(self.current.frames)
        )

    def ipython_code(self, index: int, stripped: str) -> bool:
        assert self.current is not None
        if REPEATED.match(stripped) or _IPY_BARE_CODE.match(self.units[index].body):
            self.current.end = index + 1
            return True
        match = _IPY_CODE.match(frame_lines.without_links(stripped))
        if match is None:
            return False
        self.code[index] = True
        self.current.end = index + 1
        if match["arrow"]:
            last = self.current.frames[-1]
            line = last.line or int(match["line"])
            if not (last.line and last.source):
                # Older versions name a cell's line only by the arrow; where both stand they agree.
                line = int(match["line"]) if last.cell is not None or not last.line else line
                self.current.frames[-1] = replace(last, line=line, source=(match["code"] or "").strip() or None)
        return True
