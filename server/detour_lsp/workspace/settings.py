"""The settings that a client sends under `detour`, checked where they come in.

A bad value is reported by name and its default is used: a typing mistake in settings must not switch the tool off.
msgspec reads them, since pydantic's import would be a tenth of the server's start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec

_Count = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
_Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=5_000)]


class Settings(msgspec.Struct, frozen=True):
    """Everything that can be set; the VS Code extension documents the same names (package.json)."""

    #: Findings in Python files while one types.
    check_enabled: bool = msgspec.field(default=True, name="check.enable")
    #: Only records of at least this tier give findings.
    min_tier: Literal["ai_generated", "documented", "reproduced", "proven"] = msgspec.field(
        default="ai_generated", name="check.minTier"
    )
    #: Incidents on the Python lines that raised them.
    incidents_enabled: bool = msgspec.field(default=True, name="incidents.enable")
    #: Most diagnostics per file; more are counted and hidden.
    max_per_file: _Count = msgspec.field(default=100, name="maxProblemsPerFile")
    #: Glob patterns of logs to follow, relative to the workspace folders.
    follow: tuple[str, ...] = msgspec.field(default=(), name="logs.patterns")
    #: Whether open documents that look like logs are scanned.
    scan_documents: bool = msgspec.field(default=True, name="logs.scanOpenDocuments")
    #: Further records: folders, files, installed packages.
    knowledge: tuple[str, ...] = ()
    #: Ids of records that are never shown.
    ignore: tuple[str, ...] = ()
    #: The torch version to assume; empty means found by itself.
    torch: str = msgspec.field(default="", name="torchVersion")
    #: The interpreter whose installed metadata tells the torch version; it is never run.
    interpreter: str = msgspec.field(default="", name="pythonPath")
    #: `en`, `zh`, or empty for the editor's language.
    language: Literal["", "en", "zh"] = ""
    code_lens: bool = msgspec.field(default=True, name="codeLens.enable")
    #: Milliseconds to wait after a keystroke before a file is checked.
    debounce: _Milliseconds = msgspec.field(default=0, name="check.debounce")


@dataclass(frozen=True, slots=True)
class SettingsByFolder:
    """The settings of each workspace folder, and those of the window for everything outside of them."""

    general: Settings = field(default_factory=Settings)
    folders: Mapping[Path, Settings] = field(default_factory=dict[Path, Settings])

    def of(self, folder: Path | None) -> Settings:
        """The settings of a folder; None stands for files outside every folder."""
        return self.general if folder is None else self.folders.get(folder, self.general)

    def __iter__(self) -> Iterator[Settings]:
        yield self.general
        yield from self.folders.values()


def parse_settings(value: object) -> tuple[Settings, list[str]]:
    """Settings from what the client sent (nested or dotted keys), and a sentence per value that is wrong."""
    if not isinstance(value, dict):
        return Settings(), [] if value is None else [f"detour: settings must be an object, not {type(value).__name__}"]
    flat = _flatten(cast("dict[str, Any]", value))
    problems: list[str] = []
    good: dict[str, Any] = {}
    for item in msgspec.structs.fields(Settings):
        if item.encode_name in flat:
            try:
                good[item.name] = msgspec.convert(flat[item.encode_name], item.type)
            except msgspec.ValidationError as error:
                problems.append(f"detour.{item.encode_name}: {error}; the default is used")
    return Settings(**good), problems


def _flatten(value: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, dict):
            flat.update(_flatten(cast("dict[str, Any]", item), f"{name}."))
        elif item is not None:
            flat[name] = item
    return flat
