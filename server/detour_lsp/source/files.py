"""Checks files and folders: in order, on all cores when there is enough to do, with results kept by content."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from detour_lsp.knowledge.record import Record
from detour_lsp.source.apply import MAX_FILE_BYTES, ApplyError, decode
from detour_lsp.source.cache import ResultCache
from detour_lsp.source.check import Checker, Detection, Knowledge, detections_of
from detour_lsp.source.configuration import Configuration
from detour_lsp.source.discovery import python_files
from detour_lsp.source.finding import Finding
from detour_lsp.source.notebook import Notebook, NotebookError
from detour_lsp.source.suppression import UnusedSuppression

#: Starting processes pays from this much work on.
_BYTES_FOR_PROCESSES = 16_000_000
_CHUNK = 16


@dataclass(frozen=True, slots=True)
class FileResult:
    """The findings of one file, or why it could not be checked."""

    path: str
    findings: tuple[Finding, ...] = ()
    error: str = ""
    #: Suppression comments that silence nothing, where they were asked for.
    unused: tuple[UnusedSuppression, ...] = ()


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """The part of a knowledge base that finds things, small enough to hand to a process."""

    records: Mapping[str, Record]
    detections: Sequence[Detection]


class FileChecker:
    """Checks files by a configuration, in this process."""

    def __init__(
        self,
        knowledge: Knowledge,
        torch: str | None = None,
        configuration: Configuration | None = None,
        cache: ResultCache | None = None,
    ) -> None:
        self.checker = Checker(knowledge, torch)
        self.configuration = configuration or Configuration()
        self._records = knowledge.records
        self._cache = cache

    def check_path(self, path: str, *, unused: bool = False) -> FileResult:
        """Read and check one file."""
        try:
            with open(path, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            return FileResult(path, error=f"cannot be read: {error.strerror or error}")
        return self.check_data(data, path, unused=unused)

    def check_data(self, data: bytes, path: str, *, unused: bool = False) -> FileResult:
        """Check the bytes of a file that is called `path`."""
        if len(data) > MAX_FILE_BYTES:
            return FileResult(path, error=f"skipped: larger than {MAX_FILE_BYTES // 1_000_000} MB")
        notebook = path.lower().endswith(".ipynb")
        possible = self.checker.may_have_findings_escaped if notebook else self.checker.may_have_findings
        if not (unused and b"detour:" in data) and not possible(data, path):
            return FileResult(path, error=_what_is_wrong(data) if notebook else "")
        key = self._cache.key(data, path) if self._cache is not None and not unused else None
        found = self._cache.get(key, path) if self._cache is not None and key is not None else None
        result = FileResult(path, found) if found is not None else self._checked(data, path, unused=unused)
        if self._cache is not None and key is not None and found is None and not result.error:
            self._cache.put(key, result.findings)
        return replace(result, findings=tuple(self._wanted(result.findings)))

    def _checked(self, data: bytes, path: str, *, unused: bool) -> FileResult:
        try:
            text = decode(data).text
            if path.lower().endswith(".ipynb"):
                return FileResult(path, tuple(self._check_notebook(Notebook.parse(text), path)))
        except (ApplyError, NotebookError) as error:
            return FileResult(path, error=str(error))
        findings = tuple(self.checker.check(text, path))
        return FileResult(path, findings, unused=tuple(self.checker.unused(text, path)) if unused else ())

    def _check_notebook(self, notebook: Notebook, path: str) -> Iterator[Finding]:
        for finding in self.checker.check(notebook.text, path):
            cell, line, column = notebook.position(finding.start)
            _, end_line, end_column = notebook.position(finding.end)
            yield replace(finding, cell=cell, line=line, column=column, end_line=end_line, end_column=end_column)

    def _wanted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            record = self._records[finding.record]
            if self.configuration.wants(record.id, record.verification_tier, finding.file):
                yield finding


def check_paths(
    paths: Sequence[str | Path],
    knowledge: Knowledge,
    *,
    torch: str | None = None,
    configuration: Configuration | None = None,
    jobs: int | None = None,
    use_cache: bool = True,
    unused: bool = False,
) -> Iterator[FileResult]:
    """Check files and folders (walked for Python files and notebooks); one result per file, in order."""
    configuration = configuration or Configuration()
    cache = ResultCache.open(knowledge, torch) if use_cache else None
    files = [
        str(file)
        for file in python_files(paths, configuration.exclude, respect_gitignore=configuration.respect_gitignore)
    ]
    jobs = max(1, jobs or _cores())
    checker = FileChecker(knowledge, torch, configuration, cache)
    try:
        if jobs == 1 or sum(map(_size, files)) < _BYTES_FOR_PROCESSES:
            for file in files:
                yield checker.check_path(file, unused=unused)
        else:
            yield from _with_processes(files, knowledge, torch, configuration, cache, jobs, unused=unused)
    finally:
        if cache is not None:
            cache.close()


def _with_processes(
    files: list[str],
    knowledge: Knowledge,
    torch: str | None,
    configuration: Configuration,
    cache: ResultCache | None,
    jobs: int,
    *,
    unused: bool,
) -> Iterator[FileResult]:
    found: Sequence[Detection] | None = getattr(knowledge, "detections", None)
    detections = list(found) if found is not None else detections_of(knowledge.records.values())
    records = {item.record: knowledge.records[item.record] for item in detections}
    excerpt = _Excerpt(records, detections)
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(excerpt, torch, configuration, cache)) as pool:
        chunks = [files[start : start + _CHUNK] for start in range(0, len(files), _CHUNK)]
        waiting: list[Future[list[tuple[FileResult, list[tuple[str, tuple[Finding, ...]]]]]]] = []
        for chunk in chunks:
            waiting.append(pool.submit(_check_chunk, chunk, unused))
            # Enough to keep everybody busy, few enough to hold in memory.
            if len(waiting) > 8 * jobs:
                yield from _finished(waiting.pop(0), cache)
        for item in waiting:
            yield from _finished(item, cache)


def _finished(
    item: Future[list[tuple[FileResult, list[tuple[str, tuple[Finding, ...]]]]]], cache: ResultCache | None
) -> Iterator[FileResult]:
    for result, new in item.result():
        if cache is not None:
            for key, findings in new:
                cache.put(key, findings)
        yield result


_worker: FileChecker | None = None
_worker_cache: ResultCache | None = None


def _begin(excerpt: _Excerpt, torch: str | None, configuration: Configuration, cache: ResultCache | None) -> None:
    global _worker, _worker_cache
    _worker_cache = cache
    _worker = FileChecker(excerpt, torch, configuration, cache)


def _check_chunk(files: list[str], unused: bool) -> list[tuple[FileResult, list[tuple[str, tuple[Finding, ...]]]]]:
    assert _worker is not None
    results: list[tuple[FileResult, list[tuple[str, tuple[Finding, ...]]]]] = []
    for file in files:
        result = _worker.check_path(file, unused=unused)
        results.append((result, _worker_cache.take() if _worker_cache is not None else []))
    return results


def _what_is_wrong(data: bytes) -> str:
    """Why a file is no notebook, empty for one that is."""
    try:
        Notebook.parse(decode(data).text)
    except (ApplyError, NotebookError) as error:
        return str(error)
    return ""


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def _cores() -> int:
    if sys.platform != "win32" and hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
