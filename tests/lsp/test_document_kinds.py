"""Which documents are checked as Python and which are scanned as logs."""

from __future__ import annotations

import pytest

from detour_lsp.lsp.document_kinds import is_log, is_python
from detour_lsp.lsp.text_document import SyncedDocument
from detour_lsp.workspace.document import Document


@pytest.mark.parametrize(
    ("uri", "language", "kind"),
    [
        ("file:///a/train.py", "python", "python"),
        ("file:///a/train.py", None, "python"),
        ("file:///a/script", "python", "python"),
        ("vscode-notebook-cell:/a/b.ipynb#c1", "python", "python"),
        ("file:///a/stubs.pyi", "log", "python"),  # eglot 1.9, when a log was opened first
        ("file:///a/train.log", "python", "log"),  # and when a program was
        ("file:///a/train.log", "log", "log"),
        ("file:///a/slurm-7.OUT", "plaintext", "log"),
        ("file:///a/run.err", "fundamental", "log"),
        ("file:///a/notes.txt", "text", "log"),
        ("file:///a/notes.txt", "plaintext", "log"),
        ("file:///a/notes.txt", "vimdoc", None),
        ("untitled:Untitled-1", "plaintext", "log"),
        ("untitled:Untitled-1", "Log", "log"),
        ("file:///a/README.md", "markdown", None),
        ("file:///a/data.csv", "plaintext", None),
        ("file:///a/train.c", "c", None),
    ],
)
def test_name_and_language_tell_what_a_document_is(uri: str, language: str | None, kind: str | None) -> None:
    document = SyncedDocument(uri, Document(""), "utf-16", 1, language)
    assert (is_python(document), is_log(document)) == (kind == "python", kind == "log")
