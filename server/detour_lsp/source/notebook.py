"""Jupyter notebooks: their code cells as one Python text, and edits back into the file.

The cells of a notebook share their names, so they are checked together. Somebody keeps the file under version control,
so an edit changes the JSON strings of the lines that it changes and no other byte.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from detour_lsp.json_places import elements, members, skip
from detour_lsp.source.finding import TextEdit

#: Cell magics that run the rest of the cell as Python; any other hands it to another program.
_PYTHON_MAGIC = re.compile(r"%%(?:time|timeit|capture|prun|memit|python3?)\b")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


def is_python_cell(source: str) -> bool:
    """Whether a code cell is run as Python, and not handed to another program by its magic."""
    first = source.lstrip()
    return not first.startswith("%%") or _PYTHON_MAGIC.match(first) is not None


class NotebookError(Exception):
    """Why a file is not read as a notebook."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its index among all cells of the notebook, and where its text stands in `Notebook.text`."""

    index: int
    start: int
    end: int
    #: Where its `source` value stands in the JSON text.
    json_start: int
    json_end: int


class Notebook:
    """A notebook that was read; `text` holds the Python cells one below the other."""

    def __init__(self, json_text: str, cells: list[Cell], text: str) -> None:
        self.json_text = json_text
        self.cells = cells
        self.text = text

    @classmethod
    def parse(cls, json_text: str) -> Notebook:
        """Read a notebook's JSON; raises NotebookError for anything else. One in another language has no cells."""
        try:
            spans, language = _spans(json_text)
        except (ValueError, RecursionError) as error:
            raise NotebookError(f"not a notebook: {error}") from error
        cells: list[Cell] = []
        parts: list[str] = []
        position = 0
        for index, start, end, source in spans if language in {"", "python"} else []:
            if not is_python_cell(source):
                continue
            text = source if source.endswith("\n") else f"{source}\n"
            cells.append(Cell(index, position, position + len(source), start, end))
            parts.append(text)
            position += len(text)
        return cls(json_text, cells, "".join(parts))

    def cell_at(self, offset: int) -> Cell | None:
        """The cell that an offset of `text` stands in."""
        number = bisect_right(self.cells, offset, key=lambda cell: cell.start) - 1
        return self.cells[number] if number >= 0 else None

    def position(self, offset: int) -> tuple[int, int, int]:
        """Cell index, line and column in the cell, both from 1, of an offset of `text`."""
        cell = self.cell_at(offset)
        if cell is None:
            return 0, 1, 1
        before = self.text[cell.start : offset]
        return cell.index, before.count("\n") + 1, len(before) - before.rfind("\n")

    def apply(self, edits: Iterable[TextEdit]) -> str:
        """The notebook's JSON with edits of `text` put in; what they do not touch keeps every character."""
        by_cell: dict[int, list[TextEdit]] = {}
        for edit in sorted(edits, key=lambda item: (item.start, item.end)):
            cell = self.cell_at(edit.start)
            if cell is None or edit.end > cell.end + 1:
                raise NotebookError("an edit reaches over the end of a cell")
            by_cell.setdefault(self.cells.index(cell), []).append(edit)
        result = self.json_text
        for number in sorted(by_cell, reverse=True):
            cell = self.cells[number]
            source = self.text[cell.start : cell.end]
            for edit in reversed(by_cell[number]):
                start, end = edit.start - cell.start, min(edit.end, cell.end) - cell.start
                source = source[:start] + edit.text + source[end:]
            old = self.text[cell.start : cell.end]
            if not old.endswith("\n") and source.endswith("\n"):
                # The last line of a cell has no line ending of its own.
                source = source[:-1]
            raw = result[cell.json_start : cell.json_end]
            result = result[: cell.json_start] + _written(raw, source) + result[cell.json_end :]
        return result


def _spans(text: str) -> tuple[list[tuple[int, int, int, str]], str]:
    """Index, JSON start and end, and text of each code cell, and the language of the notebook."""
    found: list[tuple[int, int, int, str]] = []
    language, has_cells = "", False
    for key, start, end in members(text, skip(text, 0)):
        if key == "metadata":
            language = _language(json.loads(text[start:end]))
        elif key == "cells":
            has_cells = True
            for index, (cell_start, _) in enumerate(elements(text, start)):
                parts = {name: (first, last) for name, first, last in members(text, cell_start)}
                if "cell_type" not in parts or "source" not in parts:
                    continue
                first, last = parts["cell_type"]
                if json.loads(text[first:last]) != "code":
                    continue
                first, last = parts["source"]
                found.append((index, first, last, _joined(json.loads(text[first:last]))))
    if not has_cells:
        raise ValueError("it has no cells")
    return found, language


def _joined(source: object) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, list):
        return "".join(str(part) for part in cast("list[object]", source))
    raise ValueError("a cell's source is neither text nor a list of lines")


def _language(metadata: Any) -> str:
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(name) if isinstance(metadata, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
        language: object = cast("dict[str, object]", part).get(key) if isinstance(part, dict) else None
        if isinstance(language, str):
            return "python" if language.lower() in {"python", "ipython"} else language.lower()
    return ""


def _written(raw: str, source: str) -> str:
    """A cell's source as JSON in the layout of the old one; lines that stay keep their spelling."""
    ascii_only = raw.isascii() and "\\u" in raw
    if not raw.startswith("["):
        return json.dumps(source, ensure_ascii=ascii_only)
    old: dict[str, str] = {}
    starts: list[tuple[int, int]] = []
    for start, end in elements(raw, 0):
        old.setdefault(str(json.loads(raw[start:end])), raw[start:end])
        starts.append((start, end))
    first = raw[1 : starts[0][0]] if starts else ""
    between = raw[starts[0][1] : starts[1][0]] if len(starts) > 1 else f",{first}"
    last = raw[starts[-1][1] : -1] if starts else ""
    lines = [line.group() for line in _LINES.finditer(source)]
    written = [old.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    return f"[{first}{between.join(written)}{last}]" if written else "[]"
