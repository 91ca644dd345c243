"""Neovim's own client and Emacs eglot against the real server, where they are installed; `make test-editors` has more.

The other two clients of CI are pytest-lsp's, with the profile of VS Code and a bare one: tests/lsp.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
STACK = HERE.parents[1] / "client-vscode" / ".stack"
SERVER = Path(sys.executable).with_name("detour")
#: What an editor is asked, to see that it has a client for language servers.
ASKED = {
    "neovim": ["--headless", "-u", "NONE", "-c", "lua assert(vim.lsp.start_client)", "-c", "qall!"],
    "emacs": ["--batch", "--eval", "(progn (require 'package) (package-initialize) (require 'eglot))"],
}
#: Where `make test-editors` has put them, and the system's own.
PLACES = {
    "neovim": [STACK / "nvim/bin/nvim", STACK / "neovim-trixie/editor", "nvim"],
    "emacs": [STACK / "emacs-trixie/editor", "emacs"],
}


def found(name: str) -> list[str]:
    """The editors of a name that are here and know language servers."""
    paths = [path for path in map(shutil.which, map(str, PLACES[name])) if path is not None]
    return [path for path in paths if _answers([path, *ASKED[name]])]


def _answers(command: list[str]) -> bool:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    return done.returncode == 0 and "Error" not in done.stderr


@pytest.mark.editor
@pytest.mark.skipif(not SERVER.exists() or shutil.which("script") is None, reason="needs the command and a terminal")
@pytest.mark.parametrize("name", list(PLACES))
def test_every_feature_through_the_editors_own_client(name: str, tmp_path: Path) -> None:
    editors = found(name)
    if not editors:
        pytest.skip(f"no {name} that knows language servers; `make test-editors` installs it")
    env = {**os.environ, "DETOUR": str(SERVER), "DETOUR_CACHE_DIR": str(tmp_path / "cache")}
    command = ["bash", str(HERE / name / "run.sh"), *editors]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=200 * len(editors))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 failed") == len(editors)
