"""Whether what a call passes is what a selector asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.calls import Call
from detour_lsp.source.names import Module
from detour_lsp.source.predicates import accepts
from detour_lsp.source.spellings import names_of


def arguments_match(module: Module, call: Call, selector: Clause) -> bool:
    """Whether what a call passes is as `keyword`, `missing`, `position`, `arguments` and `receiver` say."""
    for name, predicate in cast("Mapping[str, Clause]", selector.get("keyword", {})).items():
        keyword = call.keywords.get(name)
        if keyword is None or not accepts(module, predicate, keyword.value):
            return False
    missing = names_of(selector.get("missing", ()))
    if missing and (
        call.double_star or call.kind == "partial" or any(name in call.keywords for name in missing) or call.star
    ):
        return False
    for position, predicate in cast("Mapping[str, Clause]", selector.get("position", {})).items():
        index = int(position)
        if call.star or not 0 <= index < len(call.arguments):
            return False
        if not accepts(module, predicate, call.arguments[index]):
            return False
    count = cast("Mapping[str, int]", selector.get("arguments", {}))
    if count and (call.star or not count.get("min", 0) <= len(call.arguments) <= count.get("max", 1 << 30)):
        return False
    receiver = selector.get("receiver")
    if isinstance(receiver, Mapping):
        return call.receiver is not None and accepts(module, cast("Clause", receiver), call.receiver)
    return True
