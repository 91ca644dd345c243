"""Every feature of the server that Helix can show, in a pseudo-terminal that pyte (PyPI) reads as a person would.

HX=command of Helix, FOLDER=workspace; HOME holds its configuration. Exits 0 when everything was seen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte

ROWS, COLUMNS, SECONDS = 50, 180, 20.0
LIMIT, SHAPE = "pytorch/compile-recompilation-limit", "pytorch/matmul-shape-mismatch"
BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint(torch.compile)\n"
NOTE = "to disable the limit: A limit of 0"
ESCAPE, ENTER, BACKSPACE, PREVIOUS = "\x1b", "\r", "\x7f", "\x10"


class UnexpectedError(Exception):
    """The screen or a file is not as it should be."""


class Screen(pyte.Screen):
    """pyte's screen, which does not expect to be asked for the colour scheme."""

    def report_device_status(self, mode: int = 0, **_private: bool) -> None:
        super().report_device_status(mode)


class Helix:
    """One Helix and the screen that it draws."""

    def __init__(self, folder: Path, file: str) -> None:
        self.folder = folder
        self.screen = Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            environment.pop("XDG_CONFIG_HOME", None)
            command = [*shlex.split(os.environ["HX"]), file]
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds: float) -> None:
        """Draw what Helix sends, until it has been quiet for so long."""
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

    def insert(self, command: str, text: str) -> None:
        """Insert a text key by key; keys that come at once are told to the server in any order (Helix 25.01)."""
        self.keys(ESCAPE, command, *text, ESCAPE)

    def command(self, text: str) -> None:
        """Type a command and leave what it may have left open."""
        self.keys(ESCAPE, ":", text, ENTER)

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file of the workspace, written first when its text is given."""
        if text is not None:
            (self.folder / name).write_bytes(text.encode())
        self.command(f"open {name}")
        self.until(f"{name} is open", lambda: name in self.status)

    def go(self, line: int, column: int = 1) -> None:
        """Put the cursor somewhere."""
        self.keys(ESCAPE, f"{line}gggh", f"{column - 1}l" if column > 1 else "")

    @property
    def status(self) -> str:
        """The status line: mode, file and position."""
        return self.screen.display[ROWS - 2]

    @property
    def text(self) -> str:
        """The screen without blanks, since long lines are wrapped."""
        return "".join("".join(row.split()) for row in self.screen.display[: ROWS - 2])

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


def finding(helix: Helix) -> None:
    helix.shows("A limit of 0 or below loops nowhere: it compiles nothing.")
    helix.keys(" d")
    helix.shows(LIMIT)
    helix.keys(ESCAPE)


def typing(helix: Helix) -> None:
    helix.open("typed.py", BAD)
    helix.shows(NOTE)
    helix.go(3)
    helix.keys("A", BACKSPACE, *"64")
    helix.hides(NOTE)
    helix.keys(BACKSPACE, BACKSPACE, "0", ESCAPE)
    helix.shows(NOTE)


def card(helix: Helix) -> None:
    helix.open("bad.py")
    helix.shows(NOTE)
    helix.go(3, 10)
    helix.keys(" k")
    helix.shows("What to do: Delete the limit of 0")


def card_in_a_log(helix: Helix) -> None:
    helix.open("classifier.log")
    helix.shows("mat1 and mat2 shapes cannot be multiplied (2x144 and 100x32)")
    helix.go(11, 5)
    helix.until("marked", lambda: "Matrixshapesdonotfit" in helix.text)
    helix.keys(" k")
    helix.shows("classifier.py:13")
    helix.shows("> 13 return self.out(self.hidden(x).relu())")


def quick_fix(helix: Helix) -> None:
    helix.open("fixed.py", BAD)
    helix.shows(NOTE)
    helix.go(3, 10)
    helix.keys(" a")
    helix.shows("Detour: Delete the limit of 0 (needs a look)")
    shown = helix.text
    ours = shown.rindex("Detour:ignore" + LIMIT)
    if shown.rindex("Detour:Deletethelimit") > ours:
        raise UnexpectedError("ignore is not the last one")
    helix.keys(ENTER)
    helix.hides(NOTE)
    helix.command("write")
    helix.until("on disk", lambda: (helix.folder / "fixed.py").read_text() == "import torch\n\nprint(torch.compile)\n")


def ignore(helix: Helix) -> None:
    helix.open("ignored.py", BAD)
    helix.shows(NOTE)
    helix.go(3, 10)
    helix.keys(" a")
    helix.shows("Detour: Delete the limit of 0 (needs a look)")
    helix.keys(PREVIOUS, ENTER)
    helix.hides(NOTE)
    helix.shows(f"torch._dynamo.config.recompile_limit = 0  # detour: ignore[{LIMIT}]")


def fix_from_a_log(helix: Helix) -> None:
    helix.open("train.log")
    helix.shows("Recompile limit reached")
    helix.go(1, 90)
    helix.keys(" a")
    helix.shows("Detour: ")
    helix.keys(ENTER)
    helix.read(0.3)
    helix.command("write-all")
    program = helix.folder / "repro_dynamic_false.py"
    helix.until("on disk", lambda: '@torch.compile(backend="eager", dynamic=True)' in program.read_text())


def definition(helix: Helix) -> None:
    helix.open("classifier.log")
    helix.until("marked", lambda: "Matrixshapesdonotfit" in helix.text)
    helix.go(2, 4)
    helix.keys("gd")
    helix.is_at("classifier.py", 15)
    helix.shows("Matrix shapes do not fit")
    helix.open("classifier.log")
    helix.go(23, 20)
    helix.keys("gd")
    helix.is_at("classifier.py", 13)


def outline(helix: Helix) -> None:
    helix.open("classifier.log")
    helix.until("marked", lambda: "Matrixshapesdonotfit" in helix.text)
    helix.go(20)
    helix.keys(" s")
    helix.until("a symbol", lambda: "1/1" in helix.text)
    helix.keys(ENTER)
    helix.is_at("classifier.log", 1)  # Helix goes to where the traceback begins.


def commands(helix: Helix) -> None:
    helix.open("classifier.log")
    helix.until("marked", lambda: "Matrixshapesdonotfit" in helix.text)
    helix.command("lsp-workspace-command detour.clear")
    helix.until("cleared", lambda: "Matrixshapesdonotfit" not in helix.text)


def run_in_a_shell(helix: Helix) -> None:
    helix.open("classifier.py")
    helix.hides("Matrix shapes do not fit")
    (helix.folder / "train.sh").write_text("cat classifier.log\nexit 3\n")
    helix.command("run-shell-command detour run -- sh train.sh")
    helix.shows("What happened")  # Helix shows what the command printed: the card stands below it.
    helix.keys(ESCAPE)
    helix.hides("What happened")
    helix.shows("Matrix shapes do not fit")
    helix.open("bad.py")


def followed(helix: Helix) -> None:
    helix.command("lsp-workspace-command detour.clear")
    helix.open("classifier.py")
    helix.hides("Matrix shapes do not fit")
    log = helix.folder / "runs/1/a.log"
    log.parent.mkdir(parents=True)
    log.write_text("epoch 1\n" + (helix.folder / "classifier.log").read_text())
    helix.shows("Matrix shapes do not fit")
    log.write_text("epoch 1\n")
    helix.hides("Matrix shapes do not fit")


def columns(helix: Helix) -> None:
    helix.open("crlf.py", "import torch\r\nx = '𝒳é'; torch._dynamo.config.recompile_limit = 0\r\nprint(x)\r\n")
    helix.shows(NOTE)
    helix.insert("ggO", "y = '𝒳'")
    helix.shows(NOTE)
    helix.go(3, 20)
    helix.keys(" a")
    helix.shows("Detour: Delete the limit of 0 (needs a look)")
    helix.keys(ENTER)
    helix.hides(NOTE)
    helix.command("write")
    wanted = "y = '𝒳'\r\nimport torch\r\nx = '𝒳é'\r\nprint(x)\r\n".encode()
    helix.until("on disk", lambda: (helix.folder / "crlf.py").read_bytes() == wanted)


def restart(helix: Helix) -> None:
    helix.open("bad.py")
    helix.shows(NOTE)
    helix.command("lsp-stop")
    helix.hides(NOTE)
    helix.command("lsp-restart")
    helix.shows(NOTE)


TESTS = {
    "the configuration of the guide shows a finding behind its line and in the list": finding,
    "findings come and go while one types": typing,
    "the card of a finding": card,
    "the card in a traceback, and the source of a frame": card_in_a_log,
    "quick fixes best first and 'ignore here' last; one is taken": quick_fix,
    "'ignore here' silences the line": ignore,
    "a fix that is offered in a log changes the program": fix_from_a_log,
    "from a frame of a log to the line of the code, which is marked too": definition,
    "the outline of a log": outline,
    "the command detour.clear": commands,
    "`detour run` in any shell tells the editor": run_in_a_shell,
    "logs that appear are followed where the setting of the guide names them": followed,
    "columns behind letters outside of Latin, in a file with CRLF": columns,
    "after a restart all is there again": restart,
}


def main() -> int:
    helix = Helix(Path(os.environ["FOLDER"]).resolve(), "bad.py")
    failed = 0
    for name, test in TESTS.items():
        try:
            test(helix)
            told = helix.screen.display[ROWS - 1].strip()
            if re.search(r"(?i)error|panic|failed|unsupported", told):
                raise UnexpectedError(f"told: {told}")
        except UnexpectedError as error:
            failed += 1
            print(f"FAIL {name}\n{error}", flush=True)
        else:
            print(f"ok   {name}", flush=True)
        helix.keys(ESCAPE, ESCAPE)
    helix.command("quit-all!")
    _, status = os.waitpid(helix.process, 0)
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed or status else 0


if __name__ == "__main__":
    sys.exit(main())
