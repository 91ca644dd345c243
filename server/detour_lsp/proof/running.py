"""Runs a program that is expected to fail, or worse: in a folder of its own, with limits, and with nothing left behind.

The programs of records come from people; some hang, some eat memory, some start workers that outlive them.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Sets limits, then becomes the program: a limit set from outside would come too late for a program that starts fast.
_LIMITER = """
import os, resource, sys
memory, seconds, size = map(int, sys.argv[1:4])
for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds),
                    (resource.RLIMIT_FSIZE, size), (resource.RLIMIT_CORE, 0)):
    try:
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (limit if hard < 0 else min(limit, hard), hard))
    except (ValueError, OSError):
        pass
os.execv(sys.argv[4], sys.argv[4:])
"""
#: What a program may inherit: where to find things, not what belongs to the user.
_KEPT = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    "COMSPEC",
    "TZ",
    "CUDA_HOME",
    "NUMBER_OF_PROCESSORS",
)
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    seconds: float = 240
    memory: int = 24 << 30
    file_size: int = 2 << 30
    output: int = 16 << 20


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a run: `code` is negative for a signal; `stopped` says why we ended it ourselves."""

    code: int
    output: bytes
    seconds: float
    stopped: str = ""


class Interrupted(Exception):  # noqa: N818 - not an error of the run
    """The user has had enough; every process has been ended."""


class Runner:
    """Starts programs, several at a time, and can end them all."""

    def __init__(self, python: str, limits: Limits | None = None, *, devices: bool = False) -> None:
        self.python = python
        self.limits = limits or Limits()
        #: Whether programs may see the machine's accelerators.
        self.devices = devices
        self._stop = threading.Event()

    def stop(self) -> None:
        """End everything that runs; later runs raise Interrupted at once."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stop.is_set()

    def close(self) -> None:
        """Let go of what is kept between runs; here nothing."""

    def run(self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> Run:
        """Run `python arguments` in the folder, output and errors together as a terminal would show them."""
        if self._stop.is_set():
            raise Interrupted
        command = [self.python, *arguments]
        if os.name == "posix":
            limits = self.limits
            numbers = (limits.memory, int(limits.seconds * 4) + 1, limits.file_size)
            command = [self.python, "-c", _LIMITER, *(str(number) for number in numbers), *command]
        started = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=self.environment(folder, environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                stopped = self._wait(process, output.fileno(), started)
            finally:
                _end(process)
            output.seek(0)
            data = output.read(self.limits.output)
        return Run(process.returncode, data, time.monotonic() - started, stopped)

    def _wait(self, process: subprocess.Popen[bytes], output: int, started: float) -> str:
        while process.poll() is None:
            if self._stop.is_set():
                _end(process)
                raise Interrupted
            if time.monotonic() - started > self.limits.seconds:
                return f"stopped after {self.limits.seconds:g} s"
            if os.fstat(output).st_size > self.limits.output:
                return f"stopped after {self.limits.output >> 20} MB of output"
            time.sleep(_POLL_SECONDS)
        return ""

    def environment(self, folder: Path, own: Mapping[str, str]) -> dict[str, str]:
        """What a program sees of the environment: where to find things, its own settings, nothing private."""
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= {
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        if not self.devices:
            environment["CUDA_VISIBLE_DEVICES"] = ""
        environment |= own
        compiler = environment.get("CXX", "")
        if compiler.startswith("./"):
            environment["CXX"] = str(folder / compiler)
        return environment


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and everything that it has started."""
    if os.name == "posix":
        # Neither is an error: the whole group has ended already.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def version_of(python: str, package: str = "torch") -> str | None:
    """The version of a package in another interpreter, read from its metadata; None where it is not installed."""
    code = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
    try:
        found = subprocess.run([python, "-c", code, package], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip().partition("+")[0] or None if found.returncode == 0 else None


def why_no_cuda(python: str) -> str:
    """Why programs of another interpreter cannot use CUDA; empty where they can."""
    code = (
        "import torch; n = torch.cuda.device_count() if torch.cuda.is_available() else 0;"
        "print(n, torch.version.cuda or getattr(torch.version, 'hip', None) or '')"
    )
    try:
        found = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{python} cannot be asked for its devices: {error}"
    devices, _, built_for = found.stdout.strip().partition(" ")
    if found.returncode != 0 or not devices.isdigit():
        return f"{python} cannot import torch"
    if devices != "0":
        return ""
    build = f"it is built for CUDA {built_for}" if built_for else "it is a build without CUDA"
    return f"torch finds no CUDA device here ({build})"


def folders_of(python: str) -> dict[str, str]:
    """Where another interpreter keeps its libraries, to make paths in its output neutral."""
    code = "import json, sys, sysconfig as s; print(json.dumps([*map(s.get_path, ('purelib', 'stdlib')), sys.prefix]))"
    try:
        found = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    purelib, stdlib, prefix = json.loads(found.stdout)
    version = Path(stdlib).name
    return {
        purelib: f"/opt/venv/lib/{version}/site-packages",
        stdlib: f"/usr/lib/{version}",
        prefix: "/opt/venv",
    }
