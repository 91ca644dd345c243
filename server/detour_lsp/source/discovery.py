"""Which files `detour check` reads: like ruff, it respects `.gitignore`, skips what is never one's own, and takes what
is named explicitly in any case.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = frozenset({".py", ".pyi", ".ipynb", ".pyw"})
#: Folders that hold other people's or made files, by ruff's list.
DEFAULT_EXCLUDE = (
    ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d",
    ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode", "__pycache__",
    "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip
_IGNORE_FILES = (".gitignore", ".ignore")
#: What pathspec would choose, hyperscan, needs longer to compile a few patterns than to walk a thousand files.
_BACKEND = "simple"


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns of one ignore file, and the folder that they are relative to."""

    folder: str
    spec: GitIgnoreSpec

    def match(self, path: str, *, folder: bool) -> bool | None:
        """True: ignored, False: expressly kept, None: not mentioned."""
        relative = os.path.relpath(path, self.folder).replace(os.sep, "/")
        return self.spec.check_file(f"{relative}/" if folder else relative).include

    def letting(self, path: str) -> _Rules:
        """Without the patterns that ignore a folder: whoever names it wants to see what is in it."""
        from pathspec import GitIgnoreSpec

        relative = f"{os.path.relpath(os.path.realpath(path), self.folder).replace(os.sep, '/')}/"
        kept = [pattern for pattern in self.spec.patterns if not (pattern.include and pattern.match_file(relative))]
        return _Rules(self.folder, GitIgnoreSpec(kept, backend=_BACKEND))


def python_files(
    paths: Iterable[str | Path], exclude: Sequence[str] = DEFAULT_EXCLUDE, *, respect_gitignore: bool = True
) -> Iterator[Path]:
    """The Python files and notebooks at and below `paths`, in order; what is named itself always counts."""
    seen: set[str] = set()
    for name in paths:
        path = str(name)
        if os.path.isfile(path):
            found: Iterable[str] = (path,)
        else:
            rules = tuple(rule.letting(path) for rule in _rules_above(path)) if respect_gitignore else ()
            found = _walk(path, path, exclude, rules, respect_gitignore=respect_gitignore)
        for file in found:
            key = os.path.abspath(file)
            if key not in seen:
                seen.add(key)
                yield Path(file)


def _walk(
    root: str, folder: str, exclude: Sequence[str], rules: tuple[_Rules, ...], *, respect_gitignore: bool
) -> Iterator[str]:
    stack: list[tuple[str, tuple[_Rules, ...]]] = [(folder, rules)]
    exclusions = _Exclusions(exclude)
    while stack:
        current, above = stack.pop()
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError:
            # A folder that cannot be read is like one that is empty: the rest of the tree still counts.
            continue
        here = (*above, *_rules_in(current)) if respect_gitignore else above
        folders: list[tuple[str, tuple[_Rules, ...]]] = []
        for entry in entries:
            # Links are not followed: they may lead in circles, and their targets are found where they are.
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and os.path.splitext(entry.name)[1].lower() not in SUFFIXES:
                continue
            if exclusions.hold(root, entry.path, entry.name) or _ignored(entry.path, here, folder=is_folder):
                continue
            if is_folder:
                folders.append((entry.path, here))
            elif entry.is_file():
                yield entry.path
        stack.extend(reversed(folders))


class _Exclusions:
    """Patterns that name entries: by their own name, or by their path below the root."""

    def __init__(self, patterns: Sequence[str]) -> None:
        plain = [pattern for pattern in patterns if not set(pattern) & set("*?[/")]
        rest = [pattern for pattern in patterns if pattern not in plain]
        self._names = frozenset(plain)
        self._patterns = [
            (fnmatch.translate(pattern), fnmatch.translate(pattern.removeprefix("./").rstrip("/"))) for pattern in rest
        ]
        self._name = re.compile("|".join(name for name, _ in self._patterns)) if rest else None
        self._path = re.compile("|".join(path for _, path in self._patterns)) if rest else None

    def hold(self, root: str, path: str, name: str) -> bool:
        """Whether an entry is left out."""
        if name in self._names or (self._name is not None and self._name.match(name) is not None):
            return True
        if self._path is None:
            return False
        relative = path[len(root) :] if path.startswith(root) else os.path.relpath(path, root)
        return self._path.match(relative.replace(os.sep, "/").lstrip("/")) is not None


def _ignored(path: str, rules: Sequence[_Rules], *, folder: bool) -> bool:
    for rule in reversed(rules):
        answer = rule.match(path, folder=folder)
        if answer is not None:
            return answer
    return False


def _rules_in(folder: str) -> list[_Rules]:
    found: list[_Rules] = []
    for name in _IGNORE_FILES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            spec = _read(path)
            if spec is not None:
                found.append(_Rules(folder, spec))
    return found


def _read(path: str) -> GitIgnoreSpec | None:
    # Here, because half of the commands want the defaults above and no ignore file.
    from pathspec import GitIgnoreSpec

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    kept: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line], backend=_BACKEND)
        except ValueError:
            # git skips a pattern that it cannot read, too.
            continue
        kept.append(line)
    return GitIgnoreSpec.from_lines(kept, backend=_BACKEND)


def _rules_above(folder: str) -> tuple[_Rules, ...]:
    """The rules of the folders above, up to the root of the repository; none outside of a repository."""
    start = Path(folder).resolve()
    chain: list[Path] = []
    for above in (start, *start.parents):
        if above is not start:
            chain.append(above)
        if (above / ".git").exists():
            break
    else:
        return ()
    rules = [rule for above in reversed(chain) for rule in _rules_in(str(above))]
    info = (chain[-1] if chain else start) / ".git" / "info" / "exclude"
    spec = _read(str(info)) if info.is_file() else None
    if spec is not None:
        rules.insert(0, _Rules(str(info.parent.parent.parent), spec))
    return tuple(rules)
