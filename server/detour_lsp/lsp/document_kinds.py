"""Which open documents are Python and which are logs, by their language and, where that says little, by their name.

Some clients know one language per server: eglot up to Emacs 29 calls every document by the language of the first one.
So a name that says clearly what a file is comes before the language.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detour_lsp.lsp.text_document import SyncedDocument

PYTHON_SUFFIXES = frozenset({".py", ".pyi"})
LOG_SUFFIXES = frozenset({".log", ".out", ".err"})
#: What editors call logs, and what they call text that may be one.
LOG_LANGUAGES = frozenset({"log", "ansi"})
TEXT_LANGUAGES = frozenset({"plaintext", "text"})


def is_python(document: SyncedDocument) -> bool:
    """Whether a document is Python."""
    suffix, language = _told(document)
    if suffix in LOG_SUFFIXES:
        return False
    return language == "python" or (suffix in PYTHON_SUFFIXES and language in {"", *LOG_LANGUAGES, *TEXT_LANGUAGES})


def is_log(document: SyncedDocument) -> bool:
    """Whether a document looks like a log."""
    suffix, language = _told(document)
    if suffix in LOG_SUFFIXES:
        return True
    if suffix in PYTHON_SUFFIXES:
        return False
    if suffix == ".txt":
        return language in {"", *LOG_LANGUAGES, *TEXT_LANGUAGES}
    return language in LOG_LANGUAGES or (language in TEXT_LANGUAGES and not suffix)


def _told(document: SyncedDocument) -> tuple[str, str]:
    return PurePosixPath(document.uri).suffix.lower(), (document.language_id or "").lower()
