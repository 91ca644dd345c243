"""Drives the real server process as an editor would, and fails on any message that the test did not expect."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient
from pytest_lsp.protocol import LanguageClientProtocol

#: The longest that anything is waited for; a loaded machine needs seconds where a quiet one needs milliseconds.
SECONDS = 20.0

#: What VS Code 1.13x announces, as far as the server looks at it (pytest-lsp's own profile is of 2022).
VSCODE = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        apply_edit=True,
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        configuration=True,
        did_change_configuration=types.DidChangeConfigurationClientCapabilities(dynamic_registration=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
        code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
        workspace_folders=True,
    ),
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True,
            version_support=True,
            code_description_support=True,
            data_support=True,
            tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Deprecated]),
        ),
        diagnostic=types.DiagnosticClientCapabilities(dynamic_registration=True),
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown, types.MarkupKind.PlainText]),
        code_action=types.CodeActionClientCapabilities(
            is_preferred_support=True,
            disabled_support=True,
            data_support=True,
            resolve_support=types.ClientCodeActionResolveOptions(["edit"]),
            code_action_literal_support=types.ClientCodeActionLiteralOptions(
                types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll])
            ),
        ),
        document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
        folding_range=types.FoldingRangeClientCapabilities(line_folding_only=True),
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
    general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf16]),
    notebook_document=types.NotebookDocumentClientCapabilities(
        synchronization=types.NotebookDocumentSyncClientCapabilities(execution_summary_support=True)
    ),
)
#: A client that announces nothing but that it has diagnostics and code actions as literals, and pushes.
PUSH = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        code_action=types.CodeActionClientCapabilities(
            code_action_literal_support=types.ClientCodeActionLiteralOptions(
                types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
            )
        ),
    )
)
#: A client that announces nothing at all.
BARE = types.ClientCapabilities()
PROFILES = {"vscode": VSCODE, "push": PUSH, "bare": BARE}

ALWAYS_EXPECTED = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS}
EXPECTED_OF_VSCODE = {
    types.CLIENT_REGISTER_CAPABILITY,
    types.WORKSPACE_CONFIGURATION,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_DIAGNOSTIC_REFRESH,
}


class Protocol(LanguageClientProtocol):
    """Notes every notification and request that the server sends."""

    def _handle_notification(self, method_name: str, params: Any) -> None:
        self._server.received.append((method_name, params))
        if method_name.startswith("detour/"):
            return
        super()._handle_notification(method_name, params)

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        self._server.received.append((method_name, params))
        super()._handle_request(msg_id, method_name, params)


class Client(LanguageClient):
    """An editor."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, protocol_cls=Protocol, **kwargs)
        self.received: list[tuple[str, Any]] = []
        self.expected: set[str] = set(ALWAYS_EXPECTED)
        self.profile = "vscode"
        self.folders: list[types.WorkspaceFolder] = []

    def open(self, path: Path, text: str | None = None, language: str = "python", version: int = 1) -> str:
        """Open a file and return its URI."""
        uri = path.as_uri()
        if text is None:
            text = path.read_bytes().decode("utf-8")
        self.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, version, text))
        )
        return uri

    def change(self, uri: str, version: int, *changes: tuple[tuple[int, int, int, int], str] | str) -> None:
        """Edit a document: ranges with their new text, or a whole new text."""
        events: list[types.TextDocumentContentChangeEvent] = []
        for item in changes:
            if isinstance(item, str):
                events.append(types.TextDocumentContentChangeWholeDocument(item))
            else:
                (line, char, end_line, end_char), text = item
                where = types.Range(types.Position(line, char), types.Position(end_line, end_char))
                events.append(types.TextDocumentContentChangePartial(where, text))
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, events))

    async def findings(self, uri: str, wanted: int | None = None) -> list[types.Diagnostic]:
        """The diagnostics of a document, pulled or pushed, once there are `wanted` of them."""

        async def get() -> list[types.Diagnostic]:
            pushed = list(self.diagnostics.get(uri, []))
            if self.profile != "vscode":
                return pushed
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            report = await self.text_document_diagnostic_async(params)
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            return [*report.items, *pushed]

        return await self.until(get, lambda found: wanted is None or len(found) == wanted)

    async def pushed(self, uri: str, wanted: int) -> list[types.Diagnostic]:
        """What was pushed for a URI, once there are `wanted` diagnostics."""

        async def get() -> list[types.Diagnostic]:
            return list(self.diagnostics.get(uri, []))

        return await self.until(get, lambda found: uri in self.diagnostics and len(found) == wanted)

    @staticmethod
    async def until(get: Any, good: Any) -> Any:
        """What `get` answers, once it is good; fails with the last answer when it never is."""
        deadline = asyncio.get_running_loop().time() + SECONDS
        while True:
            found = await get()
            if good(found):
                return found
            assert asyncio.get_running_loop().time() < deadline, f"never as expected; last: {found}"
            await asyncio.sleep(0.03)

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send one of Detour's own notifications."""
        self.protocol.notify(method, params)

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send one of Detour's own requests."""
        return await self.protocol.send_request_async(method, params)

    def run_in_terminal(
        self, text: str, *, command: str = "python train.py", cwd: Path | None = None, run: str = "1"
    ) -> None:
        """Show a text in a terminal as the output of a command, in pieces cut anywhere."""
        terminal = {"terminalId": "t1", "executionId": run}
        for start in range(0, max(len(text), 1), 97):
            data = {
                **terminal,
                "commandLine": command,
                "cwd": str(cwd) if cwd else None,
                "data": text[start : start + 97],
            }
            self.notify("detour/terminalData", data)
        self.notify("detour/terminalEnd", {**terminal, "exitCode": 1, "noData": False})

    def check_messages(self) -> None:
        """Fail on a message that the test did not expect; an error that the server logs is never expected."""
        errors = [m.message for m in self.log_messages if m.type == types.MessageType.Error]
        assert not errors, errors
        surprising = [item for item in self.received if item[0] not in self.expected]
        # The server may say in its log what it does; only errors there are a failure.
        surprising = [item for item in surprising if item[0] != types.WINDOW_LOG_MESSAGE]
        assert not surprising, f"messages that no test expected: {surprising}"


def make_client() -> Client:
    """A client with pytest-lsp's default features."""
    client = Client()
    for name, feature in pytest_lsp.client.DEFAULT_CLIENT_FEATURES.items():
        client.feature(name)(feature)
    for name in (types.CLIENT_REGISTER_CAPABILITY, types.WORKSPACE_CODE_LENS_REFRESH):
        client.feature(name)(lambda *_params: None)
    return client


SERVER_COMMAND = [sys.executable, "-m", "detour_lsp", "server", "--stdio"]
