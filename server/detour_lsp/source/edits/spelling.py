"""What somebody meant who misspelt a name: `indcutor` -> `inductor`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from detour_lsp.source.templates import Refused

#: Below this likeness a guess would be a guess.
LIKENESS = 0.7


def closest(written: str, right: Iterable[object]) -> str:
    """The right spelling that is most like what is written, in the same quotes. Raises Refused where none is."""
    match = re.fullmatch(r"""([rbuRBU]*)(["']?)(.*?)(["']?)""", written.strip(), re.DOTALL)
    prefix, quote, body = (match[1], match[2], match[3]) if match and match[2] == match[4] else ("", "", written)
    if not quote:
        prefix, body = "", written.strip()
    found = difflib.get_close_matches(body, [str(item) for item in right], n=1, cutoff=LIKENESS)
    if not found:
        raise Refused(f"nothing that is known is spelt like {body!r}")
    return f"{prefix}{quote}{found[0]}{quote}"
