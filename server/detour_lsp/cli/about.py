"""`detour --version --verbose`: which engine, knowledge and Python are in use, for bug reports."""

from __future__ import annotations

import importlib.metadata
import platform

from detour_lsp.knowledge.loading import builtin_seeds


def describe() -> str:
    """Lines of `name: value` about this installation."""
    from detour_lsp.logs.matching import engine_name

    facts = {
        "engine": engine_name(),
        "python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
        "knowledge": str(builtin_seeds()),
    }
    for package in ("hyperscan", "regex", "tree-sitter", "tree-sitter-python", "pygls", "lsprotocol", "pydantic"):
        try:
            facts[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            facts[package] = "not installed"
    return "".join(f"{name}: {value}\n" for name, value in facts.items())
