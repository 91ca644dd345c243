"""Proves one record: its programs fail as it says, Detour recognises that, and Detour's own repairs help.

A repair counts only if the changed program ends with exit status 0 and shows neither this record nor any new one.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from detour_lsp.knowledge.record import Record
from detour_lsp.logs.incident import Incident
from detour_lsp.proof.programs import Program, ProgramError, prepare, program_named, programs_of
from detour_lsp.proof.running import Run, Runner
from detour_lsp.repairing import Knowledge, Sources, repairs_for
from detour_lsp.source import apply
from detour_lsp.source.finding import PlannedRepair


class Scanner(Protocol):
    """What is needed of `logs.scan.Scanner`."""

    def scan(self, data: bytes, name: str) -> list[Incident]: ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """A repair that was carried out on a program, and what the program did then."""

    workaround: int
    title: str
    works: bool
    #: What was seen, in a sentence.
    saw: str
    #: Whether `detour fix` would choose it.
    recommended: bool


@dataclass(frozen=True, slots=True)
class Reproduction:
    """One program, run."""

    program: str
    recognised: bool
    #: Whether the frame that Detour found lies in the program; None where the log names no line of it.
    framed: bool | None
    saw: str
    attempts: tuple[Attempt, ...] = ()
    output: bytes = b""


@dataclass(frozen=True, slots=True)
class Trial:
    """A dead end, tried out."""

    dead_end: int
    program: str
    #: Whether it failed as the record says; None where the program ends well and only its output tells.
    fails: bool | None
    saw: str


@dataclass(frozen=True, slots=True)
class Proof:
    """Everything that was seen of one record under one version."""

    record: str
    version: str
    reproductions: tuple[Reproduction, ...] = ()
    trials: tuple[Trial, ...] = ()
    #: Why nothing could be run.
    problem: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple[str, ...])

    @property
    def reproduced(self) -> bool:
        """Whether some program of the record was recognised, on its own line where the log names one."""
        return any(item.recognised and item.framed is not False for item in self.reproductions)

    @property
    def proven(self) -> bool:
        """Whether, for some program, the repair that `detour fix` chooses works."""
        return any(
            attempt.works and attempt.recommended
            for item in self.reproductions
            if item.recognised and item.framed is not False
            for attempt in item.attempts
        )

    @property
    def failures(self) -> list[str]:
        """What does not hold, in sentences."""
        found = [self.problem] if self.problem else []
        for item in self.reproductions:
            if not item.recognised:
                found.append(f"{item.program}: not recognised ({item.saw})")
            elif item.framed is False:
                found.append(f"{item.program}: recognised, but not on a line of the program")
            found += [
                f"{item.program}: {'the repair' if attempt.recommended else 'the alternative'} {attempt.title!r}"
                f" does not help ({attempt.saw})"
                for attempt in item.attempts
                if not attempt.works
            ]
        found += [
            f"{trial.program}: this dead end does not fail ({trial.saw})"
            for trial in self.trials
            if trial.fails is False
        ]
        return found


def _silent(text: str) -> None:
    del text


class Prover:
    """Proves records with one interpreter."""

    def __init__(
        self,
        knowledge: Knowledge,
        scanner: Scanner,
        runner: Runner,
        version: str,
        *,
        quick: bool = False,
        enough: bool = False,
    ) -> None:
        #: Only the record's first program and the repair that `detour fix` chooses.
        self.quick = quick
        #: Stop at the first program that bears out the best tier that the record can have.
        self.enough = enough
        self.knowledge = knowledge
        self.scanner = scanner
        self.runner = runner
        self.version = version

    def prove(self, record: Record, progress: Callable[[str], None] = _silent) -> Proof:
        """Run everything of a record."""
        folder = Path(record.origin).parent
        try:
            programs = programs_of(folder)
            if not programs:
                return Proof(record.id, self.version, problem="no repro.py beside the record")
            reproductions: list[Reproduction] = []
            for program in programs[:1] if self.quick else programs:
                progress(program.name)
                reproductions.append(self._reproduce(record, program))
                if self.enough and self._is_enough(record, reproductions):
                    break
            trials = [] if self.quick or self.enough else self._trials(record, folder, progress)
            return Proof(record.id, self.version, tuple(reproductions), tuple(trials))
        except ProgramError as error:
            return Proof(record.id, self.version, problem=str(error))

    def _is_enough(self, record: Record, reproductions: list[Reproduction]) -> bool:
        so_far = Proof(record.id, self.version, tuple(reproductions))
        repairable = any(workaround.repair and workaround.repair.edits for workaround in record.workarounds)
        return so_far.proven if repairable else so_far.reproduced

    # -- programs that show the record -----------------------------------------------------------------------------

    def _reproduce(self, record: Record, program: Program) -> Reproduction:
        with tempfile.TemporaryDirectory(prefix="detour-proof-") as name:
            scratch = Path(name).resolve()
            prepare(program, scratch)
            run = self.runner.run(scratch, program.arguments, program.environment)
            incidents = self.scanner.scan(run.output, "run.log")
            mine = [incident for incident in incidents if incident.record == record.id]
            output = run.output.replace(str(scratch).encode(), b"/home/user/project")
            if not mine:
                return Reproduction(program.name, False, None, _saw(run, incidents), output=output)
            framed = _framed(mine, program, run.output)
            attempts = self._attempts(record, program, scratch, mine, {incident.record for incident in incidents})
            return Reproduction(program.name, True, framed, _saw(run, incidents), tuple(attempts), output)

    def _attempts(
        self, record: Record, program: Program, scratch: Path, incidents: Sequence[Incident], known: set[str]
    ) -> list[Attempt]:
        """Each repair that is offered for the first incident of the record, on a copy of its own."""
        attempts: list[Attempt] = []
        sources = Sources(scratch)
        planned: list[tuple[PlannedRepair, bool]] = []
        for incident in incidents:
            usable = [
                item
                for item in repairs_for(incident, sources, self.knowledge, self.version)
                if not item.disabled and item.applicability != "display" and item.workaround is not None
            ]
            planned = [(item, index == 0) for index, item in enumerate(usable)]
            if planned:
                break
        for item, recommended in planned[:1] if self.quick or self.enough else planned:
            run, records = self._rerun(program, item, sources)
            bad = sorted(({record.id} & records) | (records - known))
            works = run.code == 0 and not run.stopped and not bad
            saw = "exit status 0 and no error" if works else _ended(run) + (f", {', '.join(bad)}" if bad else "")
            attempts.append(Attempt(item.workaround or 0, item.title, works, saw, recommended))
        return attempts

    def _rerun(self, program: Program, repair: PlannedRepair, sources: Sources) -> tuple[Run, set[str]]:
        with tempfile.TemporaryDirectory(prefix="detour-proof-") as name:
            scratch = Path(name).resolve()
            prepare(program, scratch)
            for file in repair.files:
                content = sources.content(file.path)
                apply.write_file(scratch / file.path, content, apply.apply(content.text, file.edits))
            run = self.runner.run(scratch, program.arguments, program.environment)
            return run, {incident.record for incident in self.scanner.scan(run.output, "again.log")}

    # -- dead ends -------------------------------------------------------------------------------------------------

    def _trials(self, record: Record, folder: Path, progress: Callable[[str], None]) -> list[Trial]:
        """The dead ends whose evidence cites a `program_*.py`: those that were tried as a fix."""
        trials: list[Trial] = []
        for index, dead_end in enumerate(record.dead_ends):
            names = {evidence.program for evidence in dead_end.evidence if evidence.program.startswith("program_")}
            for name in sorted(names):
                program = program_named(folder, name)
                if program is None:
                    continue
                progress(name)
                with tempfile.TemporaryDirectory(prefix="detour-proof-") as scratch_name:
                    scratch = Path(scratch_name).resolve()
                    prepare(program, scratch)
                    run = self.runner.run(scratch, program.arguments, program.environment)
                    incidents = self.scanner.scan(run.output, "run.log")
                fails = True if run.code != 0 or run.stopped or incidents else None
                trials.append(Trial(index, name, fails, _saw(run, incidents)))
        return trials


def _framed(incidents: Sequence[Incident], program: Program, output: bytes) -> bool | None:
    frames = [incident.user_frame for incident in incidents if incident.user_frame is not None]
    if any(Path(frame.file.replace("\\", "/")).name == program.name for frame in frames):
        return True
    # A process that is aborted, or a warning of a library, names no line of the program.
    named = re.search(re.escape(program.name).encode() + rb'(?:", line |:)\d', output)
    return False if named else None


def _ended(run: Run) -> str:
    if run.stopped:
        return run.stopped
    return f"ended by signal {-run.code}" if run.code < 0 else f"exit status {run.code}"


def _saw(run: Run, incidents: Sequence[Incident]) -> str:
    records = sorted({incident.record for incident in incidents})
    return f"{_ended(run)}, {', '.join(records) or 'no known error'}"
