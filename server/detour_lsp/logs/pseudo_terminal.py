"""Runs a program for `detour run` so that it cannot tell: it sees the terminal that Detour sees, and its output passes
through byte for byte while a copy is handed to a listener.

What is a terminal for Detour is a pseudo-terminal for the program; what is a pipe or a file is a pipe. Windows gets
pipes throughout (`piped.py`), and so does whoever asks for them.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Listener = Callable[[bytes], None]

#: Not more output than this many reads waits for a listener that is slower than the program.
_WAITING = 2_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the program ended."""

    #: Its exit status, or 128 + signal as a shell says it.
    status: int
    #: The signal that ended it; 0 if it exited by itself.
    signal: int = 0
    #: Whether there was a program at all (not with 126 and 127 for what cannot be run).
    started: bool = True
    #: What the person should know about how it ran, or "".
    note: str = ""


def run(command: Sequence[str], listener: Listener, *, pipes: bool = False) -> Outcome:
    """Run `command` to its end and return how it ended; `listener` gets all its output, in another thread.

    With `pipes` the program gets no terminal on any platform.

    Must be called in the main thread, which handles the signals meanwhile.
    """
    copies = _Copies(listener)
    try:
        if pipes or sys.platform == "win32":
            from detour_lsp.logs.piped import run_piped

            return run_piped(command, copies.put)
        from detour_lsp.logs.posix_terminal import run_posix

        return run_posix(command, copies.put)
    finally:
        copies.close()


def end_like(outcome: Outcome) -> int:
    """Let this process end as the program did: by the same signal if one ended it, else with the returned status."""
    if outcome.signal and sys.platform != "win32":
        import resource

        # The program has left its core already; ours would only replace it.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        sys.stdout.flush()
        sys.stderr.flush()
        if outcome.signal not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(outcome.signal, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [outcome.signal])
        os.kill(os.getpid(), outcome.signal)
    return outcome.status


class _Copies:
    """Hands copies of the output to the listener in another thread: a slow one delays nobody, within reason."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._queue: queue.Queue[bytes | None] = queue.Queue(_WAITING)
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    def put(self, data: bytes) -> None:
        if self._thread is None:
            # Not before the program is there: forking with threads around is asking for trouble.
            self._thread = threading.Thread(target=self._work, name="detour-listener", daemon=True)
            self._thread.start()
        if self._failure is None:
            self._queue.put(data)

    def _work(self) -> None:
        while (data := self._queue.get()) is not None:
            if self._failure is not None:
                # Keep emptying the queue, so that the program goes on; `close` tells what went wrong.
                continue
            try:
                self._listener(data)
            except BaseException as error:
                self._failure = error

    def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        if self._failure is not None:
            raise self._failure
