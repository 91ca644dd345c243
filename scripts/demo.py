"""The main job on real input: the shipped output of a real torch failure, and the program that printed it.

Runs the product as a user would, in a scratch folder: `detour scan`, `detour explain`, `detour fix`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "seeds/pytorch/compile-recompilation-limit"


def main() -> int:
    """Show each step with the command that makes it; the exit status is 0 when each did what it should."""
    with tempfile.TemporaryDirectory(prefix="detour-demo-") as folder:
        work = Path(folder)
        shutil.copy(RECORD / "repro_dynamic_false.py", work / "repro_dynamic_false.py")
        shutil.copy(RECORD / "logs/dynamic-false-torch-2.13.0.txt", work / "train.log")
        print("A program was run under torch 2.13.0, and this is what torch printed (train.log):\n", flush=True)
        print("\n".join(f"    {line[:150]}" for line in (work / "train.log").read_text().splitlines()[:6]), flush=True)
        steps = [
            ("Which error is it, and which line of the program raised it?", ["scan", "train.log"], 1),
            ("What does it mean, what does not work, and what does?", ["explain", "-"], 0),
            ("What would Detour change?", ["fix", "train.log", "--unsafe-fixes"], 0),
        ]
        for question, arguments, expected in steps:
            print(f"\n\n--- {question}\n$ detour {' '.join(arguments)}\n", flush=True)
            with (work / "train.log").open("rb") as log:
                done = subprocess.run(
                    [sys.executable, "-m", "detour_lsp", *arguments], cwd=work, stdin=log, check=False
                )
            if done.returncode != expected:
                print(f"detour {arguments[0]} ended with {done.returncode}, expected {expected}", file=sys.stderr)
                return 1
        print("\nApply it with --write. Next: README.md, section Install.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
