"""Every feature of the server that Helix can show.

HX=command of Helix, FOLDER=workspace; HOME holds its configuration. Exits 0 when everything was seen.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from terminal import BACKSPACE, BAD, ENTER, ESCAPE, LIMIT, PREVIOUS, Terminal, UnexpectedError, run

NOTE = "to disable the limit: A limit of 0"


class Helix(Terminal):
    """Helix and its commands."""

    def insert(self, command: str, text: str) -> None:
        """Insert a text key by key; keys that come at once are told to the server in any order (Helix 25.01)."""
        self.keys(ESCAPE, command, *text, ESCAPE)

    def command(self, text: str) -> None:
        """Type a command."""
        self.keys(ESCAPE, ":", text, ENTER)

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file of the workspace, written first when its text is given."""
        self.write(name, text)
        self.command(f"open {name}")
        self.until(f"{name} is open", lambda: name in self.status)

    def go(self, line: int, column: int = 1) -> None:
        """Put the cursor somewhere."""
        self.keys(ESCAPE, f"{line}gggh", f"{column - 1}l" if column > 1 else "")


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
    helix.holds("fixed.py", "import torch\n\nprint(torch.compile)\n")


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
    helix.holds("crlf.py", "y = '𝒳'\r\nimport torch\r\nx = '𝒳é'\r\nprint(x)\r\n")


def settings(helix: Helix) -> None:
    languages = Path(os.environ["HOME"]) / ".config/helix/languages.toml"
    before = languages.read_text()
    assert "config = { detour = {" in before
    helix.open("bad.py")
    helix.shows(NOTE)
    languages.write_text(before.replace("config = { detour = {", "config = { detour = { check = { enable = false },"))
    helix.command("config-reload")
    helix.command("lsp-restart")
    helix.hides(NOTE)
    # Not only while it starts: in a log its marks are there again.
    helix.open("classifier.log")
    helix.shows("Matrix shapes do not fit")
    helix.open("bad.py")
    helix.hides(NOTE)
    languages.write_text(before)


def restart(helix: Helix) -> None:
    helix.command("config-reload")
    helix.command("lsp-stop")
    helix.command("lsp-restart")
    helix.open("bad.py")
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
    "other settings of the server": settings,
    "after a restart all is there again": restart,
}


if __name__ == "__main__":
    helix = Helix(Path(os.environ["FOLDER"]).resolve(), [os.environ["HX"], "bad.py"])
    sys.exit(run(helix, TESTS, [ESCAPE, ":", "quit-all!", ENTER]))
