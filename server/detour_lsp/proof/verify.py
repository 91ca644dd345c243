"""Proves many records at a time, reports as it goes, and stops cleanly when it is interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from detour_lsp.knowledge.record import Record
from detour_lsp.proof.proving import Proof, Prover


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is: what runs right now, and how many records are done."""

    running: tuple[str, ...]
    done: int
    total: int


def prove_all(
    prover: Prover, records: Sequence[Record], jobs: int, report: Callable[[Progress], None]
) -> Iterator[tuple[Record, Proof]]:
    """Each record with its proof, as they finish. On KeyboardInterrupt all programs are ended before it goes on."""
    running: dict[str, str] = {}
    lock = threading.Lock()
    done = 0

    def tell() -> None:
        with lock:
            now = tuple(f"{record} {program}" for record, program in running.items())
        report(Progress(now, done, len(records)))

    def prove(record: Record) -> Proof:
        def progress(program: str) -> None:
            with lock:
                running[record.id] = program
            tell()

        try:
            return prover.prove(record, progress)
        finally:
            with lock:
                running.pop(record.id, None)

    pool = ThreadPoolExecutor(max(1, jobs))
    futures: dict[Future[Proof], Record] = {}
    try:
        futures = {pool.submit(prove, record): record for record in records}
        waiting = set(futures)
        while waiting:
            finished, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in finished:
                done += 1
                tell()
                yield futures[future], future.result()
    except BaseException:
        prover.runner.stop()
        for future in futures:
            future.cancel()
        raise
    finally:
        pool.shutdown(wait=True)
