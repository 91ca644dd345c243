"""The harness itself: what no test expected must fail, else the matrix proves little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lsprotocol import types

from .harness import Client, make_client

URI = "file:///project/a.py"
PLACE = types.Range(types.Position(0, 0), types.Position(0, 1))


def published(uri: str, *messages: str, **more: Any) -> tuple[str, types.PublishDiagnosticsParams]:
    diagnostics = [types.Diagnostic(range=PLACE, message=message, source="detour", **more) for message in messages]
    return types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)


def log(client: Client, kind: types.MessageType, message: str) -> None:
    client.log_messages.append(types.LogMessageParams(type=kind, message=message))


SURPRISES: list[Callable[[Client], None]] = [
    lambda client: client.received.append((types.WINDOW_SHOW_MESSAGE, None)),
    lambda client: client.received.append((types.PROGRESS, None)),
    lambda client: client.received.append(("detour/incidents", None)),
    # A bare client can be asked for nothing.
    lambda client: client.received.append((types.WORKSPACE_CONFIGURATION, None)),
    lambda client: client.received.append((types.CLIENT_REGISTER_CAPABILITY, None)),
    lambda client: client.received.append((types.WORKSPACE_DIAGNOSTIC_REFRESH, None)),
    lambda client: client.received.append(published(URI, "a problem of a file that nobody asked about")),
    lambda client: log(client, types.MessageType.Error, "internal error"),
    lambda client: log(client, types.MessageType.Warning, "a setting is wrong"),
]


@pytest.mark.parametrize("surprise", SURPRISES)
def test_what_no_test_expected_fails(surprise: Callable[[Client], None]) -> None:
    client = make_client("bare")
    surprise(client)
    with pytest.raises(AssertionError, match=r"expected|asked about"):
        client.check_messages()


@pytest.mark.parametrize(
    ("messages", "more"),
    [
        (["a problem", "a problem"], {}),
        (["a problem"], {"data": {}}),
        (["a problem"], {"tags": [types.DiagnosticTag.Deprecated]}),
        (["a problem"], {"code_description": types.CodeDescription("https://pytorch.org")}),
        (["a problem"], {"related_information": [types.DiagnosticRelatedInformation(types.Location(URI, PLACE), "x")]}),
    ],
)
def test_problems_that_a_client_cannot_read_or_that_are_told_twice_fail(messages: list[str], more: Any) -> None:
    client = make_client("bare")
    client.known.add(URI)
    client.received.append(published(URI, *messages, **more))
    with pytest.raises(AssertionError):
        client.check_messages()
    vscode = make_client("vscode")
    vscode.known.add(URI)
    vscode.received.append(published(URI, "a problem", **more))
    vscode.check_messages()


def test_what_a_test_expects_passes() -> None:
    client = make_client("bare")
    client.known.add(URI)
    client.expected.add("detour/incidents")
    client.warnings.append("setting .* wrong")
    client.received += [published(URI, "a problem"), published("file:///other.py"), ("detour/incidents", None)]
    log(client, types.MessageType.Info, "started")
    log(client, types.MessageType.Warning, "a setting is wrong")
    client.check_messages()


def test_each_profile_expects_what_it_lets_the_server_send() -> None:
    vscode = make_client("vscode")
    for method in (types.WORKSPACE_CONFIGURATION, types.CLIENT_REGISTER_CAPABILITY, types.WORKSPACE_DIAGNOSTIC_REFRESH):
        vscode.received.append((method, None))
    vscode.check_messages()
    neovim = make_client("neovim")
    neovim.received.append((types.WORKSPACE_CONFIGURATION, None))
    neovim.check_messages()
    neovim.received.append((types.CLIENT_REGISTER_CAPABILITY, None))
    with pytest.raises(AssertionError):
        neovim.check_messages()
