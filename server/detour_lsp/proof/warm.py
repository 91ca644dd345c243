"""Runs programs in children of a process that has imported torch already: seconds less for each of hundreds of runs.

Over 102 programs the output of such a child differed from that of a process of its own for two, both in anomaly mode.
Programs that look at how they were started (arguments, environment, workers) always get a process of their own.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from detour_lsp.proof.running import Interrupted, Limits, Run, Runner

#: Waits for jobs, one JSON object a line, and forks a child for each; the child becomes `__main__` of the program.
_KEEPER = """
import importlib, json, os, resource, signal, sys, time, types, warnings
for name in sys.argv[1:]:
    importlib.import_module(name)
answers = os.fdopen(os.dup(1), "w")
answers.write("ready\\n")
answers.flush()

def become(job):
    os.setsid()
    limits = {resource.RLIMIT_AS: job["memory"], resource.RLIMIT_FSIZE: job["file_size"], resource.RLIMIT_CORE: 0}
    for kind, limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (limit if hard < 0 else min(limit, hard), hard))
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    output = os.open(job["output"], os.O_WRONLY | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    path = os.path.join(job["folder"], job["program"])
    sys.argv = [job["program"]]
    sys.path[0] = job["folder"]
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    status = 0
    try:
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), main.__dict__)
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except BaseException as error:
        status = 1
        error.__traceback__ = error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
    import atexit, logging, threading
    threading._shutdown()
    atexit._run_exitfuncs()
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 255)

for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if child == 0:
        try:
            become(job)
        finally:
            os._exit(70)
    answers.write(json.dumps(child) + "\\n")
    answers.flush()
    status = os.waitpid(child, 0)[1]
    answers.write(json.dumps(os.waitstatus_to_exitcode(status)) + "\\n")
    answers.flush()
"""
#: What makes a program depend on how its process was started.
_PARTICULAR = re.compile(
    r"multiprocessing|\bspawn\b|fork|torch\.distributed|num_workers|os\.environ|os\._exit|os\.kill|subprocess|sys\.argv"
    r"|set_start_method|anomaly|resource\.|ctypes|signal|TORCH_|import_module"
    r"|^import (?!torch)\w+.*\n(?:.*\n)*?import torch",
    re.MULTILINE,
)


class _Keeper:
    """One process that keeps torch imported."""

    def __init__(self, python: str, modules: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [python, "-u", "-c", _KEEPER, *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            text=True,
            start_new_session=True,
        )
        if self._answer() != "ready":
            raise OSError(f"{python} cannot import {', '.join(modules)}")

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def begin(self, job: Mapping[str, object]) -> int:
        """Start a job; the id of its process."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return int(self._answer() or 0)

    def finish(self) -> int:
        """Wait for the job and return its exit status."""
        return int(self._answer() or -signal.SIGKILL)

    def end(self) -> None:
        """End the process."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class WarmRunner(Runner):
    """As `Runner`, with torch imported ahead for programs to which that makes no difference."""

    def __init__(
        self,
        python: str,
        limits: Limits | None = None,
        *,
        devices: bool = False,
        modules: Sequence[str] = ("torch", "torch._dynamo", "torch.utils.data"),
    ) -> None:
        super().__init__(python, limits, devices=devices)
        self._modules = modules
        self._idle: queue.SimpleQueue[_Keeper] = queue.SimpleQueue()
        self._all: list[_Keeper] = []

    def stop(self) -> None:
        """End everything."""
        super().stop()
        self.close()

    def close(self) -> None:
        """End the processes that keep torch imported."""
        for keeper in self._all:
            keeper.end()

    def run(self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> Run:
        """Run a program, warm where that makes no difference."""
        if self.stopping:
            raise Interrupted
        if environment or len(arguments) != 1 or not self._ordinary(folder / arguments[0]):
            return super().run(folder, arguments, environment)
        try:
            keeper = self._idle.get_nowait()
        except queue.Empty:
            keeper = _Keeper(self.python, self._modules, self.environment(folder, {}))
            self._all.append(keeper)
        started = time.monotonic()
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".output-") as output:
            job = {
                "folder": str(folder),
                "program": arguments[0],
                "output": output.name,
                "environment": self.environment(folder, {}),
                "memory": self.limits.memory,
                "file_size": self.limits.file_size,
            }
            child = keeper.begin(job)
            stopped = self._watch(child, Path(output.name), started)
            code = keeper.finish()
            _end_group(child)
            data = Path(output.name).read_bytes()[: self.limits.output]
        self._idle.put(keeper)
        if self.stopping:
            raise Interrupted
        return Run(code, data, time.monotonic() - started, stopped)

    def _ordinary(self, path: Path) -> bool:
        try:
            return path.suffix == ".py" and _PARTICULAR.search(path.read_text(encoding="utf-8")) is None
        except (OSError, UnicodeDecodeError):
            return False

    def _watch(self, child: int, output: Path, started: float) -> str:
        while _runs(child):
            if self.stopping:
                _end_group(child)
                return "interrupted"
            if time.monotonic() - started > self.limits.seconds:
                _end_group(child)
                return f"stopped after {self.limits.seconds:g} s"
            if output.stat().st_size > self.limits.output:
                _end_group(child)
                return f"stopped after {self.limits.output >> 20} MB of output"
            time.sleep(0.02)
        return ""


def _runs(child: int) -> bool:
    try:
        os.kill(child, 0)
    except ProcessLookupError:
        return False
    return True


def _end_group(child: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
