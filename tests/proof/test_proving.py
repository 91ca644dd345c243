"""Programs are run, recognised, repaired and run again; here with programs that need no torch."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.knowledge.schema import parse_record
from detour_lsp.logs.scan import Scanner
from detour_lsp.proof.evidence import confirmed, neutral, rests_on, store_logs, tier_after, write_proof
from detour_lsp.proof.programs import ProgramError, programs_of
from detour_lsp.proof.proving import Proof, Prover
from detour_lsp.proof.running import Interrupted, Limits, Runner, version_of
from detour_lsp.proof.verify import Progress, prove_all
from detour_lsp.proof.warm import WarmRunner

BAD = "import os\n\ndef compute(x):\n"
BAD += '    raise RuntimeError("frobnication of 3 tensors failed")\n\ncompute(1)\nprint("done")\n'


def record_json(*repairs: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "pytorch/frobnication", "signature": "frobnication of 3 tensors failed", "signature_zh": "",
        "regex": r"frobnication of (?P<count>\d+) tensors failed", "domain": "pytorch", "category": "runtime_error",
        "subcategory": None, "root_cause": "r", "root_cause_type": "generic", "root_cause_zh": "", "versions": [],
        "os_specific": {}, "dead_ends": [{"action": "d", "why_fails": "w", "fail_rate": 0.5,
        "evidence": [{"package": "torch", "version": "1.0", "outcome": "confirmed", "program": "program_retry.py"}]}],
        "workarounds": [{"action": "w", "success_rate": 0.5, "how": "h", "repair": r} for r in repairs],
        "workarounds_zh": [], "transition_graph": {}, "official_doc_url": None, "official_doc_section": None,
        "error_code": None, "verification_tier": "documented", "confidence": 0.5, "fix_success_rate": None,
        "resolvable": "true", "first_seen": "2024-01-01", "last_confirmed": "2024-01-01", "last_updated": "2024-01-01",
        "evidence_count": 0, "tags": [], "locale": "en", "aliases": [], **more,
    }  # fmt: skip


PASS = {
    "title": "Do nothing", "applicability": "unsafe",
    "edits": [{"edit": "replace_text", "at": "frame", "pattern": "raise.*", "to": "pass"}],
}  # fmt: skip
WORSE = {
    "title": "Fail otherwise", "applicability": "unsafe",
    "edits": [{"edit": "replace_text", "at": "frame", "pattern": "RuntimeError", "to": "ValueError"}],
}  # fmt: skip


def prover(folder: Path, data: dict[str, Any], **more: Any) -> tuple[Prover, Any]:
    seed = folder / "pytorch" / "frobnication"
    seed.mkdir(parents=True, exist_ok=True)
    (seed / "record.json").write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if not (seed / "repro.py").exists():
        (seed / "repro.py").write_text(BAD)
    knowledge = compile_knowledge(load([folder], builtin=False))
    assert not knowledge.problems
    runner = Runner(sys.executable, Limits(seconds=20))
    return Prover(knowledge, Scanner(knowledge), runner, "2.13.0", **more), knowledge.records["pytorch/frobnication"]


def test_a_repair_that_works_proves_the_record(tmp_path: Path) -> None:
    (tmp_path / "pytorch/frobnication").mkdir(parents=True)
    (tmp_path / "pytorch/frobnication/program_retry.py").write_text(BAD.replace("done", "again"))
    prove, record = prover(tmp_path, record_json(PASS, WORSE))
    proof = prove.prove(record)
    (item,) = proof.reproductions
    assert (item.recognised, item.framed) == (True, True)
    assert [(a.title, a.works, a.recommended) for a in item.attempts] == [
        ("Do nothing", True, True),
        ("Fail otherwise", False, False),
    ]
    assert [(trial.dead_end, trial.fails) for trial in proof.trials] == [(0, True)]
    assert proof.proven
    assert proof.failures == [
        "repro.py: the alternative 'Fail otherwise' does not help (exit status 1, pytorch/frobnication)"
    ]
    assert write_proof(record, proof, "2026-11-30") == ["record.json"]
    assert store_logs(record, proof, {}) == ["torch-2.13.0.txt"]
    text = Path(record.origin).read_text(encoding="utf-8")
    after = parse_record(json.loads(text), record.origin)
    assert after.verification_tier == "proven"
    assert after.last_confirmed == "2026-11-30"
    assert after.workarounds[0].evidence[0].program == "repro.py"
    assert after.workarounds[1].evidence == ()
    assert [(e.version, e.program) for e in after.evidence] == [("2.13.0", "repro.py")]
    log = (Path(record.origin).parent / "logs/torch-2.13.0.txt").read_text()
    assert 'File "/home/user/project/repro.py", line 4, in compute' in log
    assert after.workarounds[0].evidence[0].version == "2.13.0"
    # The same proof once more changes nothing.
    assert write_proof(after, proof, "2026-12-24") == []
    assert Path(record.origin).read_text(encoding="utf-8") == text
    assert confirmed(after, proof)
    # Another torch may not show it, and its silence is no contradiction: the tier says what it rests on.
    assert rests_on(after) == ["2.13.0"]
    assert not confirmed(after, Proof(record.id, "2.14.1"))


def test_programs_of_one_version_share_a_note(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(PASS))
    (Path(record.origin).parent / "repro_more.py").write_text(f"# more\n{BAD}")
    proof = prove.prove(record)
    assert [item.program for item in proof.reproductions] == ["repro.py", "repro_more.py"]
    write_proof(record, proof, "2026-11-30")
    after = parse_record(json.loads(Path(record.origin).read_text(encoding="utf-8")), record.origin)
    assert [item.program for item in after.workarounds[0].evidence] == ["repro.py, repro_more.py"]
    assert [item.program for item in after.evidence] == ["repro.py, repro_more.py"]
    assert write_proof(after, proof, "2026-12-01") == []


def test_evidence_is_not_written_to_a_repair_that_was_edited_meanwhile(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(PASS))
    proof = prove.prove(record)
    data = record_json(WORSE)
    Path(record.origin).write_text(json.dumps(data), encoding="utf-8")
    write_proof(record, proof, "2026-11-30")
    assert "evidence" not in json.loads(Path(record.origin).read_text(encoding="utf-8"))["workarounds"][0]


def test_quick_runs_one_program_and_one_repair(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(PASS, WORSE), quick=True)
    (item,) = prove.prove(record).reproductions
    assert [attempt.title for attempt in item.attempts] == ["Do nothing"]


def test_a_repair_that_only_changes_the_error_proves_nothing(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(WORSE))
    proof = prove.prove(record)
    assert proof.reproduced
    assert not proof.proven
    assert tier_after(record, proof) == "reproduced"


def test_what_does_not_show_the_record_is_said(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(PASS, verification_tier="proven"))
    (Path(record.origin).parent / "repro.py").write_text("print('fine')\n")
    proof = prove.prove(record)
    assert proof.failures == ["repro.py: not recognised (exit status 0, no known error)"]
    assert not confirmed(record, proof)
    assert tier_after(record, proof) == "proven"
    assert write_proof(record, proof) == []


def test_run_json(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text("")
    (tmp_path / "repro_env.py").write_text("")
    (tmp_path / "run.json").write_text('{"args": ["-X", "dev", "repro.py"]}')
    (tmp_path / "run_env.json").write_text('{"env": {"A": 1}}')
    first, second = programs_of(tmp_path)
    assert first.arguments == ("-X", "dev", "repro.py")
    assert (second.arguments, dict(second.environment), second.log) == (("repro_env.py",), {"A": "1"}, "env-")
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(ProgramError):
        programs_of(tmp_path)


def run(tmp_path: Path, code: str, **limits: Any) -> Any:
    (tmp_path / "p.py").write_text(code)
    return Runner(sys.executable, Limits(**limits)).run(tmp_path, ["p.py"], {"OWN": "x"})


def test_a_program_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)\n"
    )
    started = time.monotonic()
    result = run(tmp_path, code, seconds=1.5)
    assert time.monotonic() - started < 15
    assert result.stopped == "stopped after 1.5 s"
    child = Path(f"/proc/{result.output.decode().strip()}/stat")

    def alive() -> bool:
        try:
            # A child that was ended may wait to be collected by init.
            return child.read_text().rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False

    # The signal was sent; on a busy machine it takes a moment to arrive.
    deadline = time.monotonic() + 10
    while alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive()


@pytest.mark.skipif(sys.platform != "linux", reason="address space limits are Linux's")
def test_limits_of_memory_and_output(tmp_path: Path) -> None:
    result = run(tmp_path, "x = bytearray(2 << 30)\nprint(len(x))\n", memory=1 << 30)
    assert b"MemoryError" in result.output
    result = run(tmp_path, "while True: print('x' * 1000)\n", output=1 << 20, seconds=30)
    assert result.stopped == "stopped after 1 MB of output"
    assert len(result.output) == 1 << 20


def test_programs_inherit_nothing_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "s3cret")
    result = run(
        tmp_path, "import os; print(sorted(os.environ), os.environ['HOME'], os.environ['CUDA_VISIBLE_DEVICES'])"
    )
    assert b"SECRET_TOKEN" not in result.output
    assert b"'OWN'" in result.output
    assert str(tmp_path).encode() in result.output


def test_interruption_ends_the_programs(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(PASS))
    (Path(record.origin).parent / "repro.py").write_text("import time; time.sleep(60)\n")
    seen: list[Progress] = []
    threading.Timer(1.0, prove.runner.stop).start()
    started = time.monotonic()
    with pytest.raises(Interrupted):
        list(prove_all(prove, [record], 1, seen.append))
    assert time.monotonic() - started < 15
    assert seen[0].running == ("pytorch/frobnication repro.py",)


def test_prove_all_yields_each(tmp_path: Path) -> None:
    prove, record = prover(tmp_path, record_json(PASS))
    ((found, proof),) = list(prove_all(prove, [record], 2, lambda _: None))
    assert found is record
    assert isinstance(proof, Proof)
    assert proof.proven


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_warm_runs_say_the_same(tmp_path: Path) -> None:
    warm = WarmRunner(sys.executable, Limits(seconds=2), modules=("json",))
    cold = Runner(sys.executable, Limits(seconds=2))
    programs = [
        BAD,
        "print('ok')\n",
        "raise SystemExit(3)\n",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('x') from e\n",
        "import json\njson.loads('{')\n",
        "import atexit\natexit.register(print, 'bye')\nprint(__name__, __file__.rsplit('/')[-1])\n",
        "import warnings\nwarnings.warn('careful')\n",
    ]
    for number, code in enumerate(programs):
        (tmp_path / f"p{number}.py").write_text(code)
        one, other = (r.run(tmp_path, [f"p{number}.py"], {}) for r in (warm, cold))
        assert (one.code, one.output) == (other.code, other.output), code
    (tmp_path / "slow.py").write_text("while True: pass\n")
    assert warm.run(tmp_path, ["slow.py"], {}).stopped == "stopped after 2 s"
    (tmp_path / "again.py").write_text("print('still here')\n")
    assert warm.run(tmp_path, ["again.py"], {}).output == b"still here\n"
    warm.close()


def test_neutral_paths() -> None:
    folders = [
        ("/home/me/venv", "/opt/venv"),
        ("/home/me/venv/lib/python3.11/site-packages", "/opt/venv/lib/site-packages"),
    ]
    text = b'File "/home/me/venv/lib/python3.11/site-packages/torch/x.py"'
    assert neutral(text, folders) == b'File "/opt/venv/lib/site-packages/torch/x.py"'


def test_version_of_another_interpreter() -> None:
    assert version_of(sys.executable, "pytest") == pytest.__version__
    assert version_of(sys.executable, "no-such-package") is None
    assert version_of("/no/such/python") is None
