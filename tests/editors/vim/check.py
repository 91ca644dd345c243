"""Every feature of the server that ALE can show in Vim.

FOLDER=workspace; HOME holds the configuration. Exits 0 when everything was seen.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from terminal import BAD, ENTER, ESCAPE, LIMIT, SHAPE, Terminal, UnexpectedError, run

NOTE, MISMATCH = f"{LIMIT}: Setting torch._dynamo.config.recompile_limit = 0", f"{SHAPE}: Matrix shapes do not fit"


class Vim(Terminal):
    """Vim and its commands."""

    def command(self, text: str) -> None:
        """Type a command."""
        self.keys(ESCAPE, ":", text, ENTER)

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file of the workspace, written first when its text is given, with the list of its problems below."""
        self.write(name, text)
        self.command("silent! only!")
        self.command(f"edit! {name}")
        self.until(f"{name} is open", lambda: name in self.status)

    def listed(self, *places: str) -> None:
        """Wait until the list of problems has just these beginnings."""
        out = self.folder / "list"
        script = "join(map(getloclist(0), {_, i -> i.lnum . ':' . i.col . ' ' . i.type . ' ' . i.text}), \"\\n\")"

        def good() -> bool:
            self.command(f"silent call writefile(split({script}, \"\\n\"), 'list')")
            lines = out.read_text().splitlines() if out.exists() else []
            return len(lines) == len(places) and all(map(str.startswith, lines, places))

        self.until(f"never listed: {places}", good)


def finding(vim: Vim) -> None:
    vim.listed(f"3:1 W {NOTE}")
    vim.command("3")
    vim.until("its message in the last line", lambda: "recompile_limit = 0 to disable the limit" in vim.told)


def typing(vim: Vim) -> None:
    vim.open("typed.py", BAD)
    vim.listed(f"3:1 W {NOTE}")
    vim.keys(ESCAPE, "3G$", "r8")
    vim.listed()
    vim.keys(ESCAPE, "3G$", "r0", "ggO", "# above", ESCAPE)
    vim.listed(f"4:1 W {NOTE}")


def card(vim: Vim) -> None:
    vim.open("bad.py")
    vim.listed(f"3:1 W {NOTE}")
    vim.command("call cursor(3, 10)")
    vim.command("ALEHover")
    vim.shows("What to do: Delete the limit of 0")


def card_in_a_log(vim: Vim) -> None:
    vim.open("classifier.log")
    vim.listed(f"23:15 E {MISMATCH}")
    vim.command("call cursor(11, 5)")
    vim.command("ALEHover")
    vim.shows("classifier.py:13")
    vim.shows("> 13 return self.out(self.hidden(x).relu())")


def quick_fix(vim: Vim) -> None:
    vim.open("fixed.py", BAD)
    vim.listed(f"3:1 W {NOTE}")
    vim.command("call cursor(3, 10)")
    vim.command("ALECodeAction")
    vim.shows("1) Detour: Delete the limit of 0 (needs a look)")
    if vim.text.rindex("Detour:ignore" + LIMIT) < vim.text.rindex("Detour:Deletethelimit"):
        raise UnexpectedError("ignore is not the last one")
    vim.keys("1", ENTER)
    vim.listed()
    vim.command("write")
    vim.holds("fixed.py", "import torch\n\nprint(torch.compile)\n")


def definition(vim: Vim) -> None:
    vim.open("classifier.log")
    vim.listed(f"23:15 E {MISMATCH}")
    vim.command("call cursor(2, 10)")
    vim.command("ALEGoToDefinition")
    vim.is_at("classifier.py", 15)
    vim.listed(f"13:9 E {MISMATCH}")


def run_in_a_shell(vim: Vim) -> None:
    vim.open("classifier.py", (vim.folder / "classifier.py").read_text())
    vim.command("write")
    (vim.folder / "train.sh").write_text("cat classifier.log\nexit 3\n")
    vim.command("silent !detour run -- sh train.sh >/dev/null 2>&1")
    vim.command("redraw!")
    vim.listed(f"13:9 E {MISMATCH}")


def line_ends(vim: Vim) -> None:
    # Not behind letters outside of ASCII: ALE takes units of UTF-16 for bytes.
    vim.open("crlf.py", "import torch\r\nx = 1; torch._dynamo.config.recompile_limit = 0\r\nprint(x)\r\n")
    vim.listed(f"2:8 W {NOTE}")
    vim.command("call cursor(2, 20)")
    vim.command("ALECodeAction")
    vim.shows("1) Detour: Delete the limit of 0 (needs a look)")
    vim.keys("1", ENTER)
    vim.listed()
    vim.command("write")
    vim.holds("crlf.py", "import torch\r\nx = 1\r\nprint(x)\r\n")


TESTS = {
    "the configuration of the guide lists a finding and tells it on its line": finding,
    "findings come, move and go while one types": typing,
    "the card of a finding": card,
    "the card in a traceback, and the source of a frame": card_in_a_log,
    "quick fixes best first and 'ignore here' last; one is taken": quick_fix,
    "from a frame of a log to the line of the code, which is marked too": definition,
    "`detour run` in any shell tells the editor": run_in_a_shell,
    "a file with CRLF": line_ends,
}

if __name__ == "__main__":
    vim = Vim(Path(os.environ["FOLDER"]).resolve(), ["vim", "bad.py"])
    sys.exit(run(vim, TESTS, [ESCAPE, ":", "quitall!", ENTER]))
