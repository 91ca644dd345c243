"""From a log to changed files, and from findings to changed files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from detour_lsp.knowledge.record import DeadEnd, Edges, Record, Repair, Workaround
from detour_lsp.logs.incident import Frame, Incident, Span
from detour_lsp.repairing import fix_log, fix_source, repairs_for, with_repairs
from detour_lsp.source.apply import ApplyError
from detour_lsp.source.check import Checker

SUM = {"edit": "append_call", "at": {"call": ".backward", "scope": "frame", "receiver": True}, "call": ".sum()"}
ENV = {"edit": "replace_text", "at": {"env": "PYTORCH_CUDA_ALLOC_CONF"}, "pattern": r"(\w+)=(\d+)", "to": r"\1:\2"}
SUPPRESS = {"set": "torch._dynamo.config.suppress_errors", "value": {"is": True}}
REMOVE = {"edit": "remove_statement", "at": "finding"}


def record(name: str, *repairs: Repair, dead_end: Repair | None = None) -> Record:
    dead_ends = (
        DeadEnd("d", "w", 0.5, detect=(SUPPRESS,), repair=dead_end),
    )  # fmt: skip
    return Record(
        id=name, signature="s", signature_zh="", regex="s", domain="pytorch", category="c", subcategory=None,
        root_cause="r", root_cause_type="generic", root_cause_zh="", versions=(), os_specific={},
        dead_ends=dead_ends if dead_end else (), workarounds=tuple(Workaround("w", 0.5, "", repair=r) for r in repairs),
        workarounds_zh=(), transition_graph=Edges(), official_doc_url=None, official_doc_section=None, error_code=None,
        verification_tier="documented", confidence=0.5, fix_success_rate=None, resolvable="true",
        first_seen="2024-01-01", last_confirmed="2024-01-01", last_updated="2024-01-01", evidence_count=0, tags=(),
        locale="en", aliases=(),
    )  # fmt: skip


class Base:
    def __init__(self, *records: Record) -> None:
        self.records = {item.id: item for item in records}


def incident(name: str, line: int | None = 2, source: str = "loss.backward()", **more: Any) -> Incident:
    frame = Frame("/somewhere/else/train.py", line, "main", source) if line is not None else None
    frames = (frame,) if frame is not None else ()
    found = Incident(name, 0, "documented", "error", "run.log", Span(9, 1, 9, 20), "message", {}, frames, frame)
    return replace(found, fingerprint=name + str(line), **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_bytes(b"import torch\r\nloss.backward()  # \xc3\xa9\r\nother.backward()\r\n")
    (tmp_path / "train.py").chmod(0o640)
    return tmp_path


def test_a_log_repairs_the_file_of_its_frame(root: Path) -> None:
    base = Base(record("p/grad", Repair((SUM,), "unsafe", "Sum it")))
    assert [item.title for item in repairs_for(incident("p/grad"), root, base)] == ["Sum it"]
    cautious = fix_log([incident("p/grad")], root, base)
    assert cautious.files == ()
    assert "--unsafe-fixes" in cautious.remedies[0].reason
    repair = fix_log([incident("p/grad")], root, base, unsafe=True)
    assert "-loss.backward()  # é\r\n+loss.sum().backward()  # é\r\n" in repair.diff()
    assert repair.write() == ["train.py"]
    assert (root / "train.py").read_bytes().startswith(b"import torch\r\nloss.sum().backward()  # \xc3\xa9\r\n")
    assert (root / "train.py").stat().st_mode & 0o777 == 0o640


def test_one_repair_per_incident_and_none_that_overlap(root: Path) -> None:
    mean = {**SUM, "call": ".mean()"}
    base = Base(
        record("p/a", Repair((SUM,), "safe", "Sum it")),
        record("p/b", Repair((mean,), "safe", "Mean it")),
        record("p/c", Repair((SUM,), "safe", "Sum it too")),
    )
    twice = incident("p/a", 3, "other.backward()")
    repair = fix_log([incident("p/b", level="warning"), incident("p/a"), twice, incident("p/c")], root, base)
    chosen = [(item.incident.record, item.chosen.title if item.chosen else item.reason) for item in repair.remedies]
    assert chosen == [
        ("p/a", "Sum it"),
        ("p/a", "Sum it"),
        ("p/c", "Sum it too"),
        ("p/b", "its place is changed by the repair of another incident; run the program again first"),
    ]
    repair.write()
    assert b"loss.sum().backward()" in (root / "train.py").read_bytes()
    assert b"other.sum().backward()" in (root / "train.py").read_bytes()


def test_a_symptom_leaves_the_repair_to_its_cause(root: Path) -> None:
    base = Base(record("p/a", Repair((SUM,), "safe", "Sum it")))
    cause = incident("p/a")
    symptom = incident("p/a", level="symptom", cause_of=cause.fingerprint)
    assert len(fix_log([symptom, cause], root, base).remedies) == 1


def test_a_log_without_a_frame_needs_one_file_that_fits(root: Path) -> None:
    base = Base(record("p/env", Repair((ENV,), "safe", "Write a colon")))
    (root / "main.py").write_text('import os\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n')
    repair = fix_log([incident("p/env", None)], root, base)
    assert [file.path for file in repair.files] == ["main.py"]
    (root / "copy.py").write_text((root / "main.py").read_text())
    repair = fix_log([incident("p/env", None)], root, base)
    assert repair.files == ()
    assert repair.remedies[0].reason == "2 files have such a place, and the log does not tell which one is meant"


def test_a_log_without_a_frame_is_repaired_where_the_better_remedy_fits(root: Path) -> None:
    everywhere = {**ENV, "at": {"env": "PYTORCH_CUDA_ALLOC_CONF", "scope": "workspace"}}
    missing = {"edit": "remove_statement", "at": {"env": "KMP_DUPLICATE_LIB_OK"}}
    better, lesser = Repair((everywhere,), "safe", "Write a colon"), Repair((missing,), "safe", "Remove it")
    base = Base(record("p/env", better, lesser))
    (root / "main.py").write_text('import os\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n')
    (root / "other.py").write_text('import os\nos.environ["KMP_DUPLICATE_LIB_OK"] = "TRUE"\n')
    repair = fix_log([incident("p/env", None)], root, base)
    assert [file.path for file in repair.files] == ["main.py"], repair.remedies[0].reason


def test_a_frame_outside_the_root_is_not_looked_for_elsewhere(root: Path) -> None:
    base = Base(record("p/env", Repair((ENV,), "safe", "Write a colon")))
    (root / "main.py").write_text('import os\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n')
    (root / "train.py").unlink()
    repair = fix_log([incident("p/env")], root, base)
    assert repair.files == ()
    assert "not under the root" in repair.remedies[0].reason


def test_links_do_not_lead_out_of_the_root(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "train.py"
    outside.write_text("import torch\nloss.backward()\n")
    (root / "train.py").unlink()
    (root / "train.py").symlink_to(outside)
    base = Base(record("p/a", Repair((SUM,), "safe", "Sum it")))
    assert fix_log([incident("p/a")], root, base).files == ()


def test_a_file_that_changes_between_planning_and_writing(root: Path) -> None:
    base = Base(record("p/a", Repair((SUM,), "safe", "Sum it")))
    repair = fix_log([incident("p/a")], root, base)
    (root / "train.py").write_text("# saved in the editor\n")
    with pytest.raises(ApplyError, match="changed meanwhile"):
        repair.write()
    assert (root / "train.py").read_text() == "# saved in the editor\n"


# -- findings --------------------------------------------------------------------------------------------------------

BAD = "import torch\ntorch._dynamo.config.suppress_errors = True  # quiet\nx = 1\n"


def test_findings_get_their_repairs_and_files_are_fixed() -> None:
    base = Base(record("p/s", dead_end=Repair((REMOVE,), "safe", "Delete it")))
    checker = Checker(base)
    (finding,) = with_repairs(checker.check(BAD, "a.py"), BAD, base)
    assert [(item.title, item.preferred) for item in finding.repairs] == [("Delete it", True)]
    assert fix_source(BAD, "a.py", checker, base)[0] == "import torch\nx = 1\n"
    assert fix_source(BAD, "a.py", checker, base, wanted=lambda _: False) == (BAD, [])
    again, applied = fix_source("import torch\nx = 1\n", "a.py", checker, base)
    assert (again, applied) == ("import torch\nx = 1\n", [])


def test_unsafe_repairs_are_not_applied_unasked() -> None:
    base = Base(record("p/s", dead_end=Repair((REMOVE,), "unsafe", "Delete it")))
    checker = Checker(base)
    assert fix_source(BAD, "a.py", checker, base)[0] == BAD
    assert fix_source(BAD, "a.py", checker, base, unsafe=True)[0] == "import torch\nx = 1\n"
    shown = Base(record("p/s", dead_end=Repair((REMOVE,), "display", "Delete it")))
    assert fix_source(BAD, "a.py", Checker(shown), shown, unsafe=True)[0] == BAD


def notebook(indent: int | None) -> str:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# 标题"]},
        {
            "cell_type": "code", "execution_count": 3, "metadata": {"b": 1, "a": 2}, "outputs": [],
            "source": ["import torch"],
        },
        {
            "cell_type": "code", "execution_count": 4, "metadata": {}, "outputs": [],
            "source": ["torch._dynamo.config.suppress_errors = True\n", "x = '漢'\n", "loss.backward()"],
        },
    ]  # fmt: skip
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent) + "\n"


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_notebooks_keep_their_layout(indent: int | None) -> None:
    text = notebook(indent)
    base = Base(record("p/s", dead_end=Repair((REMOVE,), "safe", "Delete it")))
    after, applied = fix_source(text, "a.ipynb", Checker(base), base)
    assert len(applied) == 1
    first = '"torch._dynamo.config.suppress_errors = True\\n",'
    start = text.index(first)
    stop = text.index('"x = ', start)
    assert after == text[:start] + text[stop:]


def test_an_incident_of_a_cell_repairs_the_notebook(root: Path) -> None:
    (root / "work.ipynb").write_text(notebook(1))
    frame = Frame("<ipython-input-4-abc>", 3, "<module>", "loss.backward()", cell=4)
    base = Base(record("p/a", Repair((SUM,), "safe", "Sum it")))
    found = replace(incident("p/a"), frames=(frame,), user_frame=frame)
    repair = fix_log([found], root, base)
    repair.write()
    assert (root / "work.ipynb").read_text() == notebook(1).replace("loss.backward()", "loss.sum().backward()")
