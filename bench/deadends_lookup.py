"""How many public logs does `deadends-dev` recognise, and how many wrong answers does it give, beside Detour?

    .venv/bin/python bench/deadends_lookup.py CASES [--peer PYTHON]

CASES holds logs.jsonl and logs/ (topics in `expected_topic`). The peer's own `lookup_all` runs in a virtual environment
of its own. Its best answer counts as right when its id is one that a person would accept for the topic (ACCEPTED, read
generously: a general record about the same failure counts); Detour's is judged by records.txt beside the cases.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

#: Topic -> parts of the peer's ids that a person would accept as the answer.
ACCEPTED = {
    "cuda-oom": ("oom", "out-of-memory"),
    "mps-oom": ("mps",),
    "cuda-driver-too-old": ("driver-insufficient",),
    "torch-cpu-only-build": ("not-compiled-cuda",),
    "dynamo-recompile-limit": ("recompil",),
    "dynamo-unsupported": ("graph-break", "compile-error"),
    "dynamo-graph-break-fallback": ("graph-break", "compile-error"),
    "dynamo-internal-error": ("compile-error", "recursion"),
    "dynamo-error-inside-childfailed": ("compile-error",),
    "inductor-no-cpp-compiler": ("no-cxx-compiler", "compile-error"),
    "inductor-cpp-compile-error": ("compile-error",),
    "triton-not-installed": ("triton", "compile-error"),
    "nccl-watchdog-timeout": ("nccl-timeout",),
    "nccl-system-error": ("nccl-unhandled-system-error",),
    "cuda-device-side-assert": ("device-side-assert",),
    "cublas-alloc-failed": ("cublas",),
    "extension-undefined-symbol": ("flash-attention-incompatible", "undefined-symbol"),
    "state-dict-orig-mod-prefix": ("state-dict", "checkpoint-loading-error"),
    "state-dict-module-prefix": ("state-dict", "checkpoint-loading-error"),
    "autograd-inplace-modified": ("inplace",),
    "dataloader-shm-bus-error": ("dataloader-worker-killed",),
    "safetensors-corrupt-or-lfs-pointer": ("safetensors",),
    "cuda-no-kernel-image": ("capability",),
    "cuda-invalid-device-function": ("capability",),
    "bitsandbytes-cuda-setup": ("bitsandbytes",),
    "recursion": ("recursion",),
    "host-oom-killed": ("oom", "exit-code-137"),
    "removed-api": ("removed", "deprecated"),
    "shape-mismatch": ("size-mismatch", "shape"),
    "weights-only-load": ("weights-only",),
    "hf-offline": ("offline",),
    "numpy2-abi": ("numpy",),
}
PEER = """
import json, pathlib, sys
from generator.lookup import lookup_all
for line in sys.stdin:
    text = pathlib.Path(line.strip()).read_text(errors="replace")
    print(json.dumps([match["id"] for match in lookup_all(text)]))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--peer", default=None, help="a Python that has deadends-dev (default: one is made)")
    options = parser.parse_args()
    cases = [json.loads(line) for line in (options.cases / "logs.jsonl").read_text().splitlines()]
    logs = [str(options.cases / "logs" / case["file"]) for case in cases]
    peer = options.peer or make_peer()
    done = subprocess.run([peer, "-c", PEER], input="\n".join(logs), capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    own = detour(options.cases)
    topics = records(options.cases.parent / "records.txt")
    rows = {"deadends-dev": [0, 0, 0, 0], "Detour": [0, 0, 0, 0]}
    for case, found in zip(cases, answers, strict=True):
        topic = case["expected_topic"]
        mine = own.get(case["file"], [])
        if topic.startswith("none-"):
            rows["deadends-dev"][3] += bool(found)
            rows["Detour"][3] += bool(mine)
            continue
        accepted = ACCEPTED.get(topic, ())
        right = bool(found) and any(part in found[0] for part in accepted)
        rows["deadends-dev"][0] += right
        rows["deadends-dev"][1] += bool(found) and not right
        rows["deadends-dev"][2] += sum(not any(part in item for part in accepted) for item in found)
        good = [record for record in mine if record in topics.get(topic, set())]
        rows["Detour"][0] += bool(good)
        rows["Detour"][1] += bool(mine) and not good
        rows["Detour"][2] += len(mine) - len(good)
    positives = sum(not case["expected_topic"].startswith("none-") for case in cases)
    negatives = len(cases) - positives
    print(f"{positives} logs with a known error, {negatives} without")
    print("| | right | best answer wrong | other answers in all | answers on logs without a known error |")
    print("|---|---|---|---|---|")
    for name, (right, wrong, others, noise) in rows.items():
        print(f"| {name} | {right} of {positives} | {wrong} | {others} | {noise} of {negatives} |")
    print(f"median number of the peer's answers per log: {statistics.median(map(len, answers)):.0f}")
    return 0


def make_peer() -> str:
    """A virtual environment with the peer, under bench/.work."""
    folder = Path(__file__).resolve().parent / ".work" / "deadends"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "deadends-dev==0.9.0"], check=True)
    return str(python)


def detour(cases: Path) -> dict[str, list[str]]:
    """File name -> the records of its incidents."""
    command = [sys.executable, "-m", "detour_lsp", "scan", "--format", "json", str(cases / "logs")]
    found: dict[str, list[str]] = {}
    for incident in json.loads(subprocess.run(command, capture_output=True, check=False).stdout)["incidents"]:
        found.setdefault(Path(incident["file"]).name, []).append(incident["record"])
    return found


def records(path: Path) -> dict[str, set[str]]:
    """Topic -> the records that stand for it."""
    topics: dict[str, set[str]] = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            record, _, names, _ = (part.strip() for part in line.split("|"))
            for name in names.split():
                topics.setdefault(name, set()).add(record)
    return topics


if __name__ == "__main__":
    sys.exit(main())
