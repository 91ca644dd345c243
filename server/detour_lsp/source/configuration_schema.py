"""The shape of `[tool.detour]`, for pydantic; `configuration` holds what the rest of the program sees."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from detour_lsp.source.configuration import Configuration, ConfigurationError
from detour_lsp.source.discovery import DEFAULT_EXCLUDE


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    select: list[str] = Field(default_factory=list[str])
    ignore: list[str] = Field(default_factory=list[str])
    per_file_ignores: dict[str, list[str]] = Field(default_factory=dict[str, list[str]], alias="per-file-ignores")
    exclude: list[str] | None = None
    extend_exclude: list[str] = Field(default_factory=list[str], alias="extend-exclude")
    respect_gitignore: bool = Field(True, alias="respect-gitignore")
    knowledge: list[str] = Field(default_factory=list[str])
    torch: str | None = None
    min_tier: Literal["ai_generated", "documented", "reproduced", "proven"] = Field("ai_generated", alias="min-tier")

    @field_validator("torch")
    @classmethod
    def _is_version(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                Version(value)
            except InvalidVersion as error:
                raise ValueError(f'{value!r} is not a version such as "2.9.1"') from error
        return value


def validated(table: object, file: Path) -> Configuration:
    """The configuration of a decoded table; raises ConfigurationError with one sentence per bad key."""
    try:
        model = _Table.model_validate(table)
    except ValidationError as error:
        raise ConfigurationError(file, [_problem(dict(item)) for item in error.errors()]) from error
    exclude = DEFAULT_EXCLUDE if model.exclude is None else tuple(model.exclude)
    return Configuration(
        root=file.parent,
        select=tuple(model.select),
        ignore=tuple(model.ignore),
        per_file_ignores={pattern: tuple(records) for pattern, records in model.per_file_ignores.items()},
        exclude=(*exclude, *model.extend_exclude),
        respect_gitignore=model.respect_gitignore,
        knowledge=tuple(str(file.parent / path) if _is_path(file, path) else path for path in model.knowledge),
        torch=model.torch,
        min_tier=model.min_tier,
    )


def _is_path(file: Path, name: str) -> bool:
    return (file.parent / name).exists()


def _problem(item: dict[str, object]) -> str:
    key = ".".join(str(part) for part in cast("tuple[object, ...]", item["loc"]))
    if item["type"] == "extra_forbidden":
        known = ", ".join(sorted(info.alias or name for name, info in _Table.model_fields.items()))
        return f"[tool.detour] {key}: unknown key; known are {known}"
    return f"[tool.detour] {key}: {item['msg']}"
