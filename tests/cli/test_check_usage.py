"""`detour check` says what is wrong with its arguments, its input and its output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from detour_lsp.cli.main import INTERNAL_ERROR, NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE, main

BAD = "import torch\ntorch._dynamo.config.recompile_limit = 0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jobs", "0"], "'0' is no number of processes"),
        (["--jobs", "-3"], "'-3' is no number of processes"),
        (["--torch", "banana"], "'banana' is no version of torch"),
        ([os.devnull], "is neither a file nor a folder"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *arguments]) == WRONG_USE
    assert message in capsys.readouterr().err


def test_a_pipe_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "code.py")
    assert main(["check", str(tmp_path / "code.py")]) == WRONG_USE
    assert "is checked with `-`" in capsys.readouterr().err


def test_a_folder_without_anything_to_check_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text("")
    assert main(["check", str(tmp_path)]) == 0
    assert f"no Python files or notebooks in {tmp_path}" in capsys.readouterr().err


def test_broken_notebook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "n.ipynb").write_text('{"cells": [')
    assert main(["check", "--no-cache", str(tmp_path)]) == INTERNAL_ERROR
    shown = capsys.readouterr()
    assert "n.ipynb: not a notebook: " in shown.err
    assert "No known dead ends in 0 files; 1 could not be checked." in shown.out


@pytest.mark.parametrize("head", ["﻿", "# -*- coding: gbk -*-\n# 中文\n"])
def test_excerpt_shows_the_line_as_it_is(head: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "torch._dynamo.config.recompile_limit = 0  # 零\n"
    encoding = "gbk" if "gbk" in head else "utf-8"
    (tmp_path / "a.py").write_bytes((head + "import torch\n" + line).encode(encoding))
    assert main(["check", "--no-cache", str(tmp_path / "a.py")]) == SOMETHING_FOUND
    shown = capsys.readouterr().out
    assert "recompile_limit = 0  # 零" in shown
    assert "�" not in shown
    assert "﻿" not in shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_full_disk(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "detour_lsp", "check", "--no-cache", str(tmp_path)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == INTERNAL_ERROR
    assert done.stderr == "detour: the output cannot be written: No space left on device\n"


def test_closed_pipe(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"a{number}.py").write_text(BAD)
    process = subprocess.Popen(
        [sys.executable, "-m", "detour_lsp", "check", "--no-cache", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == SOMETHING_FOUND


def test_good_arguments(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n")
    assert main(["check", "--no-cache", "--jobs", "2", "--torch", "2.7.1+cu126", str(tmp_path)]) == NOTHING_FOUND


def test_a_closed_pipe_leaves_no_file_unrepaired(tmp_path: Path) -> None:
    files = [tmp_path / f"a{number}.py" for number in range(40)]
    for file in files:
        file.write_text("import torch\nscaler = torch.cuda.amp.GradScaler()\n" + BAD)
    process = subprocess.Popen(
        [sys.executable, "-m", "detour_lsp", "check", "--no-cache", "--fix", "--unsafe-fixes", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert b" repaired, " in said
    assert [file.name for file in files if "torch.cuda.amp.GradScaler" in file.read_text()] == []
