"""The stored outputs of real tools (data/make.py made them): one incident each, at the program's marked line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from detour_lsp.logs.scan import Scanner

DATA = Path(__file__).parent / "data"
RECORD = {
    "fault": "t/segfault",
    "warned": "t/scheduler",
    "compiled": "t/unsupported",
    "scripted": "t/view",
    "anomaly": "t/anomaly",
}
#: The text of these prints no source line for the frame.
WITHOUT_SOURCE = {"fault", "anomaly"}


def expectation(stem: str) -> tuple[str, str, int]:
    """Record, file and line that the output of this name must lead to."""
    name = re.sub(r"-3\.\d+$", "", stem)
    name = re.sub(r"_(?:linux|lightbg|neutral)$", "", name)
    name = re.sub(r"_(?:coloured|narrow|locals|record|long|short|line|native|context|plain|verbose|minimal)$", "", name)
    if name == "notebook":
        # IPython 8.4 names no line of a cell's function in this mode, so the frame outside of it is the deepest known.
        return "t/oom", "In[3]" if stem == "notebook_plain-3.9" else "In[2]", 3
    program = "helper" if name == "notebook_module" else name
    lines = (DATA / "programs" / f"{program}.py").read_text().splitlines()
    return RECORD.get(name, "t/oom"), f"{program}.py", next(n for n, text in enumerate(lines, 1) if "# HERE" in text)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda path: path.stem)
def test_real_output(scanner: Scanner, path: Path) -> None:
    record, file, line = expectation(path.stem)
    incidents = [incident for incident in scanner.scan(path.read_bytes(), path.name) if incident.level != "symptom"]
    assert [incident.record for incident in incidents] == [record]
    frame = incidents[0].user_frame
    if "_line-" in path.stem or "_minimal-" in path.stem:
        # `--tb=line` names the raising file alone, and that is a library's; `%xmode Minimal` names none.
        assert frame is None
        return
    assert frame is not None
    name = frame.file if frame.cell is None else f"In[{frame.cell}]"
    assert name.endswith(file)
    assert frame.line == line
    if path.stem.split("-")[0] not in WITHOUT_SOURCE:
        assert frame.source


def test_ranks_of_torchrun_are_one_incident(scanner: Scanner) -> None:
    incidents = scanner.scan((DATA / "ddp.txt").read_bytes(), "ddp.txt")
    oom = next(incident for incident in incidents if incident.record == "t/oom")
    box = next(incident for incident in incidents if incident.record == "t/child")
    assert (oom.ranks, oom.count) == ((0, 1), 2)
    assert box.cause_of == oom.fingerprint
    assert box.user_frame == oom.user_frame


def test_copy_in_torchruns_box_is_not_counted(scanner: Scanner) -> None:
    incidents = scanner.scan((DATA / "ddp_record.txt").read_bytes(), "ddp_record.txt")
    oom = next(incident for incident in incidents if incident.record == "t/oom")
    assert (oom.ranks, oom.count) == ((0, 1), 2)


def test_worker_symptom_points_at_the_inner_error(scanner: Scanner) -> None:
    incidents = {i.record: i for i in scanner.scan((DATA / "loader.txt").read_bytes(), "loader.txt")}
    assert incidents["t/worker"].cause_of == incidents["t/oom"].fingerprint
