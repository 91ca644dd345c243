"""Notebooks on disk: what their cells printed as one text, and the way from it back to lines of the file.

An output stands in the file as JSON strings with everything escaped. Read like that, tracebacks are hardly one; so
the strings are decoded, and what was found is placed where it stands in the file, which people can open and look at.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from detour_lsp.json_places import elements, members, skip
from detour_lsp.logs.merging import OUTRANKING

if TYPE_CHECKING:
    from detour_lsp.logs.incident import Frame, Incident, Span
    from detour_lsp.logs.scan import Scanner

#: Outputs of two cells have nothing to do with each other: so much empty space keeps them apart.
_APART = "\n" * (OUTRANKING + 10)
#: One character of a JSON string as it is written.
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)


class Outputs:
    """What the cells of a notebook printed."""

    def __init__(self, json_text: str) -> None:
        """Raises ValueError (or RecursionError) when `json_text` is no notebook."""
        self._json = json_text
        self._parts: list[str] = []
        self._length = 0
        #: Where each piece begins in the text, and where its string's content begins in the JSON.
        self._starts: list[int] = []
        self._json_starts: list[int] = []
        self._read()
        self.text = "".join(self._parts)
        self._lines = _line_starts(self.text)
        self._json_lines = _line_starts(json_text)

    def _read(self) -> None:
        cells = next((start for key, start, _ in members(self._json, skip(self._json, 0)) if key == "cells"), None)
        if cells is None:
            raise ValueError("no notebook: it has no cells")
        for cell, _ in elements(self._json, cells):
            outputs = next((start for key, start, _ in members(self._json, cell) if key == "outputs"), None)
            if outputs is None:
                continue
            before = self._length
            for output, _ in elements(self._json, outputs):
                self._add_output({key: (start, end) for key, start, end in members(self._json, output)})
            if self._length > before:
                self._fill(_APART)

    def _add_output(self, output: dict[str, tuple[int, int]]) -> None:
        kind = self._value(output.get("output_type"))
        if kind == "stream":
            self._add(output.get("text"), "")
        elif kind == "error":
            if self._value(output.get("traceback")):
                self._add(output.get("traceback"), "\n")
            else:
                self._add(output.get("ename"), "")
                self._fill(": ")
                self._add(output.get("evalue"), "")
        else:
            return
        if self._parts and not self._parts[-1].endswith("\n"):
            self._fill("\n")

    def _value(self, span: tuple[int, int] | None) -> object:
        return json.loads(self._json[span[0] : span[1]]) if span else None

    def _add(self, span: tuple[int, int] | None, between: str) -> None:
        """The text of a string, or of an array of strings."""
        if span is None:
            return
        array = self._json[span[0]] == "["
        for start, end in elements(self._json, span[0]) if array else (span,):
            value = json.loads(self._json[start:end])
            if isinstance(value, str):
                self._starts.append(self._length)
                self._json_starts.append(start + 1)
                self._fill(value)
                self._fill(between)

    def _fill(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Line and column of the file for a place in the text."""
        offset = self._lines[min(line, len(self._lines)) - 1] + column - 1
        piece = bisect_right(self._starts, offset) - 1
        position = self._json_starts[piece]
        for _ in range(offset - self._starts[piece]):
            match = _CHARACTER.match(self._json, position)
            if match is None or match[0] == '"':
                break
            position = match.end()
        row = bisect_right(self._json_lines, position) - 1
        return row + 1, position - self._json_lines[row] + 1

    def span(self, span: Span) -> Span:
        """The same stretch in the file."""
        line, column = self.place(span.line, span.column)
        end_line, end_column = self.place(span.end_line, max(1, span.end_column - 1))
        return replace(span, line=line, column=column, end_line=end_line, end_column=end_column + 1)


def scan_notebook(data: bytes, name: str, scanner: Scanner) -> list[Incident] | None:
    """The incidents in what the notebook's cells printed; None for what is no notebook."""
    try:
        outputs = Outputs(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return [_placed(incident, outputs) for incident in scanner.scan(outputs.text.encode("utf-8", "replace"), name)]


def _placed(incident: Incident, outputs: Outputs) -> Incident:
    def frame(found: Frame) -> Frame:
        return replace(found, log_line=outputs.place(found.log_line, 1)[0]) if found.log_line else found

    return replace(
        incident,
        span=outputs.span(incident.span),
        block=outputs.span(incident.block) if incident.block else None,
        frames=tuple(map(frame, incident.frames)),
        user_frame=frame(incident.user_frame) if incident.user_frame else None,
    )


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]
