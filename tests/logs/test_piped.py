"""`detour run` without a pseudo-terminal, as on Windows: selected by `--pipe`, so that it is tested everywhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from detour_lsp.logs.piped import NOTE

#: Everything a byte can be, to both outputs.
WRITES = (
    "import os, sys; data = bytes(range(256)) * 900; os.write(1, data); os.write(2, data[::-1]); "
    "os.write(1, b'\\x1b[31m\\r\\n'); sys.exit(int(sys.argv[1]))"
)
FAILS = (
    "import sys; print('step 1', flush=True); "
    "sys.exit('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. "
    "GPU 0 has a total capacity of 8 GiB')"
)


def detour(*command: str, card: bool = True) -> list[str]:
    options = [] if card else ["--no-card"]
    return [sys.executable, "-m", "detour_lsp", "run", "--pipe", *options, "--", *command]


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


@pytest.mark.parametrize("status", [0, 7])
def test_bytes_and_status_are_the_programs(status: int) -> None:
    done = subprocess.run(detour(*python(WRITES, str(status)), card=False), capture_output=True)
    data = bytes(range(256)) * 900
    assert done.returncode == status
    assert done.stdout == data + b"\x1b[31m\r\n"
    assert done.stderr == data[::-1]


def test_card_stands_below_a_failure(tmp_path: Path) -> None:
    done = subprocess.run(
        detour(*python(FAILS)), capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "LANG": "C"}
    )
    assert done.returncode == 1
    assert done.stdout == "step 1\n"
    message, _, card = done.stderr.partition("\n")
    assert message.startswith("torch.OutOfMemoryError")
    assert "memory" in card
    # Nothing was lost by the pipe here: nobody has a terminal.
    assert NOTE not in card


def test_standard_input_reaches_the_program() -> None:
    code = "import sys; print(sys.stdin.read().upper(), end='')"
    done = subprocess.run(detour(*python(code)), input=b"abc\n", capture_output=True)
    assert (done.stdout, done.returncode) == (b"ABC\n", 0)


def test_what_cannot_be_run() -> None:
    done = subprocess.run(detour("no-such-command-at-all"), capture_output=True, text=True)
    assert done.returncode == 127
    assert "no-such-command-at-all" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_signal_that_ends_the_program_ends_us() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    assert subprocess.run(detour(*python(code)), capture_output=True).returncode == -signal.SIGTERM


@pytest.mark.skipif(sys.platform == "win32", reason="the sizes of pipes")
def test_a_reader_that_goes_away_stops_the_program() -> None:
    endless = "import sys\nwhile True: sys.stdout.write('x' * 4096)"
    with subprocess.Popen(detour(*python(endless)), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(60) != 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal to see the difference")
def test_at_a_terminal_it_says_what_a_pipe_changes() -> None:
    import pty

    code = "import sys; print('terminal' if sys.stdout.isatty() else 'pipe')"
    master, slave = pty.openpty()
    with subprocess.Popen(detour(*python(code)), stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                data = os.read(master, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
        assert process.wait(60) == 0
    os.close(master)
    assert seen.decode().splitlines() == ["pipe", f"detour run: {NOTE}"]
