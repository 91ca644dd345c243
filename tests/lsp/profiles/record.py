"""A language server that only notes what its client announces: how the profiles beside this file were made.

Start it from an editor in place of `detour server`; it writes `clientInfo` and `capabilities` of `initialize` to the
file that the variable CAPABILITIES names, and ends when the editor says so. `record.sh` does that for each editor.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def read() -> dict[str, Any] | None:
    """The next message; None at the end of the input."""
    length = 0
    while (line := sys.stdin.buffer.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def send(message: dict[str, Any]) -> None:
    """Write one message."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def main() -> None:
    """Answer an editor until it says `exit`."""
    while (message := read()) is not None and message.get("method") != "exit":
        if message.get("method") == "initialize":
            params = message["params"]
            kept = {"clientInfo": params.get("clientInfo"), "capabilities": params["capabilities"]}
            Path(os.environ["CAPABILITIES"]).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
            send({"id": message["id"], "result": {"capabilities": {}}})
        elif "id" in message and "method" in message:
            send({"id": message["id"], "result": None})


if __name__ == "__main__":
    main()
