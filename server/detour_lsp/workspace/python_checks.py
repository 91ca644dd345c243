"""One checker per workspace folder: each folder has its own `pyproject.toml`, torch and records."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from detour_lsp.knowledge.compiled import CompiledKnowledge
from detour_lsp.source import configuration
from detour_lsp.source.check import Checker
from detour_lsp.source.configuration import TIERS, Configuration, ConfigurationError
from detour_lsp.source.finding import Finding
from detour_lsp.source.torch_version import torch_version
from detour_lsp.workspace.settings import Settings


class Checkers:
    """Makes checkers when they are first asked for and keeps them until settings, pins or configuration change."""

    def __init__(self, knowledge: CompiledKnowledge, settings: Settings) -> None:
        self._knowledge = knowledge
        self._settings = settings
        self._by_folder: dict[Path | None, tuple[Checker, Configuration]] = {}
        #: What is wrong in the `pyproject.toml` files that were read, one sentence each.
        self.problems: list[str] = []

    def of(self, folder: Path | None) -> Checker:
        """The checker of a folder; None stands for files outside every folder."""
        return self._get(folder)[0]

    def torch(self, folder: Path | None) -> str | None:
        """The torch version of a folder: the setting, its configuration, else what interpreter or pins say."""
        return self.of(folder).torch

    def wanted(self, folder: Path | None, path: str, findings: Iterable[Finding]) -> list[Finding]:
        """The findings of a file that settings and configuration let through."""
        project = self._get(folder)[1]
        least = TIERS.index(self._settings.min_tier)
        wanted: list[Finding] = []
        for finding in findings:
            tier = self._knowledge.records[finding.record].verification_tier
            ignored = any(configuration.names(item, finding.record) for item in self._settings.ignore)
            if not ignored and TIERS.index(tier) >= least and project.wants(finding.record, tier, path):
                wanted.append(finding)
        return wanted

    def _get(self, folder: Path | None) -> tuple[Checker, Configuration]:
        found = self._by_folder.get(folder)
        if found is None:
            project = self._configuration(folder)
            torch = self._settings.torch or project.torch or torch_version(folder, self._settings.interpreter or None)
            found = self._by_folder[folder] = (Checker(self._knowledge, torch), project)
        return found

    def _configuration(self, folder: Path | None) -> Configuration:
        if folder is None:
            return Configuration()
        try:
            return configuration.load(folder)
        except ConfigurationError as error:
            # A typing mistake in a configuration must not switch the tool off.
            self.problems += [f"{error.file}: {problem}" for problem in error.problems]
            return Configuration()
