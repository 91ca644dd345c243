"""How fast is `detour check` on real trees, beside ruff with 200 banned names and TorchFix?

    .venv/bin/python bench/source_check.py TREE... [--torchfix PROGRAM] [--runs N]

All run in one process without a cache; what counts is the processor time of the whole process, which a busy machine
changes less than the clock. TorchFix is run on every tenth file: on a whole tree it takes too long.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

NAMES = (
    "torch.load", "torch.norm", "torch.compile", "torch.jit.script", "torch.cuda.amp.autocast", "torch.qr",
    "torch.cuda.amp.GradScaler", "torch.cuda.empty_cache", "torch.symeig", "torch.range",
)  # fmt: skip


def measured(command: Sequence[str], runs: int) -> tuple[float, float, float]:
    """Median, least and most processor seconds of a command."""
    seconds: list[float] = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds), min(seconds), max(seconds)


def banned() -> str:
    """A ruff configuration with 200 banned names, ten of them real."""
    names = [*NAMES, *(f"torch.made_up_{number}" for number in range(200 - len(NAMES)))]
    lines = ['[lint]\nselect = ["TID251"]', "[lint.flake8-tidy-imports.banned-api]"]
    return "\n".join([*lines, *(f'"{name}".msg = "no"' for name in names)])


def version(command: Sequence[str]) -> str:
    """The first line that a program prints about itself."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().splitlines()[0]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--torchfix", help="the program, in an environment of its own")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    bin_folder = Path(sys.executable).parent
    os.environ["RAYON_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        # Copies, because both programs leave out what the `.gitignore` of the repository around a tree names; and in
        # `site-packages`, because torch's own use of its names is no finding.
        copies = [Path(folder, "site-packages", tree.name) for tree in options.trees]
        files: list[Path] = []
        for tree, copy in zip(options.trees, copies, strict=True):
            for file in sorted(tree.rglob("*.py")):
                files.append(copy / file.relative_to(tree))
                files[-1].parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, files[-1])
        trees = [str(copy) for copy in copies]
        config = Path(folder, "ruff.toml")
        config.write_text(banned(), encoding="utf-8")
        ruff = [str(bin_folder / "ruff"), "check", "--no-cache", "--quiet", "--config", str(config), *trees]
        detour = [str(bin_folder / "detour"), "check", "--no-cache", "--jobs", "1", "--statistics", *trees]
        print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}; {len(files)} files")
        print("| program | processor seconds, median (least to most) | files a second |\n|---|---|---|")
        for name, command, count in (
            (version([ruff[0], "--version"]), ruff, len(files)),
            (version([detour[0], "--version"]), detour, len(files)),
        ):
            middle, least, most = measured(command, options.runs)
            print(f"| {name} | {middle:.2f} ({least:.2f} to {most:.2f}) | {count / middle:.0f} |", flush=True)
            found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            if not found.strip():
                raise SystemExit(f"{name} found nothing in {', '.join(trees)}: it cannot have read them")
        program = options.torchfix or shutil.which("torchfix")
        if program:
            sample = Path(folder, "sample")
            sample.mkdir()
            for number, file in enumerate(files[::10]):
                shutil.copyfile(file, sample / f"{number}.py")
            for name, command in (
                ("TorchFix, a tenth of the files", [program, str(sample)]),
                ("Detour, the same", [*detour[: -len(trees)], str(sample)]),
            ):
                middle, least, most = measured(command, 1)
                print(f"| {name} | {middle:.2f} | {len(files[::10]) / middle:.0f} |", flush=True)


if __name__ == "__main__":
    main()
