"""Which test is about which messages, in which profiles; `python -m tests.lsp.matrix` writes README.md from it.

A test of the matrix says so with `@feature("textDocument/hover", ...)` and gets a client of every profile. What it
names it must have used: the fixture `client` looks.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from .profiles import PROFILES, Profile

HERE = Path(__file__).parent
README = HERE / "README.md"
F = TypeVar("F", bound=Callable[..., Any])


def feature(*messages: str) -> Callable[[F], F]:
    """Mark a test as one of the matrix, about some methods and commands."""

    def mark(test: F) -> F:
        test.covers = frozenset(messages)  # type: ignore[attr-defined]
        return test

    return mark


#: For tests that start a server of their own, in each profile.
EVERY_PROFILE = pytest.mark.parametrize("profile", list(PROFILES))
#: Tests of the matrix share servers, and so their event loop; what pytest-lsp finds against LSP is an error.
MATRIX = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning"),
]


def covered(test: Any, profile: Profile) -> set[str]:
    """The methods and commands that a test is about in a profile: only a client with notebooks speaks of them."""
    messages: frozenset[str] = getattr(test, "covers", frozenset())
    return {message for message in messages if profile.notebooks or not message.startswith("notebookDocument/")}


@dataclass(frozen=True)
class Row:
    """A test of the matrix."""

    module: str
    test: str
    messages: tuple[str, ...]
    #: It runs in all profiles: by the fixture `client`, or by `EVERY_PROFILE`.
    everywhere: bool


def rows() -> list[Row]:
    """The tests of the matrix, read from the test modules."""
    return [row for path in sorted(HERE.glob("test_*.py")) for row in _rows_of(path)]


def _rows_of(path: Path) -> Iterable[Row]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, (ast.AsyncFunctionDef, ast.FunctionDef)):
            continue
        names = {item.id for item in node.decorator_list if isinstance(item, ast.Name)}
        for item in node.decorator_list:
            if isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == "feature":
                messages = tuple(ast.literal_eval(argument) for argument in item.args)
                shared = "client" in {argument.arg for argument in node.args.args}
                yield Row(path.name, node.name, messages, shared or "EVERY_PROFILE" in names)


_GETS: dict[str, Callable[[Profile], str]] = {
    "positions": lambda p: p.encoding,
    "findings": lambda p: "pulled" if p.pulls else "pushed",
    "cards": lambda p: "Markdown" if p.hover == "markdown" else "plain text",
    "related places": lambda p: _yes(p.related),
    "tags (deprecated)": lambda p: _yes(p.tags),
    "link to documentation": lambda p: _yes(p.documented),
    "diagnostics with data": lambda p: _yes(p.data),
    "repairs": lambda p: {"actions": "actions", "commands": "commands", "none": "–"}[p.fixes],
    "edits": lambda p: (
        "–" if p.fixes == "none" else "when chosen" if p.lazy or p.fixes == "commands" else "with the list"
    ),
    "edits name versions": lambda p: _yes(p.versioned),
    "best repair marked": lambda p: _yes(p.preferred),
    "repairs that do not fit, with the reason": lambda p: _yes(p.disabled),
    "outline with ranges": lambda p: _yes(p.hierarchical),
    "links with tooltips": lambda p: _yes(p.tooltips),
    "progress": lambda p: _yes(p.progress),
    "notebooks": lambda p: "as notebooks" if p.notebooks else "as cells",
    "settings": lambda p: "asked for" if p.asked else "sent",
    "watches files": lambda p: _yes("workspace/didChangeWatchedFiles" in p.registers),
}


def _yes(value: bool) -> str:
    return "✓" if value else "–"


def table() -> str:
    """The text of README.md."""
    names = list(PROFILES)
    lines = [
        "# Tests of the language server",
        "",
        "Written by `python -m tests.lsp.matrix`; `test_matrix.py` fails when it is stale.",
        "",
        "Each test below runs against the real server process in every client profile: `vscode`, `neovim`, `emacs` and",
        "`helix` announce what those editors were recorded to announce (`profiles/`); `push`, `commands` and `bare`",
        "announce ever less. Any message of the server that a test did not expect fails it.",
        "",
        "## What each client must get",
        "",
        f"| | {' | '.join(names)} |",
        f"|---|{'---|' * len(names)}",
        *(f"| {what} | {' | '.join(gets(profile) for profile in PROFILES.values())} |" for what, gets in _GETS.items()),
        "",
        "## Which test is about what",
        "",
        "| messages | test | profiles |",
        "|---|---|---|",
    ]
    for row in rows():
        messages = ", ".join(f"`{message}`" for message in row.messages)
        title = row.test.removeprefix("test_").replace("_", " ")
        lines.append(f"| {messages} | {title} (`{row.module}`) | {'all' if row.everywhere else 'some'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    README.write_text(table(), encoding="utf-8")
    sys.exit(0)
