"""Runs the programs of the test workspace under real torch and keeps what they print, for machines without torch.

    record_runs.py TORCH_PYTHON [IPYTHON_SITE_PACKAGES]

`runs/index.json` maps the text of a program to its run. A program that is not in it has no run: nothing is made up.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
#: The programs, and the change that a person would make (and Detour offers).
PROGRAMS = {
    "train.py": [("view(2, 12)", "reshape(2, 12)")],
    "limit.py": [],
    "varying.py": [],
}
CELL = "import torch\n\nbatch = torch.randn(8, 108)\nlayer = torch.nn.Linear(128, 64)\nlayer(batch)"
#: An error that the cell itself catches and prints: text of a stream, not an error output.
CELL_PRINTED = """import traceback

import torch

try:
    torch.randn(8, 108) @ torch.randn(128, 64)
except RuntimeError:
    traceback.print_exc()"""
CELL_FIXED = "import torch\n\nbatch = torch.randn(8, 128)\nlayer = torch.nn.Linear(128, 64)\nlayer(batch).shape"

IPYTHON = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="neutral")
caught = {}
def show(etype, evalue, stb):
    caught.update(name=etype.__name__, message=str(evalue), stack="\\n".join(stb))
shell._showtraceback = show
result = shell.run_cell(sys.stdin.read())
print(json.dumps({"error": caught or None, "result": repr(result.result)}))
"""


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def run_program(python: str, name: str, text: str) -> dict[str, object]:
    folder = Path("/tmp/detour-recorded-run")
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text)
    done = subprocess.run([python, str(file)], capture_output=True, text=True, timeout=300, check=False, cwd=folder)
    site = str(Path(python).parent.parent)
    clean = lambda s: s.replace(str(file), "{file}").replace(site, "/opt/venv")  # noqa: E731
    return {"program": name, "exit": done.returncode, "stdout": clean(done.stdout), "stderr": clean(done.stderr)}


def run_cell(python: str, site: str, text: str) -> dict[str, object]:
    environment = {"PYTHONPATH": site, "PATH": "/usr/bin:/bin", "HOME": "/tmp/detour-recorded-run", "TERM": "xterm-256color"}
    done = subprocess.run([python, "-c", IPYTHON], input=text, capture_output=True, text=True, timeout=300, check=True, env=environment)
    out = {**json.loads(done.stdout.splitlines()[-1]), "stderr": done.stderr}
    neutral = json.dumps(out).replace(str(Path(python).parent.parent), "/opt/venv").replace(site, "/opt/venv/lib/python3.11/site-packages")
    return {"program": "cell", **json.loads(neutral)}


def main() -> None:
    python = sys.argv[1]
    version = subprocess.run([python, "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True, check=True).stdout.strip()
    runs: dict[str, dict[str, object]] = {}
    for name, changes in PROGRAMS.items():
        text = (HERE / "workspace" / name).read_text()
        runs[digest(text)] = run_program(python, name, text)
        for old, new in changes:
            assert old in text
            fixed = text.replace(old, new)
            runs[digest(fixed)] = run_program(python, name, fixed)
    if len(sys.argv) > 2:
        for cell in (CELL, CELL_PRINTED, CELL_FIXED):
            runs[digest(cell)] = run_cell(python, sys.argv[2], cell)
    index = {"torch": version, "runs": runs}
    (HERE / "runs" / "index.json").write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n")
    for run in runs.values():
        print(run["program"], run.get("exit", ""))


main()
