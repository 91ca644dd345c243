"""What the client can do, resolved once into booleans."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types


@dataclass(frozen=True, slots=True)
class ClientAbilities:
    """The optional abilities that the server uses; a client that announces nothing still gets diagnostics."""

    pull_diagnostics: bool = False
    refresh_diagnostics: bool = False
    refresh_code_lens: bool = False
    related_information: bool = False
    diagnostic_tags: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    markdown_hover: bool = False
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
    line_folding_only: bool = False
    show_document: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> ClientAbilities:
        """Read what a client announced."""
        document = capabilities.text_document or types.TextDocumentClientCapabilities()
        workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
        window = capabilities.window or types.WindowClientCapabilities()
        published = document.publish_diagnostics or types.PublishDiagnosticsClientCapabilities()
        action = document.code_action or types.CodeActionClientCapabilities()
        hover = document.hover or types.HoverClientCapabilities()
        resolvable = action.resolve_support.properties if action.resolve_support else ()
        edit = workspace.workspace_edit or types.WorkspaceEditClientCapabilities()
        folding = document.folding_range or types.FoldingRangeClientCapabilities()
        symbols = document.document_symbol or types.DocumentSymbolClientCapabilities()
        configuration = workspace.did_change_configuration
        watched = workspace.did_change_watched_files
        return cls(
            pull_diagnostics=document.diagnostic is not None,
            refresh_diagnostics=bool(workspace.diagnostics and workspace.diagnostics.refresh_support),
            refresh_code_lens=bool(workspace.code_lens and workspace.code_lens.refresh_support),
            related_information=bool(published.related_information),
            diagnostic_tags=published.tag_support is not None,
            code_description=bool(published.code_description_support),
            diagnostic_data=bool(published.data_support),
            markdown_hover=types.MarkupKind.Markdown in (hover.content_format or ()),
            code_action_literals=action.code_action_literal_support is not None,
            resolve_edit="edit" in resolvable and bool(action.data_support),
            disabled_actions=bool(action.disabled_support),
            preferred_actions=bool(action.is_preferred_support),
            versioned_edits=bool(edit.document_changes),
            configuration=bool(workspace.configuration),
            dynamic_configuration=bool(configuration and configuration.dynamic_registration),
            dynamic_watched_files=bool(watched and watched.dynamic_registration),
            progress=bool(window.work_done_progress),
            hierarchical_symbols=bool(symbols.hierarchical_document_symbol_support),
            line_folding_only=bool(folding.line_folding_only),
            show_document=bool(window.show_document and window.show_document.support),
        )
