"""What makes two command lines runs of the same thing: then the second one ends what the first one told."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

_SCRIPT = re.compile(r"(?:^|[/\\ ])([\w.-]+\.(?:py|ipynb|sh))$")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_SEPARATORS = frozenset({"&&", "||", ";", "|", "&"})
#: Programs that run the script they are given, whichever of them it is. Any other may only look at it, as an editor or
#: `git diff` does, and so is a command of its own.
_RUNNER = re.compile(
    r"(?:accelerate|bash|command|conda|coverage|debugpy|deepspeed|detour|env|exec|hatch|horovodrun|i?python|jupyter|"
    r"mamba|micromamba|mpiexec|mpirun|nice|nohup|pdm|pipenv|pixi|poetry|py|pypy|sh|srun|stdbuf|sudo|time|torchrun|uvx?|"
    r"xvfb-run|zsh)[\d.]*w?(?:\.exe)?",
    re.IGNORECASE,
)


def command_identity(command: str, folder: str | None) -> str:
    """The same text for two runs of one script (arguments vary) by one program; else all words of the command."""
    try:
        words = shlex.split(command, posix=True)
    except ValueError:
        words = command.split()
    program: str | None = None
    for index, word in enumerate(words):
        if word in _SEPARATORS:
            program = None
            continue
        if word == "-m" and index + 1 < len(words) and not words[index + 1].startswith("torch.distributed"):
            return f"{folder or ''}\x1f-m {words[index + 1]}"
        if _SCRIPT.search(word):
            by = "" if program is None or _runs(program) else f"{program} "
            return f"{folder or ''}\x1f{by}{Path(word).as_posix()}"
        if program is None and not _ASSIGNMENT.match(word):
            program = word
        if word.endswith(";"):
            program = None
    return f"{folder or ''}\x1f{' '.join(words)}"


def _runs(program: str) -> bool:
    return _RUNNER.fullmatch(re.split(r"[/\\]", program)[-1]) is not None
