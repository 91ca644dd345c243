"""`detour kb verify` says at once, and without running anything, what it cannot do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from detour_lsp.cli.main import main

#: What a CPU build and a CUDA build without a card answer; `torch` is a stand-in in a folder of its own.
STAND_IN = """
class cuda:
    @staticmethod
    def is_available(): return {available}
    @staticmethod
    def device_count(): return {count}
class version:
    cuda = {built!r}
"""


def torch_in(folder: Path, *, available: bool = False, count: int = 0, built: str | None = None) -> None:
    (folder / "torch").mkdir()
    (folder / "torch/__init__.py").write_text(STAND_IN.format(available=available, count=count, built=built))
    metadata = folder / "torch-2.13.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0\n")


@pytest.mark.parametrize(("built", "build"), [(None, "it is a build without CUDA"), ("12.8", "built for CUDA 12.8")])
def test_no_device(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    built: str | None,
    build: str,
) -> None:
    torch_in(tmp_path, built=built)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = ["kb", "verify", "--device", "cuda", "--no-write", "--python", sys.executable]
    assert main([*command, "cuda/out-of-memory", "cuda/device-mismatch"]) == 2
    said = capsys.readouterr().err
    assert build in said
    assert "nothing was run. With a device it would run:" in said
    assert "  cuda/out-of-memory  torch 2.13.0: repro.py\n" in said
    assert "  cuda/device-mismatch  torch 2.13.0: repro.py, repro_meta_context.py, repro_numpy.py\n" in said


def test_what_is_no_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "verify", "--torch", "banana", "--no-write", "pytorch/view-not-contiguous"]) == 2
    assert "'banana' is no version of torch; write it as 2.6.0" in capsys.readouterr().err


def test_what_is_no_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "verify", "pytorch/no-such-thing"]) == 2
    assert "no record 'pytorch/no-such-thing'" in capsys.readouterr().err
