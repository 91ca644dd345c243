"""The pseudo-terminal of `detour run` on POSIX: three processes, as in sudo.

Detour relays bytes between its own terminal and the pseudo-terminal. A monitor leads the program's session, because a
program can only be stopped by Ctrl-Z if its parent is in the same session; it reports how the program stops and ends.
The program is in the foreground of the pseudo-terminal, which turns Ctrl-C and Ctrl-Z into signals as always.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import signal
import termios
import tty
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from detour_lsp.logs.posix_processes import REPORT, become, lead_session, not_started, outcome_of, read_all
from detour_lsp.logs.pseudo_terminal import Outcome

_READ = 65_536
#: After the program's end, its output is waited for no longer than this while nothing comes (a child may hold it open).
_LAST_BYTES_SECONDS = 0.15
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGTSTP")


_Handler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Handlers do nothing: the number of the signal arrives through the wake-up descriptor."""


def run_posix(command: Sequence[str], copy: Callable[[bytes], None]) -> Outcome:
    """See `pseudo_terminal.run`."""
    terminals = [descriptor for descriptor in (0, 1, 2) if os.isatty(descriptor)]
    # Without a terminal for its output the program has nothing to show off to, and input needs no relay.
    session = _TerminalSession if {1, 2} & set(terminals) else _PlainSession
    return session(command, copy, terminals).run()


class _Session:
    """What both ways have in common: channels from the program to our outputs, signals, and the last bytes."""

    def __init__(self, command: Sequence[str], copy: Callable[[bytes], None], terminals: Sequence[int]) -> None:
        self._command = list(command)
        self._copy = copy
        self._terminals = terminals
        #: Where the program's output is read -> where it is written.
        self._channels: dict[int, int] = {}
        #: Descriptor of the program -> what it becomes.
        self._child_ends: dict[int, int] = {}
        self._outcome: Outcome | None = None
        self._previous: dict[int, _Handler] = {}
        self._signals_read, self._signals_write = os.pipe()
        for descriptor in (self._signals_read, self._signals_write):
            os.set_blocking(descriptor, False)

    def run(self) -> Outcome:
        raise NotImplementedError

    def _open_pipes(self, descriptors: Sequence[int]) -> None:
        """Pipes for outputs that are no terminals; two that go to one place share one, so that their order stays."""
        shared = len(descriptors) == 2 and os.path.sameopenfile(*descriptors)
        write = -1
        for descriptor in descriptors:
            if write < 0 or not shared:
                read, write = os.pipe()
                self._channels[read] = descriptor
            self._child_ends[descriptor] = write

    def _close_child_ends(self) -> None:
        for descriptor in set(self._child_ends.values()):
            os.close(descriptor)

    def _listen_to(self, names: Sequence[str]) -> None:
        signal.set_wakeup_fd(self._signals_write, warn_on_full_buffer=False)
        for name in names:
            number = signal.Signals[name]
            # What is ignored on purpose (nohup) stays ignored, here and in the program.
            if number == signal.SIGCHLD or signal.getsignal(number) is not signal.SIG_IGN:
                self._previous[number] = signal.signal(number, _nothing)

    def _listen_no_more(self) -> None:
        signal.set_wakeup_fd(-1)
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _signals(self) -> list[int]:
        try:
            return list(os.read(self._signals_read, 1024))
        except BlockingIOError:
            return []

    def _relay(self, source: int) -> bool:
        """Pass on what the program has written; False at the end."""
        try:
            data = os.read(source, _READ)
        except OSError as error:
            # EIO: the last process has closed the pseudo-terminal.
            if error.errno not in (errno.EIO, errno.EBADF):
                raise
            data = b""
        if data and self._write(self._channels[source], data):
            self._copy(data)
            return True
        # Whoever writes on gets SIGPIPE, as without us.
        del self._channels[source]
        os.close(source)
        return False

    @staticmethod
    def _write(target: int, data: bytes) -> bool:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(target, view) :]
            except BlockingIOError:
                # Somebody made our output non-blocking (ssh does): wait until it takes more.
                select.select([], [target], [])
            except OSError:
                return False
        return True

    def _last_bytes(self) -> None:
        while self._channels:
            ready, _, _ = select.select(list(self._channels), [], [], _LAST_BYTES_SECONDS)
            if not ready:
                return
            for source in ready:
                self._relay(source)

    def _close(self) -> None:
        for descriptor in (*self._channels, self._signals_read, self._signals_write):
            os.close(descriptor)
        self._channels.clear()


class _PlainSession(_Session):
    """No terminal to imitate: the program runs beside us in the same process group, its output through pipes."""

    def run(self) -> Outcome:
        self._open_pipes([1, 2])
        failure_read, failure_write = os.pipe()
        child = os.fork()
        if child == 0:
            become(self._command, self._child_ends, failure_write)
        os.close(failure_write)
        self._close_child_ends()
        # A stop from the keyboard stops the whole group, us with it, and needs no help.
        self._listen_to([*(name for name in _FORWARDED if name != "SIGTSTP"), "SIGCHLD"])
        try:
            failure = read_all(failure_read)
            os.close(failure_read)
            self._pump(child)
            if failure:
                return not_started(self._command[0], failure)
            assert self._outcome is not None
            return self._outcome
        finally:
            self._listen_no_more()
            self._close()

    def _pump(self, child: int) -> None:
        while self._outcome is None:
            self._reap(child)
            if self._outcome is not None:
                break
            ready, _, _ = select.select([*self._channels, self._signals_read], [], [])
            for source in ready:
                if source == self._signals_read:
                    self._forward(child)
                else:
                    self._relay(source)
        self._last_bytes()

    def _reap(self, child: int) -> None:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            self._outcome = outcome_of(status)

    def _forward(self, child: int) -> None:
        for number in self._signals():
            # From the keyboard these reach the whole group, and the program has had them already.
            from_keyboard = number in (signal.SIGINT, signal.SIGQUIT) and _in_foreground()
            if number != signal.SIGCHLD and not from_keyboard:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, number)


