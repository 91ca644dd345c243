"""Which names are logs."""

from pathlib import Path

import pytest

from detour_lsp.logs.inputs import is_log_name, logs_in, rotated_base


@pytest.mark.parametrize(
    "name",
    [
        "train.log",
        "slurm-17.out",
        "slurm-17_3.err",
        "job.sh.o12345",
        "job.sh.e12345",
        "train.log.1",
        "train.log-20261130",
        "output.log",
        "stderr",
        "stdout",
        "rank0.stdout",
        "nohup.out",
        "notes.txt",
        "TRAIN.LOG",
        "run.log.gz",
        "run.log.zst",
        "train.log.2.gz",
        "explore.ipynb",
        "stdout.3",
        "worker_log",
        "log",
        "std_log.0",
    ],
)
def test_logs(name: str) -> None:
    assert is_log_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "train.py",
        "model.pt",
        "config.json",
        "README.md",
        "requirements.txt",
        "LICENSE.txt",
        "catalog",
        "blog.html",
        "events.out.tfevents.17.host",
        "backlog",
        "dialog.png",
        "",
        "login",
        "a.gz",
        "x.o",
    ],
)
def test_other_files(name: str) -> None:
    assert not is_log_name(name)


def test_rotated_names() -> None:
    assert rotated_base("train.log.1") == "train.log"
    assert rotated_base("train.log-20261130.gz") == "train.log"
    assert rotated_base("train.log.old") == "train.log"
    assert rotated_base("train.log") is None
    assert rotated_base("slurm-17.out") is None


def test_folders_are_walked_in_order_without_circles(tmp_path: Path) -> None:
    for name in ("b/1/stderr.log", "b/0/stdout.log", "a.log", "c.py", "node_modules/x.log", "b/.git/y.log", "z.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (tmp_path / "b" / "circle").symlink_to(tmp_path)
    (tmp_path / "dangling.log").symlink_to(tmp_path / "nowhere")
    found = [str(Path(path).relative_to(tmp_path)) for path in logs_in(str(tmp_path))]
    assert found == ["a.log", "b/0/stdout.log", "b/1/stderr.log", "z.txt"]
    assert list(logs_in(str(tmp_path / "missing"))) == []
