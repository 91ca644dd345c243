"""A server process and its raw messages, for what a well-behaved client library cannot say."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from .harness import SERVER_COMMAND


class Wire:
    """A server process and its raw messages."""

    def __init__(self, folder: Path) -> None:
        env = {**os.environ, "DETOUR_RUN_DIR": str(folder / "run")}
        self.process = subprocess.Popen(
            SERVER_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
        )

    def raw(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read(self) -> dict[str, Any]:
        out = self.process.stdout
        assert out
        length = 0
        while (line := out.readline()) != b"\r\n":
            assert line, "the server has ended"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(out.read(length))

    def answer(self, number: int | str) -> dict[str, Any]:
        while (message := self.read()).get("id") != number:
            pass
        return message

    def initialize(self, **params: Any) -> dict[str, Any]:
        self.send(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}, **params})
        result = self.answer(1)["result"]
        self.send(method="initialized", params={})
        return result
