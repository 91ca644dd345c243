"""Helix in a pseudo-terminal against the real server. Needs pyte (PyPI), which reads what Helix draws.

HX=command of Helix, DETOUR=command of the server, FOLDER=workspace; exits 0 when everything was seen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import struct
import sys
import termios
import time
from pathlib import Path

import pyte

ROWS, COLUMNS, SECONDS = 50, 180, 60.0
CONFIGURATION = """
[language-server.detour]
command = "{detour}"
args = ["server"]

[[language]]
name = "python"
language-servers = ["detour"]

[[language]]
name = "log"
scope = "text.log"
file-types = ["log", "out", "err"]
language-servers = ["detour"]
"""


class Helix:
    """One Helix and the screen that it draws."""

    def __init__(self, folder: Path, file: str) -> None:
        home = folder.parent / "home"
        (home / ".config/helix").mkdir(parents=True)
        text = CONFIGURATION.format(detour=os.environ["DETOUR"])
        (home / ".config/helix/languages.toml").write_text(text)
        (home / ".config/helix/config.toml").write_text(
            '[editor]\nend-of-line-diagnostics = "hint"\n[editor.inline-diagnostics]\ncursor-line = "warning"\n'
        )
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            environment.pop("XDG_CONFIG_HOME", None)
            command = [*shlex.split(os.environ["HX"]), file]
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds: float) -> None:
        """Draw what Helix sends for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    self.stream.feed(os.read(self.terminal, 65536))
                except OSError:
                    return

    def keys(self, text: str) -> None:
        """Press keys one after the other."""
        for key in text:
            os.write(self.terminal, key.encode())
            self.read(0.1)

    def shows(self, text: str) -> bool:
        """Whether the screen comes to show a text; long lines are wrapped, so blanks do not count."""
        end = time.monotonic() + SECONDS
        wanted = "".join(text.split())
        while time.monotonic() < end:
            if wanted in "".join("".join(row.split()) for row in self.screen.display):
                return True
            self.read(0.2)
        return False


def main() -> int:
    folder = Path(os.environ["FOLDER"])
    failed = passed = 0

    def check(what: str, ok: bool) -> None:
        nonlocal failed, passed
        passed, failed = passed + ok, failed + (not ok)
        print("ok  " if ok else "FAIL", what, flush=True)
        if not ok:
            print("\n".join(row.rstrip() for row in helix.screen.display if row.strip()), flush=True)

    helix = Helix(folder, "bad.py")
    check("finding at the end of its line", helix.shows("recompile_limit = 0 to disable the limit"))
    helix.keys("3gg")
    helix.keys(" k")
    check("the card in the hover window", helix.shows("compiles nothing"))
    helix.keys("\x1b")
    helix.keys(" a")
    check("quick fix in the menu, ignore last", helix.shows("ignore pytorch/compile-recompilation-limit here"))
    helix.keys("\r\r")
    helix.read(2)
    helix.keys(":w\r")
    end = time.monotonic() + SECONDS
    while "recompile_limit" in (folder / "bad.py").read_text() and time.monotonic() < end:
        helix.read(0.3)
    check("quick fix takes the setting out", "recompile_limit" not in (folder / "bad.py").read_text())
    helix.keys(":open train.log\r")
    check("incident in the log", helix.shows("Recompile limit") or helix.shows("recompile_limit reached"))
    helix.keys(":open repro_dynamic_false.py\r")
    helix.keys(" d")
    check("incident on the line that raised it", helix.shows("pytorch/compile-recompilation-limit"))
    helix.keys("\x1b\x1b:quit-all!\r")
    helix.read(1)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
