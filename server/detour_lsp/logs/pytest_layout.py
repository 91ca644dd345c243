"""pytest's reports of failed tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.frames import FrameLine
from detour_lsp.logs.segments import SegmentBuilder


class PytestLayout(SegmentBuilder):
    """Reads the frames and messages of failed tests."""

    def __init__(self, units: Sequence[Unit]) -> None:
        super().__init__(units)
        self.in_pytest = False
        #: Where the report of a failed test began of which no frame was seen yet; -1 outside of one.
        self.section = -1
        #: Source line that pytest prints above the frame that it belongs to.
        self.marked = ""

    def pytest_frame(self, index: int, hit: FrameLine) -> None:
        current = self.current
        if hit.function is None and hit.rest:
            if ":" in hit.rest and (current is None or current.style != "pytest"):
                segment = self.open(index, style="pytest")
                segment.message = index
            elif current is None or current.style != "pytest":
                segment = self.open(index, style="pytest")
            self.add(index, hit)
            assert self.current is not None
            if self.current.message < 0:
                self.current.message = index
            self.quote_marked()
            return
        if current is None or current.style != "pytest" or current.message >= 0:
            self.open(index, style="pytest")
            if self.in_pytest and self.section >= 0:
                self.begin_at(self.section, message=False)
            self.section = -1
        self.add(index, hit)
        self.quote_marked()
        self.in_pytest = self.in_pytest or hit.function is None

    def quote_marked(self) -> None:
        assert self.current is not None
        if self.marked:
            self.current.frames[-1] = replace(self.current.frames[-1], source=self.marked)
        self.marked = ""

    def pytest_message(self, index: int) -> None:
        current = self.current
        if current is None or (current.style != "pytest" and current.message >= 0 and index - current.end > 2):
            current = self.open(index, style="pytest")
        if current.message < 0:
            current.message = index
            current.style = "pytest"
        current.end = index + 1
