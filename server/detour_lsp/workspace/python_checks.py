"""One checker per workspace folder: each folder has its own `pyproject.toml`, torch and records."""

from __future__ import annotations

from pathlib import Path

from detour_lsp.knowledge.compiled import CompiledKnowledge
from detour_lsp.source.check import Checker


class Checkers:
    """Makes checkers when they are first asked for and keeps them until the settings change."""

    def __init__(self, knowledge: CompiledKnowledge, torch: str | None, interpreter: str | None = None) -> None:
        self._knowledge = knowledge
        self._torch = torch
        self._interpreter = interpreter
        self._by_folder: dict[Path | None, Checker] = {}

    def of(self, folder: Path | None) -> Checker:
        """The checker of a folder; None stands for files outside every folder."""
        if folder not in self._by_folder:
            self._by_folder[folder] = Checker(self._knowledge, self.torch(folder))
        return self._by_folder[folder]

    def torch(self, folder: Path | None) -> str | None:
        """The torch version of a folder: the setting, else what its interpreter or its pins say."""
        return self._torch or torch_version(folder, self._interpreter)
