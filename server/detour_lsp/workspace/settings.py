"""The settings that a client sends under `detour`, checked where they come in.

A bad value is reported by name and its default is used: a typing mistake in settings must not switch the tool off.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Settings(BaseModel):
    """Everything that can be set; the VS Code extension documents the same names (package.json)."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    #: Findings in Python files while one types.
    check_enabled: bool = Field(default=True, alias="check.enable")
    #: Only records of at least this tier give findings.
    min_tier: Literal["ai_generated", "documented", "reproduced", "proven"] = Field(
        default="ai_generated", alias="check.minTier"
    )
    #: Incidents on the Python lines that raised them.
    incidents_enabled: bool = Field(default=True, alias="incidents.enable")
    #: Most diagnostics per file; more are counted and hidden.
    max_per_file: int = Field(default=100, ge=1, le=10_000, alias="maxProblemsPerFile")
    #: Glob patterns of logs to follow, relative to the workspace folders.
    follow: tuple[str, ...] = Field(default=(), alias="logs.patterns")
    #: Whether open documents that look like logs are scanned.
    scan_documents: bool = Field(default=True, alias="logs.scanOpenDocuments")
    #: Further records: folders, files, installed packages.
    knowledge: tuple[str, ...] = ()
    #: Ids of records that are never shown.
    ignore: tuple[str, ...] = ()
    #: The torch version to assume; empty means found by itself.
    torch: str = Field(default="", alias="torchVersion")
    #: The interpreter whose installed metadata tells the torch version; it is never run.
    interpreter: str = Field(default="", alias="pythonPath")
    #: `en`, `zh`, or empty for the editor's language.
    language: Literal["", "en", "zh"] = ""
    code_lens: bool = Field(default=True, alias="codeLens.enable")
    #: Milliseconds to wait after a keystroke before a file is checked.
    debounce: int = Field(default=0, ge=0, le=5_000, alias="check.debounce")


def parse_settings(value: object) -> tuple[Settings, list[str]]:
    """Settings from what the client sent (nested or dotted keys), and a sentence per value that is wrong."""
    if not isinstance(value, dict):
        return Settings(), [] if value is None else [f"detour: settings must be an object, not {type(value).__name__}"]
    flat = _flatten(value)  # pyright: ignore[reportUnknownArgumentType]
    problems: list[str] = []
    while True:
        try:
            return Settings.model_validate(flat), problems
        except ValidationError as error:
            bad = {str(item["loc"][0]): str(item["msg"]) for item in error.errors()}
            if not bad.keys() & flat.keys():
                return Settings(), [*problems, *(f"detour.{key}: {reason}" for key, reason in bad.items())]
            for key, reason in bad.items():
                problems.append(f"detour.{key}: {reason}; the default is used")
                flat.pop(key, None)


def _flatten(value: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, dict):
            flat.update(_flatten(item, f"{name}."))  # pyright: ignore[reportUnknownArgumentType]
        elif item is not None:
            flat[name] = item
    return flat
