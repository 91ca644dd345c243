"""What the client can do, resolved once into booleans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from detour_lsp.lsp.greeting import member_at, pushed_although_pulled


@dataclass(frozen=True, slots=True)
class ClientAbilities:
    """The optional abilities that the server uses; a client that announces nothing still gets diagnostics."""

    pull_diagnostics: bool = False
    refresh_code_lens: bool = False
    related_information: bool = False
    diagnostic_tags: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    markdown_hover: bool = False
    link_tooltips: bool = False
    apply_edit: bool = False
    code_action_literals: bool = False
    resolve_edit: bool = False
    disabled_actions: bool = False
    preferred_actions: bool = False
    versioned_edits: bool = False
    configuration: bool = False
    dynamic_configuration: bool = False
    dynamic_watched_files: bool = False
    progress: bool = False
    hierarchical_symbols: bool = False

    @classmethod
    def of(cls, capabilities: Mapping[str, Any]) -> ClientAbilities:
        """Read what a client announced; what is not as LSP says counts as absent."""

        def has(path: str) -> bool:
            return bool(member_at(capabilities, path))

        def listed(path: str, item: str) -> bool:
            found = member_at(capabilities, path)
            return isinstance(found, list) and item in found

        return cls(
            pull_diagnostics=member_at(capabilities, "textDocument.diagnostic") is not None
            and not pushed_although_pulled(capabilities),
            refresh_code_lens=has("workspace.codeLens.refreshSupport"),
            related_information=has("textDocument.publishDiagnostics.relatedInformation"),
            diagnostic_tags=member_at(capabilities, "textDocument.publishDiagnostics.tagSupport") is not None,
            code_description=has("textDocument.publishDiagnostics.codeDescriptionSupport"),
            diagnostic_data=has("textDocument.publishDiagnostics.dataSupport"),
            markdown_hover=listed("textDocument.hover.contentFormat", "markdown"),
            link_tooltips=has("textDocument.documentLink.tooltipSupport"),
            apply_edit=has("workspace.applyEdit"),
            code_action_literals=member_at(capabilities, "textDocument.codeAction.codeActionLiteralSupport")
            is not None,
            resolve_edit=listed("textDocument.codeAction.resolveSupport.properties", "edit")
            and has("textDocument.codeAction.dataSupport"),
            disabled_actions=has("textDocument.codeAction.disabledSupport"),
            preferred_actions=has("textDocument.codeAction.isPreferredSupport"),
            versioned_edits=has("workspace.workspaceEdit.documentChanges"),
            configuration=has("workspace.configuration"),
            dynamic_configuration=has("workspace.didChangeConfiguration.dynamicRegistration"),
            dynamic_watched_files=has("workspace.didChangeWatchedFiles.dynamicRegistration"),
            progress=has("window.workDoneProgress"),
            hierarchical_symbols=has("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"),
        )
