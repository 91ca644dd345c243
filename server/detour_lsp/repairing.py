"""Repairs for what a log tells and what a check finds: the only place where incidents meet the source code.

`logs` knows where a program failed and `source` knows how to change code; neither knows of the other. Nothing is
written but by `LogRepair.write`, and nothing outside the root is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from detour_lsp.knowledge.record import Record
from detour_lsp.logs.incident import Frame, Incident
from detour_lsp.logs.resolve import find_file, resolve
from detour_lsp.source import apply
from detour_lsp.source.finding import FileEdit, Finding, PlannedRepair
from detour_lsp.source.notebook import Notebook, NotebookError
from detour_lsp.source.repair import Place, plan

#: Folders whose Python files are nobody's to repair.
SKIPPED = frozenset(
    {
        ".git",
        ".hg",
        ".venv",
        "venv",
        "env",
        "node_modules",
        "__pycache__",
        "site-packages",
        ".tox",
        ".nox",
        "build",
        "dist",
    }
)
MOST_FILES = 500
NOTEBOOK = ".ipynb"
#: A repair may uncover the place of the next one; this many rounds of checking and repairing are enough for any file.
MOST_ROUNDS = 10


class Knowledge(Protocol):
    """What is needed of a knowledge base."""

    @property
    def records(self) -> Mapping[str, Record]: ...


class Sources:
    """The Python files under a root, read once; paths are relative to it, with forward slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._texts: dict[str, apply.FileText | None] = {}
        self._notebooks: dict[str, Notebook] = {}
        self._files: tuple[str, ...] | None = None

    def read(self, path: str) -> str | None:
        """The text of a file inside the root, of a notebook that of its code cells; or None."""
        if path not in self._texts:
            target = (self.root / path).resolve()
            try:
                inside = target.is_relative_to(self.root) and target.is_file()
                found = apply.read_file(target) if inside else None
                if found is not None and path.endswith(NOTEBOOK):
                    self._notebooks[path] = Notebook.parse(found.text)
                self._texts[path] = found
            except (apply.ApplyError, NotebookError, OSError):
                self._texts[path] = None
        if path in self._notebooks:
            return self._notebooks[path].text
        found = self._texts[path]
        return None if found is None else found.text

    def changed(self, file: FileEdit) -> tuple[str, str]:
        """The whole file as it is and as the edits make it: JSON for a notebook."""
        content = self.content(file.path)
        notebook = self._notebooks.get(file.path)
        try:
            after = apply.apply(content.text, file.edits) if notebook is None else notebook.apply(file.edits)
        except NotebookError as error:
            raise apply.ApplyError(f"{file.path}: {error}") from error
        return content.text, after

    def content(self, path: str) -> apply.FileText:
        """The file as it was read, for writing it back."""
        self.read(path)
        found = self._texts[path]
        if found is None:
            raise apply.ApplyError(f"{path} cannot be read")
        return found

    def files(self) -> tuple[str, ...]:
        """The Python files under the root, those near it first."""
        if self._files is None:
            self._files = tuple(_walk(self.root, ".py"))
        return self._files

    def cell_line(self, source: str) -> tuple[str, int] | None:
        """The notebook under the root, and the line of its cells, that reads so; None unless there is just one."""
        found: list[tuple[str, int]] = []
        for path in _walk(self.root, NOTEBOOK):
            lines = (self.read(path) or "").split("\n")
            found += [(path, number) for number, line in enumerate(lines, 1) if line.strip() == source.strip()]
        return found[0] if len(found) == 1 else None


def _walk(root: Path, suffix: str) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED and not name.startswith("."))
        for name in sorted(names):
            if name.endswith(suffix):
                yield Path(folder, name).relative_to(root).as_posix()
                count += 1
                if count >= MOST_FILES:
                    return


