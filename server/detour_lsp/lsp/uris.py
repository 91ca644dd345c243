"""URIs and paths. A URI is an identity; a path is something that only some of them have (PYGLS.md)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from pygls.uris import from_fs_path, to_fs_path, urlparse


def path_of(uri: str) -> Path | None:
    """The path of a `file:` URI; None for `untitled:`, `vscode-notebook-cell:`, `git:` and the like."""
    scheme, *_ = urlparse(uri)
    if scheme != "file":
        return None
    path = to_fs_path(uri)
    return Path(path) if path else None


def uri_of(path: str | Path) -> str:
    """The `file:` URI of a path."""
    return from_fs_path(str(path)) or ""


def same(uri: str) -> str:
    """A URI in the one spelling that is used as a key: clients encode the same URI differently."""
    return unquote(uri)
