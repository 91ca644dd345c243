"""`detour follow`: each incident once, what turns out to be something else is taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.logs.conftest import RECORDS, knowledge_of

from detour_lsp.cli.follow import PeopleWriter, Reader, Writer
from detour_lsp.logs.follow import Chunk
from detour_lsp.logs.scan import Scanner


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return Scanner(knowledge_of(*RECORDS))


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_an_incident_is_told_once_however_often_it_grows(
    scanner: Scanner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(scanner, tmp_path, Writer())
    for _ in range(3):
        reader.read(Chunk("a.log", 0, b"CUDA error: out of memory\n"))
    reader.read(Chunk("a.log", 0, b"", final=True))
    assert [(line["record"], line["line"]) for line in lines(capsys)] == [("t/oom", 1)]


def test_a_new_generation_of_the_file_is_told_anew(
    scanner: Scanner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(scanner, tmp_path, Writer())
    for generation in (0, 1):
        reader.read(Chunk("a.log", generation, b"CUDA error: out of memory\n", final=True))
    assert [line["record"] for line in lines(capsys)] == ["t/oom", "t/oom"]


def test_what_turns_out_to_be_something_else_is_taken_back(
    scanner: Scanner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(scanner, tmp_path, Writer())
    reader.read(Chunk("a.log", 0, b"RuntimeError: Triton Error\n"))
    (first,) = lines(capsys)
    reader.read(Chunk("a.log", 0, b"caused by Triton Error [CUDA]: invalid device\n"))
    back, second = lines(capsys)
    assert (first["record"], second["record"]) == ("t/general", "t/special")
    assert back == {"withdrawn": first["fingerprint"], "file": "a.log", "line": 1}
    assert [incident.record for incident in reader.told.values()] == ["t/special"]


def test_people_are_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    knowledge = knowledge_of(*RECORDS)
    reader = Reader(Scanner(knowledge), tmp_path, PeopleWriter(knowledge, tmp_path, None))
    reader.read(Chunk("a.log", 0, b"RuntimeError: Triton Error\n"))
    reader.read(Chunk("a.log", 0, b"caused by Triton Error [CUDA]: invalid device\n"))
    assert "a.log:1:1: not t/general after all" in capsys.readouterr().out
