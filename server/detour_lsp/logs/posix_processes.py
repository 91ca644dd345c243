"""The two processes of `detour run` besides Detour: the monitor, which leads the program's session, and the program."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import struct
import sys
import termios
from typing import NoReturn

from detour_lsp.logs.pseudo_terminal import Outcome

#: What the monitor reports: a letter (`p` the program's id, `f` an errno, `s` a wait status) and a number.
REPORT = struct.Struct("<ci")


def lead_session(command: list[str], ends: dict[int, int], slave: int, report: int, control: int) -> NoReturn:
    """Lead the session, start the program in its foreground, tell of its stops and its end."""
    try:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGTTIN):
            signal.signal(number, signal.SIG_IGN)
        failure_read, failure_write = os.pipe()
        gate_read, gate_write = os.pipe()
        program = os.fork()
        if program == 0:
            os.setpgid(0, 0)
            os.close(gate_write)
            # Not before it is in the foreground: its first read or write could stop it otherwise.
            os.read(gate_read, 1)
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGTTIN):
                signal.signal(number, signal.SIG_DFL)
            become(command, ends, failure_write)
        with contextlib.suppress(OSError):
            os.setpgid(program, program)
        os.tcsetpgrp(slave, program)
        os.write(report, REPORT.pack(b"p", program))
        os.close(gate_write)
        os.close(failure_write)
        for descriptor in set(ends.values()) - {slave}:
            os.close(descriptor)
        failure = read_all(failure_read)
        while True:
            _, status = os.waitpid(program, os.WUNTRACED)
            if failure:
                os.write(report, REPORT.pack(b"f", int.from_bytes(failure[:4], "little")))
                os._exit(0)
            os.write(report, REPORT.pack(b"s", status))
            if not os.WIFSTOPPED(status):
                os._exit(0)
            os.read(control, 1)
            os.tcsetpgrp(slave, program)
            os.killpg(program, signal.SIGCONT)
    finally:
        os._exit(1)


def become(command: list[str], ends: dict[int, int], failure: int) -> NoReturn:
    """Turn this process into the program; tells the errno when that is not possible."""
    try:
        for descriptor, end in ends.items():
            os.dup2(end, descriptor)
        # Python ignores these two; programs expect otherwise.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(failure, (error.errno or errno.EINVAL).to_bytes(4, "little"))
    finally:
        os._exit(127)


def read_all(descriptor: int) -> bytes:
    data = b""
    while part := os.read(descriptor, 64):
        data += part
    return data


def outcome_of(status: int) -> Outcome:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return Outcome(128 + number, number)
    return Outcome(os.WEXITSTATUS(status))


def not_started(name: str, failure: bytes) -> Outcome:
    number = int.from_bytes(failure[:4], "little")
    reason = "command not found" if number == errno.ENOENT and "/" not in name else os.strerror(number)
    sys.stderr.write(f"detour run: {name}: {reason}\n")
    return Outcome(127 if number == errno.ENOENT else 126, started=False)
