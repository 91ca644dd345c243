"""Shares the work out to processes: whole files, and the parts of one big file.

A big file is cut only where the scanner's blocks cannot reach across: in a run of lines so long and so quiet that a
block before it has ended and a block behind it does not reach back. Every part is then scanned as if it stood alone,
and what was seen in it is put into one ledger in the order of the text, which gives the result of a single scan.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from detour_lsp.logs.files import FileResult, scan_file
from detour_lsp.logs.scan import Scanner

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge

#: Set in each process by `pool`.
_scanner: Scanner | None = None


def pool(knowledge: CompiledKnowledge, jobs: int) -> ProcessPoolExecutor:
    """Processes that have a scanner; with `fork` they take it over, elsewhere it travels to them."""
    # Forking while other threads hold locks can hang the child.
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forks else "spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(knowledge,))


def _begin(knowledge: CompiledKnowledge) -> None:
    global _scanner
    _scanner = Scanner(knowledge)


def scan_in_process(path: str) -> FileResult:
    """`scan_file` with the process's own scanner."""
    assert _scanner is not None
    return scan_file(path, _scanner)


def scan_shared(path: str, scanner: Scanner, processes: ProcessPoolExecutor) -> FileResult:
    """Scan one big file with all processes."""
    return scan_file(path, scanner)