class _TerminalSession(_Session):
    """A pseudo-terminal stands in for ours."""

    def run(self) -> Outcome:
        pipes = [descriptor for descriptor in (1, 2) if descriptor not in self._terminals]
        self._screen = 1 if 1 in self._terminals else 2
        self._keyboard = 0 in self._terminals
        self._own_modes = termios.tcgetattr(0 if self._keyboard else self._screen)
        self._master, slave = os.openpty()
        modes = termios.tcgetattr(self._screen)
        if not self._keyboard:
            # Our terminal stays as it is and will add the carriage returns itself.
            modes[1] &= ~termios.OPOST
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        self._copy_size()
        self._channels[self._master] = self._screen
        self._open_pipes(pipes)
        for descriptor in self._terminals:
            self._child_ends[descriptor] = slave
        self._report_read, report_write = os.pipe()
        control_read, self._control_write = os.pipe()
        monitor = os.fork()
        if monitor == 0:
            for descriptor in (self._master, self._report_read, self._control_write, *self._channels):
                with contextlib.suppress(OSError):
                    os.close(descriptor)
            lead_session(self._command, self._child_ends, slave, report_write, control_read)
        for descriptor in (report_write, control_read):
            os.close(descriptor)
        self._close_child_ends()
        self._program = 0
        self._pending = b""
        self._raw = False
        self._listen_to([*_FORWARDED, "SIGWINCH", "SIGCONT", "SIGCHLD"])
        try:
            self._take_keyboard()
            os.set_blocking(self._master, False)
            while self._outcome is None:
                self._turn()
            self._last_bytes()
            return self._outcome
        finally:
            self._give_keyboard_back()
            self._listen_no_more()
            self._close()
            os.close(self._report_read)
            os.close(self._control_write)
            os.waitpid(monitor, 0)

    def _turn(self) -> None:
        sources = [*self._channels, self._report_read, self._signals_read]
        if self._raw and len(self._pending) < _READ:
            sources.append(0)
        targets = [self._master] if self._pending and self._master in self._channels else []
        ready, writable, _ = select.select(sources, targets, [])
        for source in ready:
            if source == 0:
                self._type()
            elif source == self._report_read:
                self._hear_monitor()
            elif source == self._signals_read:
                for number in self._signals():
                    self._on_signal(number)
            elif source in self._channels:
                with contextlib.suppress(BlockingIOError):
                    self._relay(source)
        if writable and self._master in self._channels:
            with contextlib.suppress(BlockingIOError):
                self._pending = self._pending[os.write(self._master, self._pending) :]

    def _type(self) -> None:
        try:
            data = os.read(0, 4096)
        except OSError:
            data = b""
        if not data:
            # The terminal hung up: the program hears of it by SIGHUP; there is nothing more to read.
            self._raw = False
        self._pending += data

    def _hear_monitor(self) -> None:
        message = os.read(self._report_read, REPORT.size)
        if len(message) < REPORT.size:
            # The monitor was killed; what became of the program nobody knows.
            self._outcome = Outcome(128 + signal.SIGKILL, signal.SIGKILL)
            return
        kind, value = REPORT.unpack(message)
        if kind == b"p":
            self._program = value
        elif kind == b"f":
            self._outcome = not_started(self._command[0], value.to_bytes(4, "little"))
        elif os.WIFSTOPPED(value):
            self._stop_too()
        else:
            self._outcome = outcome_of(value)

    def _stop_too(self) -> None:
        """The program was stopped: so are we, and the shell takes over until somebody says `fg` or `bg`."""
        self._give_keyboard_back()
        # What the program wrote before it stopped belongs on the screen before the shell's prompt.
        while select.select([self._master], [], [], 0)[0] and self._master in self._channels:
            self._relay(self._master)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, _nothing)
        self._take_keyboard()
        self._copy_size()
        os.write(self._control_write, b"c")

    def _on_signal(self, number: int) -> None:
        if number == signal.SIGWINCH:
            self._copy_size()
        elif number == signal.SIGCONT:
            self._take_keyboard()
            self._copy_size()
        elif number != signal.SIGCHLD and self._program:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._program, number)

    def _copy_size(self) -> None:
        with contextlib.suppress(OSError):
            size = fcntl.ioctl(self._screen, termios.TIOCGWINSZ, bytes(8))
            # The kernel tells the program by SIGWINCH if this is a change.
            fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def _take_keyboard(self) -> None:
        """Every key to the program, also Ctrl-C; only while we are in the foreground."""
        if self._keyboard and not self._raw and _in_foreground():
            tty.setraw(0, termios.TCSADRAIN)
            self._raw = True

    def _give_keyboard_back(self) -> None:
        if self._raw:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._own_modes)
            self._raw = False


def _in_foreground() -> bool:
    """Whether the terminal belongs to our process group now."""
    for descriptor in (0, 1, 2):
        try:
            return os.tcgetpgrp(descriptor) == os.getpgrp()
        except OSError:
            continue
    return False
