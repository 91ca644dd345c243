"""The command line as scripts rely on it (DESIGN section 6): JSON to the letter, exit statuses, clear messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SEEDS = Path(__file__).resolve().parents[2] / "seeds"
LIMIT = SEEDS / "pytorch/compile-recompilation-limit"
RECORD = "pytorch/compile-recompilation-limit"
BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "repro_dynamic_false.py").write_text((LIMIT / "repro_dynamic_false.py").read_text())
    (folder / "train.log").write_text((LIMIT / "logs/dynamic-false-torch-2.13.0.txt").read_text())
    return folder


def detour(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "DETOUR_RUN_DIR": str(folder / ".run"), "LANG": "C.UTF-8", **environment}
    command = [sys.executable, "-m", "detour_lsp", *arguments]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, env=env, check=False, timeout=120)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def incidents(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    data = json.loads(done.stdout)
    assert list(data) == ["version", "incidents"]
    assert data["version"] == 1
    return data["incidents"]


def test_the_json_of_scan_is_exactly_that_of_the_contract(project: Path) -> None:
    done = detour(project, "scan", "--format", "json", "train.log")
    assert done.returncode == 1
    assert done.stderr == ""
    (incident,) = incidents(done)
    assert list(incident) == [
        "record", "tier", "level", "file", "line", "column", "end_line", "end_column", "message", "captures",
        "frame", "count", "ranks", "cause_of", "truncated", "fingerprint",
    ]  # fmt: skip
    assert incident["record"] == RECORD
    assert incident["tier"] in ("documented", "reproduced", "proven")
    assert (incident["level"], incident["file"], incident["line"]) == ("warning", "train.log", 1)
    assert list(incident["frame"]) == ["file", "line", "function", "resolved"]
    assert incident["frame"]["resolved"] == "repro_dynamic_false.py"
    assert incident["captures"]["limit"] == "8"
    assert (incident["count"], incident["cause_of"], incident["truncated"]) == (1, None, False)


def test_the_json_of_check_is_exactly_that_of_the_contract(project: Path) -> None:
    (project / "bad.py").write_text(BAD)
    done = detour(project, "check", "--format", "json", "bad.py")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert list(data) == ["version", "findings"]
    (finding,) = data["findings"]
    assert list(finding) == [
        "record", "dead_end", "file", "line", "column", "end_line", "end_column", "severity", "message", "repairs",
        "fingerprint",
    ]  # fmt: skip
    assert (finding["record"], finding["dead_end"], finding["line"], finding["column"]) == (RECORD, 1, 3, 1)
    assert (finding["end_line"], finding["end_column"], finding["severity"]) == (3, 41, "warning")
    assert list(finding["repairs"][0]) == ["title", "applicability", "preferred"]


def test_exit_statuses(project: Path) -> None:
    (project / "good.py").write_text("import torch\n")
    (project / "fine.log").write_text("epoch 1\n")
    assert detour(project, "scan", "fine.log").returncode == 0
    assert detour(project, "check", "good.py").returncode == 0
    for arguments in (["scan", "nosuch.log"], ["check", "nosuch.py"], ["scan", "--format", "xml"], ["frobnicate"], []):
        done = detour(project, *arguments)
        assert done.returncode == 2, arguments
        assert done.stderr, arguments
    assert "did you mean `detour scan`" in detour(project, "scam").stderr


def test_an_unreadable_log_is_named_and_the_others_are_scanned(project: Path) -> None:
    (project / "broken.gz").write_bytes(b"\x1f\x8b no gzip at all")
    done = detour(project, "scan", "--format", "json", "broken.gz", "train.log")
    assert len(incidents(done)) == 1
    assert "broken.gz" in done.stderr
    assert detour(project, "scan", "--format", "json", "broken.gz").returncode == 3


def test_standard_input_folders_and_jsonl(project: Path) -> None:
    log = (project / "train.log").read_bytes()
    for arguments in (["-"], []):
        (incident,) = incidents(detour(project, "scan", "--format", "json", *arguments, stdin=log))
        assert incident["record"] == RECORD
    (project / "runs").mkdir()
    (project / "runs" / "rank0.log").write_bytes(log)
    (project / "runs" / "rank1.log").write_bytes(log)
    found = incidents(detour(project, "scan", "--format", "json", "runs"))
    assert [Path(item["file"]).name for item in found] == ["rank0.log", "rank1.log"]
    done = detour(project, "scan", "--format", "jsonl", "runs")
    assert [json.loads(line)["record"] for line in done.stdout.splitlines()] == [RECORD, RECORD]


def test_sarif_and_github(project: Path) -> None:
    sarif = json.loads(detour(project, "scan", "--format", "sarif", "train.log").stdout)
    (run,) = sarif["runs"]
    assert run["results"][0]["ruleId"] == RECORD
    assert (
        run["results"][0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "repro_dynamic_false.py"
    )
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [RECORD]
    line = detour(project, "scan", "--format", "github", "train.log").stdout.splitlines()[0]
    assert line.startswith("::warning file=repro_dynamic_false.py,line=5,")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("my code/a#1.py", "my%20code/a%231.py"),
        ("C:\\Users\\me\\a b.py", "file:///C:/Users/me/a%20b.py"),
        ("/srv/ü.py", "file:///srv/%C3%BC.py"),
    ],
)
def test_sarif_names_files_by_valid_references(project: Path, path: str, uri: str) -> None:
    log = b'Traceback (most recent call last):\n  File "%s", line 3, in <module>\n    f()\n' % path.encode()
    log += b"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    (run,) = json.loads(detour(project, "scan", "--format", "sarif", "-", stdin=log).stdout)["runs"]
    (result,) = run["results"]
    assert result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%3Cstdin%3E"


def test_fix_shows_a_diff_and_writes_only_when_told(project: Path) -> None:
    before = (project / "repro_dynamic_false.py").read_text()
    done = detour(project, "fix", "train.log", "--unsafe-fixes")
    assert done.returncode == 0
    assert '-@torch.compile(backend="eager", dynamic=False)' in done.stdout
    assert (project / "repro_dynamic_false.py").read_text() == before
    careful = detour(project, "fix", "train.log", "--write")
    assert careful.returncode == 1
    assert "--unsafe-fixes" in careful.stderr
    assert (project / "repro_dynamic_false.py").read_text() == before
    assert detour(project, "fix", "train.log", "--unsafe-fixes", "--write").returncode == 0
    after = (project / "repro_dynamic_false.py").read_text()
    assert "dynamic=False)" not in after
    compile(after, "repro", "exec")


def test_check_fixes_files_and_leaves_the_rest(project: Path) -> None:
    (project / "bad.py").write_text(BAD)
    assert detour(project, "check", "--diff", "--unsafe-fixes", "bad.py").returncode == 1
    assert (project / "bad.py").read_text() == BAD
    assert detour(project, "check", "--fix", "--diff").returncode == 2
    assert detour(project, "check", "--fix", "--unsafe-fixes", "bad.py").returncode == 0
    assert (project / "bad.py").read_text() == "import torch\n\n"
    assert detour(project, "check", "bad.py").returncode == 0


def test_configuration_and_comments_silence(project: Path) -> None:
    (project / "bad.py").write_text(BAD)
    (project / "pyproject.toml").write_text(f'[tool.detour]\nignore = ["{RECORD}"]\n')
    assert detour(project, "check", "bad.py").returncode == 0
    (project / "pyproject.toml").write_text('[tool.detour]\nignored = ["x"]\n')
    done = detour(project, "check", "bad.py")
    assert done.returncode == 2
    assert "pyproject.toml" in done.stderr
    assert "ignored" in done.stderr
    (project / "pyproject.toml").unlink()
    (project / "bad.py").write_text(BAD.replace("= 0", f"= 0  # detour: ignore[{RECORD}]"))
    assert detour(project, "check", "bad.py").returncode == 0


def test_explain_by_id_by_text_and_by_standard_input(project: Path) -> None:
    assert RECORD in detour(project, "explain", RECORD).stdout
    assert "GPU" in detour(project, "explain", "CUDA out of memory. Tried to allocate 2.00 GiB").stdout
    log = (project / "train.log").read_bytes()
    assert RECORD in detour(project, "explain", "-", stdin=log).stdout
    chinese = detour(project, "explain", RECORD, DETOUR_LANG="zh_CN").stdout
    assert "行不通的做法" in chinese
    unknown = detour(project, "explain", "pytorch/compile-recompilation-limt")
    assert unknown.returncode == 2
    assert f"did you mean {RECORD}" in unknown.stderr
    assert detour(project, "explain", "all is well with this text").returncode == 1


def test_run_ends_as_the_program_did_and_shows_the_card(project: Path) -> None:
    program = "raise RuntimeError('CUDA out of memory. Tried to allocate 2.00 GiB')"
    (project / "boom.py").write_text(f"import sys\nprint('épée', flush=True)\n{program}\n")
    done = detour(project, "run", "--", sys.executable, "boom.py")
    assert done.returncode == 1
    assert done.stdout == "épée\n"
    assert "cuda/out-of-memory" in done.stderr
    assert "boom.py:3" in done.stderr
    assert detour(project, "run", "--", sys.executable, "-c", "import sys; sys.exit(7)").returncode == 7
    assert detour(project, "run", "--", "no-such-command").returncode == 127
    assert detour(project, "run").returncode == 2
    handed = list((project / ".run").glob("*.json"))
    assert len(handed) == 1
    assert json.loads(handed[0].read_text())["command"].endswith("boom.py")


def test_a_broken_record_is_reported_with_file_key_and_reason_and_the_rest_load(project: Path) -> None:
    seed = json.loads((LIMIT / "record.json").read_text())
    kb = project / "kb"
    for name, change in {"plain": {}, "bad-tier": {"verification_tier": "sure"}, "no-regex": {"regex": "("}}.items():
        (kb / "my" / name).mkdir(parents=True)
        data = {key: seed[key] for key in list(seed)[:30]} | {"id": f"my/{name}", "domain": "my", **change}
        (kb / "my" / name / "record.json").write_text(json.dumps(data))
    (kb / "my" / "torn").mkdir()
    (kb / "my" / "torn" / "record.json").write_text('{"id": ')
    done = detour(project, "kb", "list", "--no-builtin", "--kb", "kb", "--format", "json")
    assert [record["id"] for record in json.loads(done.stdout)["records"]] == ["my/plain"]
    for text in (
        "bad-tier/record.json: verification_tier",
        "no-regex/record.json: regex: not a regular expression",
        "torn/record.json: not JSON",
    ):
        assert text in done.stderr
    text = "RuntimeError: torch.compile: Recompilation limit reached (100 recompilations) for function 'forward'"
    found = incidents(detour(project, "scan", "--format", "json", "--no-builtin", "--kb", "kb", stdin=text.encode()))
    assert [item["record"] for item in found] == ["my/plain"]


def test_kb_new_makes_a_folder_that_check_then_leads_through(project: Path) -> None:
    (project / "seeds").mkdir()
    assert detour(project, "kb", "new", "my/error").returncode == 0
    assert detour(project, "kb", "new", "my/error").returncode == 2
    assert detour(project, "kb", "new", "No Such Id").returncode == 2
    done = detour(project, "kb", "check", "--no-builtin", "--kb", "seeds")
    assert done.returncode == 1
    assert "TODO" in done.stdout


def test_terminal_escapes_of_a_log_do_not_reach_the_terminal(project: Path) -> None:
    evil = b"\x1b]0;owned\x07RuntimeError: CUDA out of memory. Tried to allocate \x1b[5m2.00 GiB\n"
    done = detour(project, "scan", "-", stdin=evil, FORCE_COLOR="1")
    assert done.returncode == 1
    assert "\x1b]0;" not in done.stdout
    assert "\x1b[5m" not in done.stdout


def test_a_closed_pipe_is_no_error(project: Path) -> None:
    script = f"{sys.executable} -m detour_lsp kb list | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=project, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such file names")
def test_a_file_name_that_is_no_text_does_not_end_the_check(project: Path) -> None:
    (project / os.fsdecode(b"b\xff.py")).write_text(BAD)
    cache = str(project / ".cache")
    for encoding in ("utf-8:strict", "ascii:strict"):
        done = detour(project, "check", "--format", "json", ".", DETOUR_CACHE_DIR=cache, PYTHONIOENCODING=encoding)
        assert done.stderr == ""
        assert done.returncode == 1
        assert "b\udcff.py" in [item["file"] for item in json.loads(done.stdout)["findings"]]
        github = detour(project, "check", "--format", "github", ".", DETOUR_CACHE_DIR=cache, PYTHONIOENCODING=encoding)
        assert github.returncode == 1
        assert "::warning file=b?.py,line=3" in github.stdout


def test_json_and_diffs_survive_a_terminal_that_has_only_ascii(project: Path) -> None:
    (project / "训练.py").write_text(f"# 训练\n{BAD}", encoding="utf-8")
    done = detour(project, "check", "--format", "json", "训练.py", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["findings"][0]["file"] == "训练.py"
    done = detour(project, "check", "--diff", "--unsafe-fixes", "训练.py", PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert " # 训练\n" in done.stdout


def test_follow_says_what_it_waits_for(project: Path) -> None:
    command = [sys.executable, "-m", "detour_lsp", "follow", "train.log", "to-come.log"]
    with subprocess.Popen(
        command, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr
            assert process.stderr.readline() == "detour follow: waiting for to-come.log, which is not there yet\n"
        finally:
            process.kill()


def test_an_empty_path_is_wrong_use(project: Path) -> None:
    done = detour(project, "scan", "")
    assert done.returncode == 2
    assert "no such file or folder" in done.stderr


def test_a_closed_standard_input_is_said(project: Path) -> None:
    script = f"{sys.executable} -m detour_lsp scan - <&-"
    done = subprocess.run(["bash", "-c", script], cwd=project, capture_output=True, text=True, check=False)
    assert "standard input is closed" in done.stderr
    assert "internal error" not in done.stderr


def test_version(project: Path) -> None:
    from detour_lsp.version import __version__

    assert detour(project, "--version").stdout == f"detour {__version__}\n"
    verbose = detour(project, "--version", "--verbose").stdout
    assert "engine: " in verbose
    assert "hyperscan" in verbose
