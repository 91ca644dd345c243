"""Which files of a folder are logs, judged by name: those of slurm, torchrun, wandb, nohup, and the like.

A file that somebody names is always read; a folder is walked for these.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

#: `train.log`, `slurm-17.out`, `job.e123`, `train.log.1`, `run.log.gz`, `stderr`, `nohup.out`, notebooks.
_LOG_NAME = re.compile(
    r"""(?: .+\.(?:log|out|err|txt|stdout|stderr|ipynb|[oe]\d+)
          | (?:.*[._-])?(?:stdout|stderr|log|logs)(?:[._-]?\d+)?
        )
        (?:[.-]\d{1,14}|\.old|\.bak|\.prev)?
        (?:\.(?:gz|zst|zstd))?
        $""",
    re.VERBOSE | re.IGNORECASE,
)
#: Text files that come with code and never hold what a run printed.
_NOT_LOG = re.compile(
    r"(?:requirements|constraints|license|licence|notice|readme|cmakelists|vocab|merges|robots"
    r"|top_level|entry_points|installed-files|sources|dependency_links).*\.txt$",
    re.IGNORECASE,
)
_ROTATED = re.compile(r"^(?P<base>.+?)(?:[.-]\d{1,14}|\.old|\.bak|\.prev)(?:\.(?:gz|zst|zstd))?$")
#: Folders that hold no logs of the user's.
SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", "site-packages", ".tox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints", ".cache"}
)  # fmt: skip


def is_log_name(name: str) -> bool:
    """Whether a file found in a folder is taken for a log."""
    return _LOG_NAME.fullmatch(name) is not None and _NOT_LOG.fullmatch(name) is None


def rotated_base(name: str) -> str | None:
    """`train.log` for `train.log.1` or `train.log-20261130`: the name that a rotated file had; None for other names."""
    match = _ROTATED.fullmatch(name)
    return match["base"] if match and is_log_name(match["base"]) else None


def is_compressed(name: str) -> bool:
    """Whether the name says gzip or zstd."""
    return name.lower().endswith((".gz", ".zst", ".zstd"))


def logs_in(folder: str) -> Iterator[str]:
    """The logs below a folder in a fixed order; links to folders are not followed, so there are no circles."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        # Not ours to read; what can be read is still scanned.
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED_FOLDERS:
                yield from logs_in(entry.path)
        elif is_log_name(entry.name) and entry.is_file():
            yield entry.path
