"""What a selector finds."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from detour_lsp.source.calls import Call


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a selector describes: `node` is what is marked, `call` the call when it is one."""

    node: Node
    call: Call | None = None
