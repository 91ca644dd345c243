"""The selectors `set` and `env`: a setting or a variable that receives a bad value, and that keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.source import context
from detour_lsp.source.after import comes_too_late
from detour_lsp.source.constants import Known
from detour_lsp.source.match import Match
from detour_lsp.source.names import Module
from detour_lsp.source.predicates import accepts
from detour_lsp.source.sites import Sites
from detour_lsp.source.spellings import names_of, same_name
from detour_lsp.source.writes import ANY_VARIABLE, ENVIRONMENT, Write


def find_writes(module: Module, sites: Sites, selector: Clause, *, guards: bool) -> Iterator[Match]:
    env = "env" in selector
    names = [ENVIRONMENT + name if env else name for name in names_of(selector["env" if env else "set"])]
    anything = env and f"{ENVIRONMENT}*" in names
    predicate = selector.get("value")
    for write in sites.writes:
        hit = write.name.startswith(ENVIRONMENT) if anything else any(same_name(write.name, name) for name in names)
        if hit and module.text[module.tree.start(write.node)] == "%" and not module.path.endswith(".ipynb"):
            # A magic in a script is no Python, and nothing runs it.
            continue
        if not hit or write.removed or (write.name == ANY_VARIABLE and not anything):
            continue
        if predicate is not None and not _has_value(module, write, cast("Clause", predicate)):
            continue
        if not comes_too_late(module, write.node, selector):
            continue
        if guards and _passing(module, sites, write, predicate):
            continue
        yield Match(write.node)


def _has_value(module: Module, write: Write, predicate: Clause) -> bool:
    return write.value is not None and accepts(module, predicate, write.value)


def _passing(module: Module, sites: Sites, write: Write, predicate: object) -> bool:
    """Whether the setting holds only for a while: in a test's own scope, or put back in the same function."""
    if write.scoped:
        return write.mocked or write.name.startswith(ENVIRONMENT) or context.is_test(module, write.node)
    function = module.function_of(write.node)
    if write.name.startswith(ENVIRONMENT) and _is_as_before(module, write):
        return True
    if write.name.startswith(ENVIRONMENT) and context.environment_comes_back(module, write.node, function):
        return True
    for other in sites.writes:
        if other is write or not same_name(other.name, write.name) or other.scoped:
            continue
        if other.node.start_byte <= write.node.start_byte or context.exclusive(module, write.node, other.node):
            continue
        theirs = module.function_of(other.node)
        if context.is_undoing(module, function, theirs) and (other.removed or _gives_back(module, other, predicate)):
            # `__enter__` and `__exit__`, `setUp` and `tearDown`.
            return True
        if (theirs.id if theirs is not None else None) != (function.id if function is not None else None):
            continue
        kept = other.value is not None and not isinstance(module.value(other.value), Known)
        if function is None and not (kept or other.removed):
            # Settings one below the other in a script are no experiment: each counts.
            continue
        if other.removed or _gives_back(module, other, predicate):
            return True
    return False


def _is_as_before(module: Module, write: Write) -> bool:
    """Whether a variable gets what was read from the environment before: `os.environ["X"] = saved`."""
    value = write.value
    if value is None or value.type not in {"identifier", "attribute"}:
        return False
    kept = rf"(?<![\w.]){re.escape(module.tree.source(value))}\s*=\s*(?:\w+\.)*(?:environ|getenv)\b"
    return re.search(kept, module.text) is not None


def _gives_back(module: Module, write: Write, predicate: object) -> bool:
    """Whether a later write ends what an earlier one did: with a value that was kept, or one that is not bad."""
    if write.value is None:
        return True
    if isinstance(module.value(write.value), Known):
        return predicate is None or not accepts(module, cast("Clause", predicate), write.value)
    name = write.value
    return name.type != "identifier" or module.bound(module.tree.source(name), name)
