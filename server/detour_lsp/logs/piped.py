"""`detour run` where there is no pseudo-terminal (Windows, `--pipe`): output comes through pipes, and that is said."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO

from detour_lsp.logs.pseudo_terminal import Outcome

NOTE = "the program writes into a pipe here, so it may leave out colours and progress bars"
_READ = 65_536


def run_piped(command: Sequence[str], copy: Callable[[bytes], None]) -> Outcome:
    """See `pseudo_terminal.run`; Ctrl-C reaches the program through the console, as always."""
    # Popen finds `python` but not `python.bat`; `which` knows what the shell would run.
    program = shutil.which(command[0]) or command[0]
    try:
        process = subprocess.Popen([program, *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    except OSError as error:
        sys.stderr.write(f"detour run: {command[0]}: {error.strerror or error}\n")
        return Outcome(127 if isinstance(error, FileNotFoundError) else 126, started=False)
    lock = threading.Lock()
    threads = [
        threading.Thread(target=_relay, args=(stream, target, copy, lock), daemon=True)
        for stream, target in ((process.stdout, 1), (process.stderr, 2))
        if stream is not None
    ]
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for thread in threads:
            thread.start()
        status = process.wait()
        for thread in threads:
            # A child of the program may keep its output open for ever.
            thread.join(1)
    finally:
        signal.signal(signal.SIGINT, previous)
    # Into a pipe or a file the program would have written in any case.
    note = NOTE if os.isatty(1) or os.isatty(2) else ""
    return Outcome(128 - status, -status, note=note) if status < 0 else Outcome(status, note=note)


def _relay(source: IO[bytes], target: int, copy: Callable[[bytes], None], lock: threading.Lock) -> None:
    with source:
        while data := os.read(source.fileno(), _READ):
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(target, view) :]
            except OSError:
                # Nobody reads any more: closing our end tells the program, as it would have been told without us.
                return
            # One copy after the other: the listener sees whole pieces.
            with lock:
                copy(data)
