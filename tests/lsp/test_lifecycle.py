"""Start and end by the book, over stdio and TCP; nothing is kept that should be forgotten."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from .harness import Client
from .wire import Wire

BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\n"


def test_exit_after_shutdown_is_0_and_without_is_1(wire: Wire, tmp_path: Path) -> None:
    wire.initialize()
    wire.send(id=2, method="shutdown")
    assert wire.answer(2)["result"] is None
    wire.send(method="exit")
    assert wire.process.wait(40) == 0
    other = Wire(tmp_path)
    other.initialize()
    other.send(method="exit")
    assert other.process.wait(40) == 1
    other.process.communicate()


def test_what_comes_before_initialize_is_refused_or_dropped(wire: Wire) -> None:
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": BAD}
    wire.send(method="textDocument/didOpen", params={"textDocument": document})
    where = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
    wire.send(id=7, method="textDocument/hover", params=where)
    assert wire.answer(7)["error"]["code"] == -32002
    assert wire.initialize()["capabilities"]["hoverProvider"]


def test_a_closed_input_ends_the_server(wire: Wire) -> None:
    wire.initialize()
    assert wire.process.stdin
    wire.process.stdin.close()
    wire.process.wait(40)
    assert wire.process.stderr
    assert b"Traceback" not in wire.process.stderr.read()


def test_the_server_ends_with_the_process_that_started_it(wire: Wire) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    wire.initialize(processId=parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert wire.process.wait(40) is not None


def test_trace_levels(wire: Wire) -> None:
    def traces_of(number: int) -> list[dict[str, Any]]:
        """What is traced of a request for a hover; the next request's answer ends the waiting."""
        where = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
        wire.send(id=number, method="textDocument/hover", params=where)
        wire.send(id=number + 1, method="detour/nosuch", params={})
        found: list[dict[str, Any]] = []
        while (message := wire.read()).get("id") != number + 1:
            if message.get("method") == "$/logTrace" and "hover" in message["params"]["message"]:
                found.append(message["params"])
        return found

    wire.initialize(trace="messages")
    (plain,) = traces_of(10)
    assert "textDocument/hover (10) answered after" in plain["message"]
    assert "verbose" not in plain
    wire.send(method="$/setTrace", params={"value": "verbose"})
    (verbose,) = traces_of(20)
    assert verbose["verbose"] == "file:///a.py"
    wire.send(method="$/setTrace", params={"value": "off"})
    assert traces_of(30) == []


def test_capabilities_and_negotiated_encoding(wire: Wire) -> None:
    capabilities = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}
    result = wire.initialize(capabilities=capabilities)["capabilities"]
    assert result["positionEncoding"] in ("utf-8", "utf-16")
    assert result["textDocumentSync"]["change"] == 2
    assert result["codeActionProvider"]["resolveProvider"] is True
    assert "source.fixAll.detour" in result["codeActionProvider"]["codeActionKinds"]
    assert result["hoverProvider"]
    assert "diagnosticProvider" in result


@pytest.mark.parametrize(
    "message",
    [
        b"Content-Length: 5\r\n\r\n[1,2]",
        b"Content-Length: 2\r\n\r\n{]",
        b"Content-Length: 40\r\n\r\n" + b'{"jsonrpc":"2.0","method":"nosuch/note"}',
        b"Content-Length: 48\r\n\r\n" + b'{"jsonrpc":"2.0","id":9,"method":"nosuch/ask"}  ',
        b"Content-Length: 63\r\n\r\n" + b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{}}',
    ],
)
def test_bad_messages_do_not_end_the_server(wire: Wire, message: bytes) -> None:
    wire.initialize()
    wire.raw(message)
    wire.send(id=5, method="detour/card", params={"record": "cuda/out-of-memory"})
    assert "out-of-memory" in wire.answer(5)["result"]["markdown"]


