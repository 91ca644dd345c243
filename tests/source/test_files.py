"""Discovery, configuration, notebooks, suppressions and the cache, on real files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from source_rules import LIMIT, LOAD, Base, base, checker, dead_end, lines, record

from detour_lsp.source.cache import ResultCache
from detour_lsp.source.configuration import Configuration, ConfigurationError, find, load, read
from detour_lsp.source.discovery import python_files
from detour_lsp.source.files import FileChecker, check_paths
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.notebook import Notebook, NotebookError
from detour_lsp.source.torch_version import torch_version

BAD = "import torch\ntorch.load(p, weights_only=False)\n"


def knowledge() -> Base:
    return base(record("pytorch/load", dead_end(*LOAD)), record("pytorch/limit", dead_end(*LIMIT)))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DETOUR_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def make(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def walked(root: Path, **options: object) -> list[str]:
    return [path.relative_to(root).as_posix() for path in python_files([root], **options)]  # type: ignore[arg-type]


def test_discovery_is_like_ruffs(tmp_path: Path) -> None:
    for name in ("a.py", "b/c.pyi", "b/n.ipynb", "b/x.txt", "venv/v.py", ".venv/w.py", "node_modules/m.py", "gen/g.py",
                 "keep/k.py", "b/skip_me.py", "b/.hidden/h.py", "build/o.py"):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    (tmp_path / ".gitignore").write_text("gen/\nkeep/*\n!keep/k.py\n/nothing[\n")
    (tmp_path / "b" / ".gitignore").write_text("skip_*.py\n")
    os.symlink(tmp_path, tmp_path / "loop")
    assert walked(tmp_path) == ["a.py", "b/c.pyi", "b/n.ipynb", "b/.hidden/h.py", "keep/k.py"]
    assert "gen/g.py" in walked(tmp_path, respect_gitignore=False)
    assert "venv/v.py" in walked(tmp_path, exclude=())
    assert walked(tmp_path, exclude=("b", "*.py")) == []
    # What is named itself always counts, once.
    named = list(python_files([tmp_path / "venv" / "v.py", tmp_path / "venv" / "v.py"]))
    assert [path.name for path in named] == ["v.py"]
    assert walked(tmp_path / "gen") == ["g.py"]


def test_rules_of_the_folders_above_count_inside_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("secret.py\n")
    (tmp_path / ".gitignore").write_text("*.gen.py\n")
    (tmp_path / "sub").mkdir()
    for name in ("a.py", "b.gen.py", "secret.py"):
        (tmp_path / "sub" / name).write_text("")
    assert walked(tmp_path / "sub") == ["a.py"]
    # A folder that they ignore is read when it is named, or one inside it, by the other rules.
    (tmp_path / ".gitignore").write_text("*.gen.py\nsub/\n")
    assert walked(tmp_path) == []
    assert walked(tmp_path / "sub") == ["a.py"]
    (tmp_path / "sub" / "inner").mkdir()
    (tmp_path / "sub" / "inner" / "c.py").write_text("")
    assert walked(tmp_path / "sub" / "inner") == ["c.py"]


def test_configuration_is_read_and_wrong_keys_are_named(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(
        '[tool.detour]\nselect = ["pytorch"]\nignore = ["limit"]\nexclude = ["old"]\nextend-exclude = ["new"]\n'
        'torch = "2.9.1"\nmin-tier = "documented"\n[tool.detour.per-file-ignores]\n"legacy/*.py" = ["pytorch/load"]\n'
    )
    (tmp_path / "src").mkdir()
    configuration = load(tmp_path / "src")
    assert (configuration.torch, configuration.exclude, configuration.root) == ("2.9.1", ("old", "new"), tmp_path)
    wants = configuration.wants
    assert wants("pytorch/load", "documented", str(tmp_path / "a.py"))
    assert not wants("pytorch/load", "ai_generated", str(tmp_path / "a.py"))
    assert not wants("pytorch/limit", "proven", str(tmp_path / "a.py"))
    assert not wants("cuda/x", "proven", str(tmp_path / "a.py"))
    assert not wants("pytorch/load", "proven", str(tmp_path / "legacy" / "a.py"))
    file.write_text('[tool.detour]\nignroe = []\ntorch = "latest"\nmin-tier = 3\n')
    with pytest.raises(ConfigurationError) as error:
        read(file)
    said = " | ".join(error.value.problems)
    assert "ignroe: unknown key; known are" in said
    assert "'latest' is not a version" in said
    assert "min-tier" in said
    file.write_text("[tool.detour\n")
    with pytest.raises(ConfigurationError, match="is not TOML"):
        read(file)
    file.write_text("[project]\nname = 'x'\n")
    assert read(file) == Configuration(root=tmp_path)
    assert find(tmp_path / "src" / "missing.py") == file


def test_check_paths_applies_the_configuration(tmp_path: Path) -> None:
    make(tmp_path, a_dot_py=BAD, legacy__b_dot_py=BAD, c_dot_py="x = 1\n")
    configuration = Configuration(root=tmp_path, per_file_ignores={"legacy/*": ("load",)})
    results = {Path(item.path).name: item for item in check_paths([tmp_path], knowledge(), configuration=configuration)}
    assert sorted(results) == ["a.py", "b.py", "c.py"]
    assert lines(results["a.py"].findings) == [2]
    assert (results["b.py"].findings, results["c.py"].findings) == ((), ())


def test_files_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes("# -*- coding: latin-1 -*-\n# é\n".encode("latin-1") + BAD.encode())
    (tmp_path / "bad.py").write_bytes(b"# \xff\xfe\n" + BAD.encode())
    (tmp_path / "n.ipynb").write_text('{"torch.load weights_only"')
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    check = FileChecker(knowledge())
    assert lines(check.check_path(str(tmp_path / "latin.py")).findings) == [4]
    said = check.check_path(str(tmp_path / "bad.py")).error
    assert said.startswith("the file cannot be read as Python source: ")
    assert "cannot be read" in check.check_path(str(tmp_path / "gone.py")).error
    assert check.check_path(str(tmp_path / "n.ipynb")).error.startswith("not a notebook") or (
        not check.checker.may_have_findings((tmp_path / "n.ipynb").read_bytes())
    )


def notebook(*cells: tuple[str, object], **metadata: object) -> str:
    made = [{"cell_type": kind, "metadata": {}, "source": source} for kind, source in cells]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4}, indent=1, ensure_ascii=False)


def test_notebook_cells_share_names_and_have_positions_of_their_own(tmp_path: Path) -> None:
    text = notebook(
        ("markdown", ["torch.load(p, weights_only=False)"]),
        ("code", ["%matplotlib inline\n", "import torch as th"]),
        ("code", "%%bash\ntorch.load(p, weights_only=False)"),
        ("code", ["%%time\n", "x = 'é'\n", "y = th.load(p, weights_only=False)"]),
    )
    (tmp_path / "n.ipynb").write_text(text)
    (finding,) = FileChecker(knowledge()).check_path(str(tmp_path / "n.ipynb")).findings
    assert (finding.cell, finding.line, finding.column, finding.end_line, finding.end_column) == (3, 3, 5, 3, 35)


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.load(p, weights_only=False)",
        "x = 1\r\nimport torch\r\ny = 2\r\ntorch.load(p, weights_only=False)\r\n",
        ["from torch import load\n", "load(p, weights_only=False)"],
        ["import torch", "\ntorch.lo", "ad(p, weights_only=False)"],
    ],
)
def test_notebook_sources_in_every_shape_that_json_allows(tmp_path: Path, source: object) -> None:
    (tmp_path / "n.ipynb").write_text(notebook(("code", source)), encoding="utf-8-sig")
    (finding,) = FileChecker(knowledge()).check_path(str(tmp_path / "n.ipynb")).findings
    assert finding.record == "pytorch/load"


def test_notebook_edits_change_nothing_else() -> None:
    text = notebook(("code", ["a = 1\n", "b = 2\n", "c = 'é'"]), ("markdown", "x"), ("code", "d = 4"))
    parsed = Notebook.parse(text)
    assert parsed.text == "a = 1\nb = 2\nc = 'é'\nd = 4\n"
    start = parsed.text.index("2")
    changed = parsed.apply([TextEdit(start, start + 1, "22\nbb = 3"), TextEdit(0, 0, "import os\n")])
    assert changed == text.replace('"a = 1\\n",', '"import os\\n",\n    "a = 1\\n",').replace(
        '"b = 2\\n",', '"b = 22\\n",\n    "bb = 3\\n",'
    )
    last = parsed.text.index("d = 4")
    assert json.loads(parsed.apply([TextEdit(last, last + 5, "e = 'ü'")]))["cells"][2]["source"] == "e = 'ü'"
    tight = '{"nbformat":4,"cells":[{"source":["x\\u00e9=1\\n","y=2"],"cell_type":"code"}]}'
    assert Notebook.parse(tight).apply([TextEdit(5, 8, "z=3")]) == tight.replace("y=2", "z=3")
    empty = '{"cells": [{"cell_type": "code", "source": []}], "metadata": {}}'
    assert Notebook.parse(empty).apply([]) == empty


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "{", '{"cells": 3}', '{"cells": [3]}', "[" * 100_000, '{"cells": [{"cell_type": "code"']
)
def test_what_is_no_notebook_is_refused(text: str) -> None:
    with pytest.raises(NotebookError):
        Notebook.parse(text)


def test_notebooks_of_other_languages_have_no_cells() -> None:
    assert Notebook.parse(notebook(("code", "x"), kernelspec={"language": "R"})).cells == []
    assert len(Notebook.parse(notebook(("code", "x"), language_info={"name": "python"})).cells) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch\ntorch.load(p, weights_only=False)  # detour: ignore\n", []),
        ("import torch\ntorch.load(p, weights_only=False)  # detour: ignore[pytorch/test-record]\n", []),
        ("import torch\ntorch.load(p, weights_only=False)  # noqa  # detour:ignore[a, test-record]\n", []),
        ("import torch\ntorch.load(p, weights_only=False)  # detour: ignore[other]\n", [2]),
        ("import torch\ntorch.load(\n    p,\n    weights_only=False,  # detour: ignore\n)\n", []),
        ("# detour: ignore-file\nimport torch\ntorch.load(p, weights_only=False)\n", []),
        ("# detour: ignore-file[test-record]\nimport torch\ntorch.load(p, weights_only=False)\n", []),
        ("# detour: ignore-file[other]\nimport torch\ntorch.load(p, weights_only=False)\n", [3]),
        ("import torch\ntorch.load('# detour: ignore', weights_only=False)\n", [2]),
        ("x = '# detour: ignore-file'\nimport torch\ntorch.load(p, weights_only=False)\n", [3]),
        ("import torch\n# detour: ignore\ntorch.load(p, weights_only=False)\n", [3]),
    ],
)
def test_suppressions(text: str, found: list[int]) -> None:
    assert lines(checker(*LOAD).check(text, "a.py")) == found


def test_unused_suppressions_are_reported_on_request(tmp_path: Path) -> None:
    text = "import torch  # detour: ignore[x]\ntorch.load(p, weights_only=False)  # detour: ignore\n"
    (tmp_path / "a.py").write_text(text)
    (result,) = check_paths([tmp_path], knowledge(), unused=True)
    assert [(item.line, item.column, item.text) for item in result.unused] == [(1, 15, "# detour: ignore[x]")]
    (tmp_path / "a.py").write_text("x = 1  # detour: ignore\n")
    (result,) = check_paths([tmp_path], knowledge(), unused=True)
    assert [item.line for item in result.unused] == [1]


def test_the_cache_is_keyed_by_content(tmp_path: Path) -> None:
    make(tmp_path, a_dot_py=BAD)
    first = list(check_paths([tmp_path], knowledge()))
    cache = ResultCache.open(knowledge(), None)
    key = cache.key(BAD.encode(), str(tmp_path / "a.py"))
    assert cache.get(key, str(tmp_path / "a.py")) == first[0].findings
    assert list(check_paths([tmp_path], knowledge())) == first
    # A copy elsewhere has the same findings under its own name; a changed text, other records or torch have not.
    assert [item.file for item in cache.get(key, "b.py") or ()] == ["b.py"]
    assert cache.get(cache.key(BAD.encode() + b"#", "a.py"), "a.py") is None
    assert ResultCache.open(knowledge(), "2.9").get(key, "a.py") is None
    assert ResultCache.open(base(record("pytorch/load", dead_end(*LOAD))), None).get(key, "a.py") is None
    assert cache.key(BAD.encode(), "tests/a.py") != key
    for file in (Path(os.environ["DETOUR_CACHE_DIR"]) / "check").iterdir():
        file.write_bytes(b"broken")
    assert list(check_paths([tmp_path], knowledge())) == first


def test_many_files_give_the_same_with_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        (tmp_path / f"f{number:02}.py").write_text(BAD if number % 3 else "x = 1\n")
    alone = list(check_paths([tmp_path], knowledge(), jobs=1, use_cache=False))
    monkeypatch.setattr("detour_lsp.source.files._BYTES_FOR_PROCESSES", 1)
    assert list(check_paths([tmp_path], knowledge(), jobs=2, use_cache=False)) == alone
    assert list(check_paths([tmp_path], knowledge(), jobs=2)) == alone
    assert list(check_paths([tmp_path], knowledge(), jobs=2)) == alone
    assert sum(len(item.findings) for item in alone) == 40


def test_the_torch_version_is_read_from_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    (tmp_path / ".git").mkdir()
    assert torch_version(tmp_path) is None
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch>=2.1", "torch==2.3.1; sys_platform"]\n')
    assert torch_version(tmp_path) is None
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torchvision==0.2", "torch==2.3.1"]\n')
    assert torch_version(tmp_path) == "2.3.1"
    (tmp_path / "requirements.txt").write_text("torchvision==0.2\n# torch==1.0\ntorch==2.4.0+cu121 --hash=sha256:a\n")
    assert torch_version(tmp_path) == "2.4.0+cu121"
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "torch"\nversion = "2.5.1"\n\n[[package]]\nname = "x"\n')
    assert torch_version(tmp_path) == "2.5.1"
    site = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    (site / "torch-2.9.1.dist-info").mkdir(parents=True)
    (site / "torchvision-0.24.dist-info").mkdir()
    assert torch_version(tmp_path) == "2.9.1"
    other = tmp_path / "other" / "lib" / "python3.12" / "site-packages" / "torch-2.13.0+cpu.dist-info"
    other.mkdir(parents=True)
    assert torch_version(tmp_path, str(tmp_path / "other" / "bin" / "python")) == "2.13.0+cpu"
    (tmp_path / "sub").mkdir()
    assert torch_version(tmp_path / "sub") == "2.9.1"
    assert torch_version(None) is None
