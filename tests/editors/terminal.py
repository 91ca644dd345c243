"""An editor in a pseudo-terminal whose screen pyte (PyPI) reads as a person would."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pyte

ROWS, COLUMNS, SECONDS = 50, 180, 20.0
ESCAPE, ENTER, BACKSPACE, PREVIOUS = "\x1b", "\r", "\x7f", "\x10"
LIMIT, SHAPE = "pytorch/compile-recompilation-limit", "pytorch/matmul-shape-mismatch"
BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint(torch.compile)\n"


class UnexpectedError(Exception):
    """The screen or a file is not as it should be."""


class Screen(pyte.Screen):
    """pyte's screen, which does not expect some questions and settings of today's editors."""

    def report_device_status(self, mode: int = 0, **_private: bool) -> None:
        super().report_device_status(mode)

    def select_graphic_rendition(self, *attributes: int, private: bool = False) -> None:
        if not private:  # Else it is about keys.
            super().select_graphic_rendition(*attributes)


class Terminal:
    """One editor and the screen that it draws."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self.folder = folder
        self.screen = Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            environment.pop("XDG_CONFIG_HOME", None)
            os.execvpe(command[0], list(command), environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds: float) -> None:
        """Draw what the editor sends, until it has been quiet for so long."""
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                self.stream.feed(os.read(self.terminal, 65536))
            except OSError:
                return

    def keys(self, *texts: str) -> None:
        """Press keys; Escape alone, since together with what follows it would be another key."""
        for text in texts:
            os.write(self.terminal, text.encode())
            self.read(0.04)

    def write(self, name: str, text: str | None) -> None:
        """Write a file of the workspace, when a text is given."""
        if text is not None:
            (self.folder / name).write_bytes(text.encode())

    @property
    def status(self) -> str:
        """The status line, with file and position."""
        return self.screen.display[ROWS - 2]

    @property
    def told(self) -> str:
        """The last line, where the editor tells things."""
        return self.screen.display[ROWS - 1].strip()

    @property
    def text(self) -> str:
        """The screen without blanks, since long lines are wrapped."""
        return "".join("".join(row.split()) for row in self.screen.display)

    def until(self, what: str, good: Callable[[], bool]) -> None:
        """Wait until something holds; else fail with the screen."""
        end = time.monotonic() + SECONDS
        while not good():
            if time.monotonic() > end:
                raise UnexpectedError(what + "\n" + "\n".join(row.rstrip() for row in self.screen.display))
            self.read(0.05)

    def shows(self, text: str) -> None:
        """Wait until the screen shows a text."""
        wanted = "".join(text.split())
        self.until(f"never shown: {text}", lambda: wanted in self.text)

    def hides(self, text: str) -> None:
        """Wait until the screen no longer shows a text."""
        wanted = "".join(text.split())
        self.until(f"still shown: {text}", lambda: wanted not in self.text)

    def is_at(self, name: str, line: int) -> None:
        """Wait until the status line names a place."""
        self.until(f"never at {name}:{line}", lambda: name in self.status and f" {line}:" in self.status)

    def holds(self, name: str, wanted: str) -> None:
        """Wait until a file of the workspace is as wanted."""
        path = self.folder / name
        self.until(f"{name} is {path.read_bytes()!r}", lambda: path.read_bytes() == wanted.encode())


T = TypeVar("T", bound=Terminal)


def run(editor: T, tests: Mapping[str, Callable[[T], None]], leave: Sequence[str]) -> int:
    """Run the tests, leave the editor with these keys, and say how it went; the exit status."""
    failed = 0
    for name, test in tests.items():
        try:
            test(editor)
            if re.search(r"(?i)error|panic|failed|unsupported", editor.told):
                raise UnexpectedError(f"told: {editor.told}")
        except UnexpectedError as error:
            failed += 1
            print(f"FAIL {name}\n{error}", flush=True)
        else:
            print(f"ok   {name}", flush=True)
        editor.keys(ESCAPE, ESCAPE)
    editor.keys(*leave)
    editor.read(0.5)
    _, status = os.waitpid(editor.process, 0)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed or status else 0
