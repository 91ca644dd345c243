"""One checker per workspace folder: each folder has its own settings, `pyproject.toml`, torch and records."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from detour_lsp.knowledge.compiled import CompiledKnowledge
from detour_lsp.source import configuration
from detour_lsp.source.check import Checker
from detour_lsp.source.configuration import TIERS, Configuration, ConfigurationError
from detour_lsp.source.finding import Finding
from detour_lsp.source.torch_version import torch_version
from detour_lsp.workspace.settings import SettingsByFolder


class Checkers:
    """Makes checkers when they are first asked for and keeps them until settings, pins or configuration change.

    A file is asked about by its workspace folder (None outside of every folder), whose settings count, and by its path,
    whose nearest `pyproject.toml` counts; text without a path belongs to its folder.
    """

    def __init__(self, knowledge: CompiledKnowledge, settings: SettingsByFolder) -> None:
        self._knowledge = knowledge
        self._settings = settings
        self._by_torch: dict[str | None, Checker] = {}
        self._by_place: dict[tuple[Path | None, Path | None], tuple[Checker, Configuration]] = {}

    def of(self, folder: Path | None, path: Path | None = None) -> Checker:
        """The checker of a file."""
        return self._get(folder, path)[0]

    def torch(self, folder: Path | None, path: Path | None = None) -> str | None:
        """The torch version of a file: the setting, its configuration, else what interpreter or pins say."""
        return self.of(folder, path).torch

    def ignores(self, folder: Path | None, path: Path | None, record: str) -> bool:
        """Whether a record is never to be shown in a file, by settings or `pyproject.toml`."""
        ignored = (*self._settings.of(folder).ignore, *self._get(folder, path)[1].ignore)
        return any(configuration.names(item, record) for item in ignored)

    def wanted(self, folder: Path | None, path: Path | None, name: str, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that settings and configuration let through; patterns of files are held against `name`."""
        settings, project = self._settings.of(folder), self._get(folder, path)[1]
        least = TIERS.index(settings.min_tier)
        wanted: list[Finding] = []
        for finding in findings:
            if finding.record not in self._knowledge.records:
                continue  # Found before the records changed.
            tier = self._knowledge.records[finding.record].verification_tier
            ignored = any(configuration.names(item, finding.record) for item in settings.ignore)
            if not ignored and TIERS.index(tier) >= least and project.wants(finding.record, tier, name):
                wanted.append(finding)
        return wanted

    def _get(self, folder: Path | None, path: Path | None) -> tuple[Checker, Configuration]:
        directory = path.parent if path is not None else folder
        found = self._by_place.get((folder, directory))
        if found is None:
            file = configuration.find(directory) if directory is not None else None
            project, settings = _configuration(file, folder), self._settings.of(folder)
            # A project inside a folder has an environment of its own; one above it does not know the folder's.
            inside = file is not None and (folder is None or file.parent.is_relative_to(folder.resolve()))
            home = file.parent if file is not None and inside else folder
            torch = settings.torch or project.torch or torch_version(home, settings.interpreter or None)
            checker = self._by_torch.setdefault(torch, Checker(self._knowledge, torch))
            found = self._by_place[folder, directory] = (checker, project)
        return found


def _configuration(file: Path | None, folder: Path | None) -> Configuration:
    try:
        return configuration.read(file) if file is not None else Configuration(root=folder)
    except ConfigurationError:
        # A typing mistake must not switch the tool off; the server has named it when it read what records to load.
        return Configuration(root=folder)
