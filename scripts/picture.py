"""Makes docs/images/demo.svg: the commands of the README on the shipped run, as a terminal shows them.

    .venv/bin/python scripts/picture.py

The text is what the product printed just now; nothing of it is drawn by hand.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "seeds/pytorch/torch-compile-graph-break-unsupported-op"
WIDTH = 110
#: The card is longer than a picture should be; its page has the rest.
CARD_LINES = 24


def main() -> int:
    """Write the picture."""
    console = Console(width=WIDTH, record=True, file=StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copy(RECORD / "repro.py", work / "repro.py")
        shutil.copy(RECORD / "logs/torch-2.13.0.txt", work / "train.log")
        for arguments, limit in (
            (["scan", "train.log"], None),
            (["explain", "pytorch/torch-compile-graph-break-unsupported-op"], CARD_LINES),
            (["fix", "train.log", "--unsafe-fixes"], None),
        ):
            environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "DETOUR_LANG": "en"}
            command = [sys.executable, "-m", "detour_lsp", *arguments]
            done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
            console.print(Text.assemble(("$ ", "bold green"), (f"detour {' '.join(arguments)}", "bold")))
            lines = (done.stderr + done.stdout).splitlines()
            for line in lines[:limit]:
                console.print(Text.from_ansi(line), soft_wrap=False)
            if limit and len(lines) > limit:
                console.print(Text("  ... dead ends, what works, versions, related errors, sources", style="dim"))
            console.print()
    target = ROOT / "docs/images/demo.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    picture = console.export_svg(title="detour", unique_id="detour")
    # The fonts of its own are on a server elsewhere: whoever looks at the picture has one of fixed width.
    target.write_text(re.sub(r"\s*@font-face \{[^}]*\}", "", picture), encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