@dataclass(frozen=True, slots=True)
class Remedy:
    """What becomes of one incident: the repair that was chosen, or why there is none."""

    incident: Incident
    chosen: PlannedRepair | None
    #: All repairs that were thought of, best first.
    planned: tuple[PlannedRepair, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LogRepair:
    """What a whole log leads to."""

    remedies: tuple[Remedy, ...]
    #: The edits of all chosen repairs, one entry per file, relative to the root.
    files: tuple[FileEdit, ...]
    sources: Sources

    def diff(self) -> str:
        """All changes as a unified diff."""
        return "".join(apply.diff(file.path, *self.sources.changed(file)) for file in self.files)

    def write(self) -> list[str]:
        """Write the changed files and return their paths. Raises ApplyError, with the files before it written."""
        written: list[str] = []
        for file in self.files:
            _, after = self.sources.changed(file)
            apply.write_file(self.sources.root / file.path, self.sources.content(file.path), after)
            written.append(file.path)
        return written


def repairs_for(
    incident: Incident,
    root: Path | Sources,
    knowledge: Knowledge,
    torch: str | None = None,
    *,
    language: str = "en",
    others: Mapping[str, str | None] | None = None,
) -> list[PlannedRepair]:
    """The repairs of one incident in the code under a root, best first, those that do not fit last."""
    sources = root if isinstance(root, Sources) else Sources(root)
    record = knowledge.records.get(incident.record)
    if record is None:
        return []

    def planned(path: str, place: Place | None, near: Sequence[str] = ()) -> list[PlannedRepair]:
        return plan(
            record,
            text=sources.read(path) or "",
            path=path,
            incident_place=place,
            captures=incident.captures,
            torch=incident.torch_version or torch,
            read=sources.read,
            files=sources.files(),
            near=near,
            message=incident.message,
            signature=incident.signature,
            others=others,
            language=language,
        )

    known = incident if incident.resolved or incident.user_frame is None else resolve(incident, sources.root)
    frame = known.user_frame
    if frame is not None and known.resolved and sources.read(known.resolved) is not None:
        place = Place(known.resolved, known.current_line or frame.line, frame.function, frame.source)
        return planned(known.resolved, place, _frame_files(known.frames, sources, known.resolved))
    if frame is None:
        return _without_frame(planned, sources)
    cell = sources.cell_line(frame.source) if frame.cell is not None and frame.source else None
    return planned(cell[0], Place(cell[0], cell[1], frame.function, frame.source)) if cell is not None else []


def _frame_files(frames: Sequence[Frame], sources: Sources, own: str) -> list[str]:
    """The other files under the root that the traceback passes through, the deepest first."""
    found: dict[str, None] = {}
    for frame in reversed(frames):
        path = find_file(frame.file, sources.root) if frame.user else None
        if path is not None:
            found[path.relative_to(sources.root).as_posix()] = None
    found.pop(own, None)
    return list(found)


def _without_frame(
    planned: Callable[[str, Place | None], list[PlannedRepair]], sources: Sources
) -> list[PlannedRepair]:
    """The log names no line of the user's: a repair is offered where just one file has a place for it.

    A place of `scope: workspace` is found from every file, and a file without the place of the better remedy may have
    one for a lesser: what counts is the best remedy, and what it changes.
    """
    fitting: list[list[PlannedRepair]] = []
    rest: list[PlannedRepair] = []
    for path in sources.files():
        found = planned(path, None)
        if found and not found[0].disabled:
            fitting.append(found)
        else:
            rest = rest or found
    if not fitting:
        return rest
    best = min(_rank(found[0]) for found in fitting)
    fitting = [found for found in fitting if _rank(found[0]) == best]
    if all(found[0].files == fitting[0][0].files for found in fitting):
        return fitting[0]
    reason = f"{len(fitting)} files have such a place, and the log does not tell which one is meant"
    return [replace(item, files=(), preferred=False, disabled=item.disabled or reason) for item in fitting[0]]


def _rank(repair: PlannedRepair) -> int:
    """How good a remedy is by the order of its record."""
    return repair.workaround if repair.workaround is not None else 0


def fix_log(
    incidents: Iterable[Incident],
    root: Path,
    knowledge: Knowledge,
    torch: str | None = None,
    *,
    unsafe: bool = False,
    language: str = "en",
) -> LogRepair:
    """One repair per incident, the best that may be applied; never two that touch the same place."""
    sources = Sources(root)
    remedies: list[Remedy] = []
    chosen: list[PlannedRepair] = []
    for incident in _decisive(list(incidents)):
        planned = tuple(repairs_for(incident, sources, knowledge, torch, language=language))
        remedy = _choose(incident, planned, chosen, unsafe=unsafe)
        if remedy.chosen is not None and remedy.chosen not in chosen:
            chosen.append(remedy.chosen)
        remedies.append(remedy)
    merged = apply.merge(file for repair in chosen for file in repair.files)
    return LogRepair(tuple(remedies), tuple(merged), sources)


def _decisive(incidents: list[Incident]) -> list[Incident]:
    """Errors before warnings, and no symptom whose cause is in the log as well."""
    present = {incident.fingerprint for incident in incidents}
    kept = [incident for incident in incidents if incident.cause_of is None or incident.cause_of not in present]
    order = ("error", "warning", "symptom")
    return sorted(kept, key=lambda incident: order.index(incident.level))


def _choose(
    incident: Incident, planned: Sequence[PlannedRepair], taken: Sequence[PlannedRepair], *, unsafe: bool
) -> Remedy:
    usable = [item for item in planned if not item.disabled and item.applicability != "display"]
    allowed = [item for item in usable if unsafe or item.applicability == "safe"]
    for item in allowed:
        if any(item.files == other.files for other in taken):
            return Remedy(incident, item, tuple(planned), "the same repair as for another incident")
        if not any(apply.overlaps(item.files, other.files) for other in taken):
            return Remedy(incident, item, tuple(planned))
    if allowed:
        reason = "its place is changed by the repair of another incident; run the program again first"
    elif usable:
        reason = "the repair needs a look: allow it with --unsafe-fixes"
    elif incident.user_frame is not None and not planned:
        reason = f"{incident.user_frame.file} is not under the root, or the record has no repair for code"
    else:
        reason = next((item.disabled for item in planned if item.disabled), "the record has no repair for code")
    return Remedy(incident, None, tuple(planned), reason)


# -- findings --------------------------------------------------------------------------------------------------------


class Checker(Protocol):
    """What is needed of `source.check.Checker`."""

    def check(self, text: str, path: str) -> list[Finding]: ...


def with_repairs(
    findings: Iterable[Finding],
    text: str,
    knowledge: Knowledge,
    torch: str | None = None,
    *,
    read: Callable[[str], str | None] | None = None,
    files: Sequence[str] = (),
    language: str = "en",
) -> list[Finding]:
    """The findings of a text, each with its planned repairs."""
    return [
        replace(
            finding,
            repairs=tuple(
                plan(
                    knowledge.records[finding.record],
                    text=text,
                    path=finding.file,
                    finding=finding,
                    torch=torch,
                    read=read,
                    files=files,
                    language=language,
                )
            ),
        )
        for finding in findings
    ]


def _all(finding: Finding) -> bool:
    del finding
    return True


def fix_source(
    text: str,
    path: str,
    checker: Checker,
    knowledge: Knowledge,
    torch: str | None = None,
    *,
    unsafe: bool = False,
    wanted: Callable[[Finding], bool] = _all,
) -> tuple[str, list[PlannedRepair]]:
    """A whole file repaired as by `fix_text`; of a notebook, the JSON outside the changed cells stays as it is.

    Raises NotebookError for a notebook that is none.
    """
    if not path.endswith(NOTEBOOK):
        return fix_text(text, path, checker, knowledge, torch, unsafe=unsafe, wanted=wanted)
    notebook = Notebook.parse(text)
    after, applied = fix_text(notebook.text, path, checker, knowledge, torch, unsafe=unsafe, wanted=wanted)
    return (notebook.apply(apply.difference(notebook.text, after)) if applied else text), applied


def fix_text(
    text: str,
    path: str,
    checker: Checker,
    knowledge: Knowledge,
    torch: str | None = None,
    *,
    unsafe: bool = False,
    wanted: Callable[[Finding], bool] = _all,
) -> tuple[str, list[PlannedRepair]]:
    """A text with those findings repaired that may be, checked again after each round, and what was applied.

    `wanted` says of a finding whether the user's configuration wants it.
    """
    applied: list[PlannedRepair] = []
    seen = {text}
    for _ in range(MOST_ROUNDS):
        chosen: list[PlannedRepair] = []
        for finding in with_repairs(filter(wanted, checker.check(text, path)), text, knowledge, torch):
            for item in finding.repairs:
                if item.disabled or item.applicability == "display" or (item.applicability != "safe" and not unsafe):
                    continue
                if [file.path for file in item.files] != [path]:
                    continue
                if not any(apply.overlaps(item.files, other.files) for other in chosen):
                    chosen.append(item)
                break
        if not chosen:
            break
        after = apply.apply(text, apply.merge(file for item in chosen for file in item.files)[0].edits)
        if after in seen:
            break
        seen.add(after)
        text = after
        applied += chosen
    return text, applied