def test_a_request_that_cannot_be_read_is_answered(wire: Wire) -> None:
    wire.send(id=1, method="initialize", params={"processId": "x", "rootUri": None, "capabilities": {}})
    assert wire.answer(1)["error"]["code"] == -32602
    wire.initialize()
    wire.send(id="two", method="textDocument/hover", params={"textDocument": {}, "position": {"line": -1}})
    assert wire.answer("two")["error"]["code"] == -32602
    wire.send(id=5, method="detour/card", params={"record": "cuda/out-of-memory"})
    assert "out-of-memory" in wire.answer(5)["result"]["markdown"]


def test_tcp() -> None:
    import socket

    command = [sys.executable, "-m", "detour_lsp", "server", "--tcp", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        match = re.search(r"listening on 127\.0\.0\.1:(\d+)", line)
        assert match, line
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
        )
        for _ in range(100):
            try:
                client = socket.create_connection(("127.0.0.1", int(match[1])), timeout=10)
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        with client:
            client.sendall(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
            assert b"serverInfo" in client.recv(65536)
        process.kill()


async def test_ten_thousand_edits_leave_nothing_behind(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path
) -> None:
    """The server's memory and what pygls keeps per message stay flat."""
    async with own_session() as client:
        await edit_ten_thousand_times(client, workspace)


async def edit_ten_thousand_times(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    assert client._server is not None
    status = Path(f"/proc/{client._server.pid}/status")

    def resident() -> int:
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmRSS"))

    version = 1
    sizes: list[int] = []
    for batch in range(10):
        for number in range(1000):
            version += 1
            if number % 2:
                client.change(uri, version, ((0, 12, 0, 13), ""))
            else:
                client.change(uri, version, ((0, 12, 0, 12), "x"))
            if number % 100 == 0:
                await asyncio.sleep(0)
        await client.findings(uri, 1)
        if batch in (2, 9):
            sizes.append(resident())
    assert sizes[1] - sizes[0] < 6_000, f"resident memory grew from {sizes[0]} to {sizes[1]} KB over 7,000 edits"


@pytest.mark.parametrize("replies", [False, True])
def test_a_client_that_does_not_keep_its_promises_is_served(wire: Wire, tmp_path: Path, replies: bool) -> None:
    """One that says it has settings and registers, and then answers with errors or not at all."""
    (tmp_path / "run.log").write_text("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n")
    workspace = {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}
    wire.initialize(
        capabilities={"workspace": workspace},
        rootUri=tmp_path.as_uri(),
        initializationOptions={"settings": {"logs.patterns": ["*.log"]}},
    )
    while (message := wire.read()).get("method") != "textDocument/publishDiagnostics":
        assert message.get("method") != "window/showMessage"
        if replies and "id" in message:
            wire.send(id=message["id"], error={"code": -32601, "message": "never heard of it"})
    assert message["params"]["uri"] == (tmp_path / "run.log").as_uri()
    assert message["params"]["diagnostics"]


def test_what_is_no_message_is_refused_and_shown_to_nobody(wire: Wire) -> None:
    wire.initialize()
    for body in (
        b"[]",
        b"null",
        b"{}",
        b'"x"',
        b"{",
        b"",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": {}, "method": "x"}',
    ):
        wire.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    wire.raw(b'Content-Length: 43\r\n\r\n{"id": 2, "method": "textDocument/hover"}  ')
    wire.send(id=3, method="no/such")
    wire.send(id=4, method="textDocument/hover")
    wire.send(method="no/such")
    wire.send(id=5, method="workspace/executeCommand", params={"command": "no.such"})
    wire.send(id=6, method="shutdown")
    wire.send(id=7, method="textDocument/hover", params={})
    answers: dict[Any, Any] = {}
    shown: list[Any] = []
    while 7 not in answers:
        message = wire.read()
        if message.get("method") == "window/showMessage":
            shown.append(message)
        elif "method" not in message:
            answers[message["id"]] = message.get("error", {}).get("code")
    assert answers == {2: -32600, 3: -32601, 4: -32602, 5: -32602, 6: None, 7: -32600}
    assert not shown
