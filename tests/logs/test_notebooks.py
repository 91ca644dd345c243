"""Notebooks on disk: the outputs of their cells are read, and found things stand on lines of the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.logs.conftest import RECORDS, knowledge_of

from detour_lsp.logs.files import scan_paths
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.notebooks import scan_notebook
from detour_lsp.logs.scan import Scanner

DATA = Path(__file__).parent / "data"
MESSAGE = "CUDA out of memory. Tried to allocate 2.50 GiB."


def code(*outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": list(outputs), "source": ["x = 1\n"]}


def stream(*lines: str) -> dict[str, Any]:
    return {"name": "stderr", "output_type": "stream", "text": list(lines)}


def error(*traceback: str) -> dict[str, Any]:
    return {"output_type": "error", "ename": "OutOfMemoryError", "evalue": MESSAGE, "traceback": list(traceback)}


def scan(scanner: Scanner, *cells: dict[str, Any], indent: int | None = 1) -> tuple[list[Incident], list[str]]:
    text = json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent)
    found = scan_notebook(text.encode(), "a.ipynb", scanner)
    assert found is not None
    return found, text.split("\n")


def shown(incident: Incident, lines: list[str]) -> str:
    """What stands in the file where the incident does."""
    span = incident.span
    assert span.line == span.end_line
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize("name", ["notebook-3.8", "notebook-3.9", "notebook-3.13", "notebook_coloured-3.13"])
@pytest.mark.parametrize("indent", [None, 1])
def test_error_output_of_a_real_ipython(scanner: Scanner, name: str, indent: int | None) -> None:
    traceback = (DATA / f"{name}.txt").read_text(encoding="utf-8").split("\n\n")
    (incident,), lines = scan(scanner, code(stream("ok\n")), code(error(*traceback)), indent=indent)
    assert incident.record == "t/oom"
    assert incident.user_frame is not None
    assert (incident.user_frame.cell, incident.user_frame.line) == (2, 3)
    assert shown(incident, lines).startswith("CUDA out of memory. Tried")


def test_place_behind_escapes(scanner: Scanner) -> None:
    (incident,), lines = scan(scanner, code(stream("fine\n", 'a "b" \\ \t😀é\x1b[31m ' + MESSAGE + "\n", "more\n")))
    assert shown(incident, lines) == MESSAGE.removesuffix(".")
    assert incident.span.line == next(n for n, line in enumerate(lines, 1) if MESSAGE in line)


def test_several_lines_in_one_string(scanner: Scanner) -> None:
    (incident,), lines = scan(scanner, code({"output_type": "stream", "text": f"step 1\nstep 2\n{MESSAGE}\n"}))
    assert shown(incident, lines) == MESSAGE.removesuffix(".")


def test_cells_are_kept_apart_and_counted(scanner: Scanner) -> None:
    frame = 'Traceback (most recent call last):\n  File "/job/{}.py", line 3, in f\n    g()\n'
    cells = [code(error(frame.format(name) + f"RuntimeError: {MESSAGE}")) for name in ("a", "b", "a")]
    found, _ = scan(scanner, *cells)
    assert [(i.user_frame.file, i.count) for i in found if i.user_frame] == [("/job/a.py", 2), ("/job/b.py", 1)]


def test_without_traceback(scanner: Scanner) -> None:
    (incident,), lines = scan(scanner, code(error()))
    assert incident.message.startswith("OutOfMemoryError: CUDA out of memory")
    assert shown(incident, lines) == MESSAGE.removesuffix(".")


def test_sources_and_other_outputs_are_not_read(scanner: Scanner) -> None:
    cell = code({"output_type": "display_data", "data": {"text/plain": [MESSAGE]}, "metadata": {}})
    cell["source"] = [f"# {MESSAGE}"]
    assert scan(scanner, cell, {"cell_type": "markdown", "metadata": {}, "source": [MESSAGE]})[0] == []


def test_what_is_no_notebook_is_read_as_text(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ipynb", tmp_path / "bad.ipynb"
    good.write_text(json.dumps({"cells": [code(stream(MESSAGE))]}))
    bad.write_text(f"not json\n{MESSAGE}\n")
    results = list(scan_paths([tmp_path], knowledge_of(*RECORDS), jobs=1))
    assert [(Path(r.path).name, [i.span.line for i in r.incidents]) for r in results] == [
        ("bad.ipynb", [2]),
        ("good.ipynb", [1]),
    ]
