"""`initialize` is answered before pygls is imported, and as pygls would have answered it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.protocol import default_converter

from detour_lsp.lsp.assembly import make_server
from detour_lsp.lsp.greeting import answer, greeting_of

from .harness import SERVER_COMMAND
from .wire import Wire

CONVERTER = default_converter()


def request(**params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, **params}}


@given(
    encodings=st.none() | st.lists(st.sampled_from(["utf-8", "utf-16", "utf-32", "ebcdic"])),
    notebooks=st.booleans(),
)
def test_the_answer_is_what_pygls_would_have_said(encodings: list[str] | None, notebooks: bool) -> None:
    capabilities: dict[str, Any] = {}
    if encodings is not None:
        capabilities["general"] = {"positionEncodings": encodings}
    if notebooks:
        capabilities["notebookDocument"] = {"synchronization": {}}
    result = answer(greeting_of(request(capabilities=capabilities)))
    ours = result["capabilities"]
    # Every key and value is one that LSP knows: nothing is lost on the way through its types.
    assert CONVERTER.unstructure(CONVERTER.structure(result, types.InitializeResult)) == result
    client = CONVERTER.structure(capabilities, types.ClientCapabilities)
    features = make_server().protocol.fm
    built = ServerCapabilitiesBuilder(
        client,
        {*features.features, *features.builtin_features},
        {},
        list(features.commands),
        types.TextDocumentSyncKind.Incremental,
        types.NotebookDocumentSyncOptions(notebook_selector=[]),
        ServerCapabilitiesBuilder.choose_position_encoding(client),
    ).build()
    theirs = CONVERTER.unstructure(built)
    assert set(ours) == set(theirs)
    for key in ("positionEncoding", "executeCommandProvider", "textDocumentSync"):
        assert ours[key] == theirs[key]


def test_nothing_large_is_imported_for_the_answer() -> None:
    code = (
        "import sys; import detour_lsp.cli.main, detour_lsp.cli.server, detour_lsp.lsp.main, detour_lsp.lsp.greeting\n"
        "large = {'asyncio', 'pygls', 'lsprotocol', 'cattrs', 'attrs', 'pydantic', 'regex', 'logging', 'hyperscan'}\n"
        "print(sorted(large & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize(
    "params",
    [
        {"processId": "x"},
        {"rootUri": 5},
        {"workspaceFolders": [{"name": "no uri"}]},
        {"capabilities": []},
        {"locale": True},
    ],
)
def test_what_the_server_cannot_read_is_refused_and_may_be_said_again(wire: Wire, params: dict[str, Any]) -> None:
    wire.send(**{k: v for k, v in request(**params).items() if k != "jsonrpc"})
    assert wire.answer(1)["error"]["code"] == -32602
    assert wire.initialize()["serverInfo"]["name"] == "detour"


def test_a_client_with_odd_capabilities_is_served(wire: Wire) -> None:
    odd = {
        "textDocument": {"hover": {"contentFormat": 7}, "codeAction": "yes", "diagnostic": 3},
        "workspace": {"workspaceEdit": {"resourceOperations": ["fly"]}},
        "general": {"positionEncodings": ["morse", "utf-8"]},
        "window": [],
    }
    assert wire.initialize(capabilities=odd, trace="loud")["capabilities"]["positionEncoding"] == "utf-8"
    wire.send(id=5, method="detour/card", params={"record": "cuda/out-of-memory"})
    assert "out-of-memory" in wire.answer(5)["result"]["markdown"]


def test_a_second_initialize_is_refused(wire: Wire) -> None:
    wire.initialize()
    wire.send(id=2, method="initialize", params={"capabilities": {}})
    assert wire.answer(2)["error"]["code"] == -32600


def framed(*messages: dict[str, Any]) -> bytes:
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)


#: A whole session in one piece: what stands behind `initialize` must not be lost while the server starts.
SESSION = framed(
    request(processId=None, rootUri=None),
    {"method": "initialized", "params": {}},
    {"id": 2, "method": "detour/nosuch", "params": {}},
    {"id": 3, "method": "shutdown"},
    {"method": "exit"},
)


def check_session(output: bytes) -> None:
    assert [output.count(b'"id": %d' % number) for number in (1, 2, 3)] == [1, 1, 1]
    assert b"serverInfo" in output
    assert b"-32601" in output


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "DETOUR_RUN_DIR": str(folder / "run")}


def test_a_session_that_arrives_in_one_piece(tmp_path: Path) -> None:
    done = subprocess.run(SERVER_COMMAND, input=SESSION, capture_output=True, env=environment(tmp_path), timeout=60)
    assert done.returncode == 0
    check_session(done.stdout)


def test_a_session_from_a_file_which_no_loop_can_wait_for(tmp_path: Path) -> None:
    (tmp_path / "session").write_bytes(SESSION)
    with (tmp_path / "session").open("rb") as file:
        done = subprocess.run(SERVER_COMMAND, stdin=file, capture_output=True, env=environment(tmp_path), timeout=60)
    assert done.returncode == 0
    check_session(done.stdout)


@pytest.mark.parametrize("start", [b"", b"Content-Length: 10\r\n\r\n{", b"hello\r\n\r\n"])
def test_an_input_that_ends_at_once_ends_the_server(start: bytes, tmp_path: Path) -> None:
    done = subprocess.run(SERVER_COMMAND, input=start, capture_output=True, env=environment(tmp_path), timeout=60)
    assert done.returncode == 0
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
