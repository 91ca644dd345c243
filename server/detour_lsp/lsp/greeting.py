"""Answers `initialize` from plain data: importing pygls and lsprotocol takes longer than all else of the start.

What the client sent is read here and nowhere else, so the answer that is given early and the server that is built
afterwards cannot disagree. Only what the server looks at is checked: a client that is wrong elsewhere is served.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from detour_lsp.lsp.features import COMMANDS, REQUESTS
from detour_lsp.version import __version__

#: The position encodings that are understood; the client's first choice among them is taken.
ENCODINGS = ("utf-8", "utf-16", "utf-32")
#: More than this before a blank line is no header.
MOST_HEADER_BYTES = 10_000


class Greeting(NamedTuple):
    """What the client says of itself in `initialize`."""

    number: int | str
    process_id: int | None
    root_uri: str | None
    root_path: str | None
    #: URI and name of each workspace folder; None where the client does not know folders.
    folders: tuple[tuple[str, str], ...] | None
    locale: str | None
    trace: str
    options: Any
    capabilities: Mapping[str, Any]


class Opening(NamedTuple):
    """The first message as it came, and the number of the request that has been answered already."""

    message: bytes
    answered: int | str | None


def greeting_of(message: Any) -> Greeting:
    """Read an `initialize` request; raises ValueError with what is wrong."""
    request = cast("dict[str, Any]", message) if isinstance(message, dict) else {}
    if request.get("method") != "initialize" or not isinstance(request.get("params"), dict):
        raise ValueError("no initialize request")
    given = cast("dict[str, Any]", request["params"])

    def value(name: str, *kinds: type) -> Any:
        found = given.get(name)
        if found is not None and (not isinstance(found, kinds) or isinstance(found, bool)):
            raise ValueError(f"{name} must not be {type(found).__name__}")
        return found

    number = request.get("id")
    if not isinstance(number, (int, str)) or isinstance(number, bool):
        raise ValueError("the id must be a number or text")
    folders = cast("list[Any] | None", value("workspaceFolders", list))
    return Greeting(
        number=number,
        process_id=value("processId", int),
        root_uri=value("rootUri", str),
        root_path=value("rootPath", str),
        folders=None if folders is None else tuple(_folder(folder) for folder in folders),
        locale=value("locale", str),
        trace=str(given.get("trace") or "off"),
        options=given.get("initializationOptions"),
        capabilities=value("capabilities", dict) or {},
    )


def _folder(value: Any) -> tuple[str, str]:
    uri = cast("dict[str, Any]", value).get("uri") if isinstance(value, dict) else None
    if not isinstance(uri, str):
        raise ValueError("a workspace folder has a uri")
    return uri, str(cast("dict[str, Any]", value).get("name") or uri)


def member_at(value: Any, path: str) -> Any:
    """What stands under a dotted path (`textDocument.hover`) of capabilities or a message; None where nothing does."""
    found = value
    for name in path.split("."):
        if not isinstance(found, Mapping):
            return None
        found = cast("Mapping[str, Any]", found).get(name)
    return found


def encoding_of(greeting: Greeting) -> str:
    """The position encoding that is spoken with this client."""
    offered = member_at(greeting.capabilities, "general.positionEncodings")
    return next((item for item in cast("list[Any]", offered or ()) if item in ENCODINGS), "utf-16")


def pushed_although_pulled(capabilities: Mapping[str, Any]) -> bool:
    """Whether a client pulls diagnostics but cannot be told to pull again, as Neovim up to 0.11.

    Findings change with settings, records and installed packages as well as with the text, so such a client would show
    what is no longer so until the next keystroke: to it they are pushed, and pulling is not offered.
    """
    pulls = member_at(capabilities, "textDocument.diagnostic") is not None
    return pulls and not member_at(capabilities, "workspace.diagnostics.refreshSupport")


def answer(greeting: Greeting) -> dict[str, Any]:
    """The result of `initialize`."""
    capabilities: dict[str, Any] = {
        "positionEncoding": encoding_of(greeting),
        "textDocumentSync": {"openClose": True, "change": 2, "save": False},
        **{request.provider: request.options for request in REQUESTS if request.provider},
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if pushed_although_pulled(greeting.capabilities):
        del capabilities["diagnosticProvider"]
    if member_at(greeting.capabilities, "notebookDocument") is not None:
        cells = {"notebook": {"notebookType": "jupyter-notebook"}, "cells": [{"language": "python"}]}
        capabilities["notebookDocumentSync"] = {"notebookSelector": [cells], "save": False}
    return {"capabilities": capabilities, "serverInfo": {"name": "detour", "version": __version__}}


def greet(stdin: int, stdout: int) -> Opening:
    """Wait for the first message and answer it, if it is an `initialize` that can be read; else leave it to the server.

    Both are file descriptors: nothing behind the first message may be taken into a buffer.
    """
    message, body = _first_message(stdin)
    try:
        greeting = greeting_of(json.loads(body))
    except (ValueError, RecursionError):
        return Opening(message, None)
    reply = json.dumps({"jsonrpc": "2.0", "id": greeting.number, "result": answer(greeting)}).encode()
    rest = b"Content-Length: %d\r\n\r\n" % len(reply) + reply
    while rest:
        rest = rest[os.write(stdout, rest) :]
    return Opening(message, greeting.number)


def _first_message(stdin: int) -> tuple[bytes, bytes]:
    """The first message with its header, and its body alone; whatever came before the input ended."""
    header = b""
    while not header.endswith(b"\r\n\r\n") and len(header) < MOST_HEADER_BYTES:
        # Byte by byte: it is a hundred bytes once, and the rest of the stream is not ours.
        byte = os.read(stdin, 1)
        if not byte:
            return header, b""
        header += byte
    lines = [line.partition(b":") for line in header.lower().split(b"\r\n")]
    length = next((value.strip() for name, _, value in lines if name.strip() == b"content-length"), b"")
    body = bytearray()
    while length.isdigit() and len(body) < int(length):
        piece = os.read(stdin, int(length) - len(body))
        if not piece:
            break
        body += piece
    return header + bytes(body), bytes(body)
