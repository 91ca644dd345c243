"""What is wrong in record files: diagnostics in the files themselves, so that whoever writes records sees it there."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from detour_lsp.knowledge.problem import Problem
from detour_lsp.lsp.positions import line_range
from detour_lsp.workspace.document import Document

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

#: One bad package can hold thousands of bad records: the log names so many files.
MOST_LOGGED = 20
MAX_BYTES = 2_000_000


def tell(server: DetourServer, problems: Sequence[Problem]) -> None:
    """Say what was left out: in the log, in the files, and to clients that show how the server is."""
    by_file: dict[str, list[Problem]] = {}
    for problem in problems:
        by_file.setdefault(problem.file, []).append(problem)
    for found in list(by_file.values())[:MOST_LOGGED]:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        server.log(f"record skipped: {found[0]}{more}", types.MessageType.Warning)
    if len(by_file) > MOST_LOGGED:
        server.log(f"{len(by_file) - MOST_LOGGED} more record files were skipped", types.MessageType.Warning)
    before = server.record_problems
    server.record_problems = {}
    for problem in problems:
        # A file that holds several records is named with the number of the one that is meant.
        path = re.sub(r"\[\d+\]$", "", problem.file)
        if os.path.isfile(path):
            server.record_problems.setdefault(path, []).append(problem)
    server.publish({*before, *server.record_problems})
    tell_status(server)


def tell_status(server: DetourServer) -> None:
    """Say that the server is ready, or that it is but for some records."""
    problems = server.knowledge.problems if server.knowledge is not None else ()
    if problems:
        many = len({problem.file for problem in problems})
        server.tell_status("error", f"{many} of the places of records cannot be used: {problems[0]}")
    else:
        server.tell_status("ready")


def diagnostics(server: DetourServer, uri: str) -> list[types.Diagnostic]:
    """The problems of a record file, each on the line of its key."""
    problems = server.record_problems.get(server.target_of(uri))
    if not problems:
        return []
    document = server.document(uri)
    text = document.document if document is not None else _read(server.target_of(uri))
    return [
        types.Diagnostic(
            range=line_range(_line(problem, text), text, server.documents.encoding),
            message=f"{problem.key}: {problem.reason}" if problem.key else problem.reason,
            severity=types.DiagnosticSeverity.Error,
            source="detour",
        )
        for problem in problems
    ]


def _read(path: str) -> Document:
    try:
        with Path(path).open("rb") as file:
            return Document(file.read(MAX_BYTES).decode("utf-8", "replace"))
    except OSError:
        return Document("")  # Taken away meanwhile: the problem then stands on the first line.


def _line(problem: Problem, text: Document) -> int:
    """The line that names the last part of the key that the text has; for a JSON error, the line that it tells."""
    told = re.search(r" at line (\d+) column", problem.reason)
    if told and not problem.key:
        return int(told[1]) - 1
    for part in reversed(re.findall(r"[A-Za-z_]\w*", problem.key)):
        at = text.text.find(f'"{part}"')
        if at >= 0:
            return text.line_at(at)
    return 0
