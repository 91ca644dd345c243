"""`detour kb verify`: run the programs of records under real torch, repair them, and write down what was seen."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge
    from detour_lsp.knowledge.record import Record
    from detour_lsp.proof.proving import Proof
    from detour_lsp.proof.verify import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour kb verify`."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="the records to prove (default: all that have programs)")
    parser.add_argument("--python", metavar="PYTHON", help="an interpreter that has torch (default: the one on PATH)")
    parser.add_argument(
        "--torch", metavar="VERSION", action="append", default=[], help="install this torch and use it (repeatable)"
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="what the programs may use")
    parser.add_argument("--jobs", type=int, metavar="N", default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--timeout", type=float, metavar="SECONDS", default=240.0, help="for one run of one program")
    parser.add_argument(
        "--prove", action="store_true", help="quick: repro.py and the recommended repair only; writes nothing"
    )
    parser.add_argument(
        "--enough", action="store_true", help="stop at the first program that bears out a record's best tier"
    )
    parser.add_argument(
        "--warm", action="store_true", help="import torch once for programs to which that makes no difference (faster)"
    )
    parser.add_argument("--no-write", action="store_true", help="write no evidence, tiers or logs")
    add_knowledge_arguments(parser)


def run_verify(options: argparse.Namespace) -> int:
    """Carry out `detour kb verify`: 0 when everything held, 1 when something did not."""
    knowledge = open_from_options(options)
    unknown = [name for name in options.ids if name not in knowledge.records]
    if unknown:
        sys.stderr.write(
            "".join(f"detour kb verify: no record {name!r}; `detour kb list` lists all\n" for name in unknown)
        )
        return WRONG_USE
    records = [knowledge.records[name] for name in options.ids] or _with_programs(knowledge.records.values())
    if not records:
        sys.stderr.write("detour kb verify: no record has a repro.py beside it\n")
        return WRONG_USE
    from detour_lsp.proof.running import why_no_cuda

    pythons = _interpreters(options)
    if not pythons:
        return WRONG_USE
    if options.device == "cuda":
        for python, version in pythons:
            reason = why_no_cuda(python)
            if reason:
                _say_what_would_run(records, version, reason)
                return WRONG_USE
    held = True
    for python, version in pythons:
        try:
            held = _verify(knowledge, records, python, version, options) and held
        except KeyboardInterrupt:
            sys.stderr.write("\ndetour kb verify: interrupted; what was finished is written\n")
            return 130
    return NOTHING_FOUND if held else SOMETHING_FOUND


def _say_what_would_run(records: list[Record], version: str, reason: str) -> None:
    """Without a device every program would only fail for want of it, which proves nothing about its record."""
    from detour_lsp.proof.programs import programs_of

    sys.stderr.write(f"detour kb verify: --device cuda: {reason}; nothing was run. With a device it would run:\n")
    for record in records:
        names = ", ".join(program.name for program in programs_of(Path(record.origin).parent))
        sys.stderr.write(f"  {record.id}  torch {version}: {names or 'no program'}\n")


def _with_programs(records: Iterable[Record]) -> list[Record]:
    return [record for record in records if record.origin and (Path(record.origin).parent / "repro.py").is_file()]


def _interpreters(options: argparse.Namespace) -> list[tuple[str, str]]:
    """The interpreters asked for, with the torch that each has."""
    from detour_lsp.proof.running import version_of

    found: list[tuple[str, str]] = []
    if options.python or not options.torch:
        python = shutil.which(options.python or "python3") or options.python or "python3"
        version = version_of(python)
        if version is None:
            sys.stderr.write(
                f"detour kb verify: {python} has no torch; name one with --python or install with --torch\n"
            )
            return []
        found.append((os.path.abspath(python), version))
    for wanted in options.torch:
        import platformdirs

        from detour_lsp.proof.environments import EnvironmentProblem, interpreter_for

        keep_in = Path(platformdirs.user_cache_dir("detour")) / "environments"
        sys.stderr.write(f"torch {wanted}: preparing its environment in {keep_in}\n")
        try:
            found.append((interpreter_for(wanted, keep_in), wanted.partition("+")[0]))
        except EnvironmentProblem as error:
            sys.stderr.write(f"detour kb verify: {error}\n")
            return []
    return found


def _verify(
    knowledge: CompiledKnowledge, records: list[Record], python: str, version: str, options: argparse.Namespace
) -> bool:
    from detour_lsp.logs.scan import Scanner
    from detour_lsp.proof.evidence import confirmed, rests_on, store_logs, tier_after, write_proof
    from detour_lsp.proof.proving import Prover
    from detour_lsp.proof.running import Limits, Runner, folders_of
    from detour_lsp.proof.verify import prove_all
    from detour_lsp.proof.warm import WarmRunner

    kind = WarmRunner if options.warm and os.name == "posix" else Runner
    runner = kind(python, Limits(seconds=options.timeout), devices=options.device != "cpu")
    prover = Prover(knowledge, Scanner(knowledge), runner, version, quick=options.prove, enough=options.enough)
    write = not (options.prove or options.no_write)
    folders = folders_of(python)
    held = True
    tiers: dict[str, int] = {}
    for record, proof in prove_all(prover, records, options.jobs, _progress):
        _clear()
        good = proof.proven if options.prove else confirmed(record, proof)
        others = [] if good or options.prove else rests_on(record)
        # What held under this very version must hold again; what was only ever seen under another one need not.
        elsewhere = bool(others) and version not in others
        held = held and (good or elsewhere)
        tier = tier_after(record, proof) if write else _seen(proof)
        tiers[tier] = tiers.get(tier, 0) + 1
        mark = "ok " if good else "-- " if elsewhere else "NOT"
        sys.stdout.write(f"{mark} {_line(record, proof, tier)}\n")
        if elsewhere:
            sys.stdout.write(f"    this tier was seen under torch {', '.join(others)}, not under {version}\n")
        for failure in proof.failures:
            sys.stdout.write(f"    {failure}\n")
        sys.stdout.flush()
        if write:
            write_proof(record, proof)
            store_logs(record, proof, folders)
    runner.close()
    counts = ", ".join(f"{count} {tier}" for tier, count in sorted(tiers.items()))
    sys.stdout.write(f"torch {version}: {len(records)} records: {counts}\n")
    return held


def _seen(proof: Proof) -> str:
    return "proven" if proof.proven else "reproduced" if proof.reproduced else "not reproduced"


def _line(record: Record, proof: Proof, tier: str) -> str:
    """One line for one record: what was recognised, which repair helped."""
    recognised = sum(item.recognised for item in proof.reproductions)
    helped = [
        f"{attempt.title!r} repairs {item.program}"
        for item in proof.reproductions
        for attempt in item.attempts
        if attempt.works and attempt.recommended
    ]
    parts = [f"{recognised}/{len(proof.reproductions)} programs recognised", *helped[:3]]
    if len(helped) > 3:
        parts.append(f"{len(helped) - 3} more repaired")
    return f"{record.id}  {tier}  torch {proof.version}: {'; '.join(parts)}"


def _progress(progress: Progress) -> None:
    if sys.stderr.isatty():
        running = ", ".join(progress.running)
        sys.stderr.write(f"\r\x1b[K{progress.done}/{progress.total}  {running}"[:160])
        sys.stderr.flush()


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
