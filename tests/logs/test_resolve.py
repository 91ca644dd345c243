"""The file of a frame on this machine, its line as it is now, and whether the log is older than the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from detour_lsp.logs.incident import Frame, Incident, Span
from detour_lsp.logs.resolve import find_file, resolve


def incident(file: str, line: int = 2, source: str | None = "loss.backward()") -> Incident:
    frame = Frame(file, line, "main", source)
    return Incident("t/x", 0, "documented", "error", "x.log", Span(1, 1, 1, 2), "x", user_frame=frame)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "vision"
    for name in ("train.py", "nets/unet.py", "nets/blocks/attention.py", "tools/train.py", ".venv/lib/train2.py"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import torch\nloss.backward()\nstep()\n")
    return root


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("/home/u/project/nets/unet.py", "nets/unet.py"),
        ("/workspace/vision/train.py", "train.py"),
        ("D:\\work\\vision\\nets\\blocks\\attention.py", "nets/blocks/attention.py"),
        ("C:\\\\Users\\\\u\\\\vision\\\\tools\\\\train.py", "tools/train.py"),
        ("nets/unet.py", "nets/unet.py"),
        ("unet.py", "nets/unet.py"),
        ("~/vision/nets/unet.py", "nets/unet.py"),
        ("./tools/train.py", "tools/train.py"),
        ("../vision/tools/train.py", "tools/train.py"),
        ("/other/attention.py", "nets/blocks/attention.py"),
        ("/x/missing.py", None),
        ("/x/train2.py", None),
        ("<stdin>", None),
        ("", None),
        ("/", None),
        ("..", None),
    ],
)
def test_trailing_path(project: Path, name: str, found: str | None) -> None:
    path = find_file(name, project)
    assert (path.relative_to(project.resolve()).as_posix() if path else None) == found


def test_a_path_never_leaves_the_root(project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("x\n")
    (project / "link.py").symlink_to(tmp_path / "secret.py")
    assert find_file("../secret.py", project) is None
    assert find_file("/a/link.py", project) is None
    assert find_file(str(tmp_path / "secret.py"), project) is None


def test_two_equal_names_are_ambiguous(project: Path) -> None:
    (project / "a").mkdir()
    (project / "b").mkdir()
    (project / "a/same.py").write_text("x\n")
    (project / "b/same.py").write_text("x\n")
    assert find_file("/elsewhere/same.py", project) is None
    found = find_file("/elsewhere/b/same.py", project)
    assert found is not None
    assert found.parent.name == "b"


def test_unmoved(project: Path) -> None:
    result = resolve(incident("/srv/vision/train.py"), project)
    assert (result.resolved, result.current_line, result.stale) == ("train.py", None, False)


def test_moved_line_is_found_by_its_text(project: Path) -> None:
    (project / "train.py").write_text("import torch\n\n\nx = 1\n    loss.backward( )\n")
    result = resolve(incident("/srv/vision/train.py"), project)
    assert (result.resolved, result.current_line, result.stale) == ("train.py", 5, False)


def test_a_root_that_is_a_link(project: Path, tmp_path: Path) -> None:
    link = tmp_path / "home"
    link.symlink_to(project, target_is_directory=True)
    assert resolve(incident("/srv/vision/nets/unet.py"), link).resolved == "nets/unet.py"
    assert resolve(incident("/other/attention.py"), link).resolved == "nets/blocks/attention.py"


def test_only_line_ends_of_python_end_a_line(project: Path) -> None:
    (project / "train.py").write_text("import torch\n\f\nx = '\u2028'\ny = 1\nloss.backward()\n", encoding="utf-8")
    assert resolve(incident("/srv/vision/train.py"), project).current_line == 5
    assert resolve(incident("train.py", 6, None), project).stale


def test_nearest_of_several(project: Path) -> None:
    (project / "train.py").write_text("loss.backward()\n" + "x\n" * 8 + "loss.backward()\n" + "y\n" * 30)
    assert resolve(incident("train.py", 8), project).current_line == 10


def test_gone_line_is_stale(project: Path) -> None:
    (project / "train.py").write_text("import torch\nprint(1)\nstep()\n")
    result = resolve(incident("train.py"), project)
    assert (result.resolved, result.current_line, result.stale) == ("train.py", None, True)


def test_without_source_only_the_length_can_tell(project: Path) -> None:
    assert not resolve(incident("train.py", 3, None), project).stale
    assert resolve(incident("train.py", 300, None), project).stale


def test_source_cut_by_a_box(project: Path) -> None:
    (project / "train.py").write_text("a\n\nmodule.weight.data = module.weight.data.to(device, non_blocking=True)\n")
    result = resolve(incident("train.py", 2, "module.weight.data = module.weight.data.to(device, non_bl"), project)
    assert result.current_line == 3


def test_nothing_to_resolve(project: Path) -> None:
    plain = Incident("t/x", 0, "documented", "error", "x.log", Span(1, 1, 1, 2), "x")
    assert resolve(plain, project) is plain
    assert resolve(incident("train.py"), None).resolved is None
    assert resolve(incident("/nowhere/else.py"), project).resolved is None
