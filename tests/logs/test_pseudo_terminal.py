"""`detour run` is invisible: checked from a terminal (a real pseudo-terminal, a real shell), a pipe, and files."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")

RUNNER = """
import sys
from detour_lsp.logs.pseudo_terminal import end_like, run
copy = open(sys.argv[1], "wb")
outcome = run(sys.argv[2:], copy.write)
copy.close()
sys.exit(end_like(outcome))
"""


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Who runs the tests in the background has Ctrl-C ignored, which programs that are started here would inherit."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def wrapped(copy: Path, *command: str) -> list[str]:
    return [sys.executable, "-c", RUNNER, str(copy), *command]


class Terminal:
    """A person at a terminal."""

    def __init__(self, command: list[str], rows: int = 24, columns: int = 80) -> None:
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.environ["PS1"] = "$ "
            os.execvp(command[0], command)
        self.resize(rows, columns)
        self.seen = b""

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: bytes) -> None:
        os.write(self.master, text)

    def expect(self, pattern: bytes, seconds: float = 60) -> re.Match[bytes]:
        """Wait for a pattern and forget everything up to its end."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.seen)):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"no {pattern!r} within {seconds} s, but {self.seen!r}")
            try:
                data = os.read(self.master, 65536)
            except OSError:
                raise AssertionError(f"the end instead of {pattern!r}: {self.seen!r}") from None
            self.seen += data
        self.seen = self.seen[match.end() :]
        return match

    def rest(self, seconds: float = 15) -> bytes:
        """Everything up to the end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.master, 65536)
                except OSError:
                    break
        return self.seen

    def status(self) -> int:
        """The status as `waitpid` has it."""
        for _ in range(300):
            found, status = os.waitpid(self.process, os.WNOHANG)
            if found:
                self.process = 0
                return status
            time.sleep(0.05)
        raise AssertionError("does not end")

    def close(self) -> None:
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.master)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def python(program: str) -> list[str]:
    return [sys.executable, "-u", "-c", program]


def test_the_program_sees_a_terminal_of_the_same_size(copy: Path, terminals: list[Terminal]) -> None:
    program = (
        "import os,sys\n"
        "print([s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr)], os.get_terminal_size(), os.ttyname(0))"
    )
    terminals.append(Terminal(wrapped(copy, "sh", "-c", 'sleep 0.3; exec "$0" "$@"', *python(program)), 33, 101))
    assert b"[True, True, True] os.terminal_size(columns=101, lines=33) /dev/" in terminals[0].rest()
    assert terminals[0].status() == 0
    assert b"[True, True, True]" in copy.read_bytes()


def test_a_change_of_size_reaches_the_program(copy: Path, terminals: list[Terminal]) -> None:
    program = (
        "import os,signal,time\n"
        "signal.signal(signal.SIGWINCH, lambda *_: print('now', os.get_terminal_size().columns))\n"
        "print('ready')\n"
        "for _ in range(300): time.sleep(0.05)"
    )
    terminal = Terminal(wrapped(copy, *python(program)))
    terminals.append(terminal)
    terminal.expect(b"ready")
    terminal.resize(50, 123)
    terminal.expect(b"now 123")


def test_colours_and_all_bytes_pass_unchanged(copy: Path, terminals: list[Terminal]) -> None:
    program = (
        "import os; os.write(1, b'\\x1b[31mred\\x1b[0m\\r\\x80\\xff\\x00\\x07 50%|##\\r100%\\n'); "
        "os.write(2, b'err\\n')"
    )
    terminals.append(Terminal(wrapped(copy, *python(program))))
    wanted = b"\x1b[31mred\x1b[0m\r\x80\xff\x00\x07 50%|##\r100%\r\nerr\r\n"
    assert terminals[0].rest() == wanted
    assert copy.read_bytes() == wanted


def test_keys_reach_the_program_at_once(copy: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(wrapped(copy, *python("name = input('name? '); print('hello', name.upper())")))
    terminals.append(terminal)
    terminal.expect(rb"name\? ")
    start = time.monotonic()
    terminal.type(b"ann\n")
    terminal.expect(b"ann\r\nhello ANN\r\n")
    assert time.monotonic() - start < 20
    assert terminal.status() == 0


def test_end_of_input_is_a_key_too(copy: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(wrapped(copy, *python("import sys; print('waiting'); print(repr(sys.stdin.read()))")))
    terminals.append(terminal)
    terminal.expect(b"waiting\r\n")
    terminal.type(b"line\n\x04")
    terminal.expect(rb"'line\\n'")


def test_interrupt_from_the_keyboard(copy: Path, terminals: list[Terminal]) -> None:
    program = (
        "import time\ntry:\n print('ready', flush=True)\n time.sleep(30)\n"
        "except KeyboardInterrupt: print('interrupted'); raise SystemExit(17)"
    )
    terminal = Terminal(wrapped(copy, *python(program)))
    terminals.append(terminal)
    terminal.expect(b"ready")
    terminal.type(b"\x03")
    terminal.expect(b"interrupted")
    assert os.waitstatus_to_exitcode(terminal.status()) == 17


def test_a_signal_that_ends_the_program_ends_us(copy: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(wrapped(copy, *python("import os; os.kill(os.getpid(), 11)")))
    terminals.append(terminal)
    terminal.rest()
    status = terminal.status()
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGSEGV


def test_the_terminal_is_left_as_it_was(copy: Path, terminals: list[Terminal]) -> None:
    script = copy.with_name("script")
    script.write_text(
        f"stty -a > {copy}.before\n'{sys.executable}' -c '{RUNNER}' {copy} sh -c 'stty raw -echo; exit 3'\n"
        f"echo status $?\nstty -a > {copy}.after\n"
    )
    terminals.append(Terminal(["bash", str(script)]))
    assert b"status 3" in terminals[0].rest()
    assert Path(f"{copy}.before").read_text() == Path(f"{copy}.after").read_text()


def test_stopped_and_continued_by_the_shell(copy: Path, terminals: list[Terminal]) -> None:
    program = "import time\nprint('rea' + 'dy')\nname = input()\nprint('got', name)"
    script = copy.with_name("go")
    script.write_text(f"exec '{sys.executable}' -c '{RUNNER}' {copy} '{sys.executable}' -u -c \"{program}\"\n")
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"])
    terminals.append(terminal)
    terminal.expect(rb"\$ ")
    terminal.type(b"bash %s\n" % str(script).encode())
    terminal.expect(b"ready\r\n")
    terminal.type(b"\x1a")
    terminal.expect(b"Stopped")
    terminal.expect(rb"\$ ")
    # The shell has its terminal back, with echo and line editing.
    terminal.type(b"echo in the sh''ell\n")
    terminal.expect(b"in the shell\r\n")
    terminal.type(b"jobs\n")
    terminal.expect(b"Stopped")
    terminal.expect(rb"\$ ")
    terminal.type(b"fg\n")
    terminal.expect(b"go\r\n")
    time.sleep(0.3)
    terminal.type(b"bob\n")
    terminal.expect(b"got bob")
    terminal.expect(rb"\$ ")
    terminal.type(b"echo sta''tus $?\n")
    terminal.expect(b"status 0")


def test_without_a_terminal_streams_stay_apart(copy: Path) -> None:
    program = "import sys; print(sys.stdout.isatty(), sys.stdin.read()); sys.stderr.write('err\\n'); sys.exit(5)"
    done = subprocess.run(wrapped(copy, *python(program)), input=b"typed", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (5, b"False typed\n", b"err\n")
    assert sorted(copy.read_bytes().splitlines()) == [b"False typed", b"err"]


def test_both_outputs_in_one_file_keep_their_order(copy: Path, tmp_path: Path) -> None:
    program = "import os\nfor i in range(200): os.write(1 + i % 2, b'%d\\n' % i)"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(wrapped(copy, *python(program)), stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=True)
    wanted = b"".join(b"%d\n" % index for index in range(200))
    assert (tmp_path / "out").read_bytes() == wanted
    assert copy.read_bytes() == wanted


def test_only_errors_in_a_file(copy: Path, terminals: list[Terminal], tmp_path: Path) -> None:
    program = "import sys; print(sys.stdout.isatty(), sys.stderr.isatty()); sys.stderr.write('to the file')"
    script = tmp_path / "script"
    script.write_text(
        f"'{sys.executable}' -c '{RUNNER}' {copy} '{sys.executable}' -c \"{program}\" 2> {tmp_path}/err\n"
    )
    script.write_text(script.read_text().replace("\\n'", "\\\\n'"))
    terminals.append(Terminal(["bash", str(script)]))
    assert terminals[0].rest() == b"True False\r\n"
    assert (tmp_path / "err").read_bytes().startswith(b"to the file")


def test_much_output_is_complete_and_fast(copy: Path) -> None:
    program = "import sys\nfor i in range(4000): sys.stdout.write('x' * 4999 + '\\n')"
    start = time.monotonic()
    done = subprocess.run(wrapped(copy, *python(program)), stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert len(done.stdout) == 20_000_000
    assert copy.stat().st_size == 20_000_000
    assert time.monotonic() - start < 60


@pytest.mark.parametrize(("command", "status", "words"), [
    (["no-such-command-anywhere"], 127, "command not found"),
    (["./no/such/file"], 127, "No such file"),
    (["/etc/passwd"], 126, "Permission denied"),
])  # fmt: skip
def test_what_cannot_be_run(copy: Path, command: list[str], status: int, words: str, terminals: list[Terminal]) -> None:
    done = subprocess.run(
        wrapped(copy, *command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert words in done.stderr
    terminals.append(Terminal(wrapped(copy, *command)))
    assert words.encode() in terminals[0].rest()
    assert os.waitstatus_to_exitcode(terminals[0].status()) == status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
@pytest.mark.parametrize("in_terminal", [False, True])
def test_signals_are_passed_on(
    copy: Path, number: signal.Signals, in_terminal: bool, terminals: list[Terminal]
) -> None:
    program = (
        "import signal,sys,time\n"
        f"def stop(*_): print('caught'); sys.exit(9)\nsignal.signal({int(number)}, stop)\n"
        "print('ready')\ntime.sleep(30)"
    )
    if in_terminal:
        terminal = Terminal(wrapped(copy, *python(program)))
        terminals.append(terminal)
        terminal.expect(b"ready")
        os.kill(terminal.process, number)
        terminal.expect(b"caught")
        assert os.waitstatus_to_exitcode(terminal.status()) == 9
        return
    process = subprocess.Popen(
        wrapped(copy, *python(program)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(number)
    assert process.communicate(timeout=15)[0] == b"caught\n"
    assert process.returncode == 9


def test_nohup_survives_the_hangup(copy: Path, tmp_path: Path) -> None:
    program = "import time; print('ready'); time.sleep(1); print('done')"
    with (tmp_path / "nohup.out").open("wb") as out:
        process = subprocess.Popen(
            ["nohup", *wrapped(copy, *python(program))], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
    for _ in range(200):
        if b"ready" in (tmp_path / "nohup.out").read_bytes():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGHUP)
    assert process.wait(15) == 0
    assert (tmp_path / "nohup.out").read_bytes().endswith(b"ready\ndone\n")


def test_a_reader_that_goes_away_stops_the_program(copy: Path) -> None:
    shell = f"'{sys.executable}' -c '{RUNNER}' {copy} yes | head -n 2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=True)
    assert done.stdout == b"y\ny\n%d\n" % (128 + signal.SIGPIPE)


def test_a_grandchild_that_keeps_the_output_open_does_not_hold_us(copy: Path) -> None:
    start = time.monotonic()
    done = subprocess.run(
        wrapped(copy, "sh", "-c", "sleep 60 & echo over"),
        stdin=subprocess.DEVNULL,
        stdout=(copy.with_name("o")).open("wb"),
        check=True,
    )
    assert done.returncode == 0
    assert time.monotonic() - start < 50
    assert copy.read_bytes() == b"over\n"


def test_a_listener_that_fails_is_heard_of_after_the_program() -> None:
    failing = (
        "from detour_lsp.logs.pseudo_terminal import run\n"
        "def listener(data): raise ValueError('listener')\n"
        "try: run(['sh', '-c', 'echo one; sleep 0.2; echo two'], listener)\n"
        "except ValueError as error: print('failed:', error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", failing], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert done.stdout == "one\ntwo\nfailed: listener\n"
