"""What is said about a document keeps its order; what is said about others does not wait for a large text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from detour_lsp.lsp.lanes import Lanes
from detour_lsp.lsp.large_messages import Outline, outline

LOG, PROGRAM = "file:///c%3A/big.log", "file:///c%3A/program.py"


def large(uri: str, method: str = "textDocument/didOpen", number: int | None = None) -> Outline:
    message: dict[str, Any] = {"method": method, "params": {"textDocument": {"uri": uri, "text": "line\n" * 1_000}}}
    if number is not None:
        message["id"] = number
    found = outline(json.dumps(message).encode())
    assert found is not None
    return found


def about(uri: str, number: int) -> dict[str, Any]:
    return {"id": number, "method": "textDocument/hover", "params": {"textDocument": {"uri": uri}}}


def order_of(*messages: Any, long: str = "") -> list[Any]:
    """In which order messages are handled when large ones and those of a method take ten steps: ids or methods."""
    done: list[Any] = []

    async def take(message: Any) -> None:
        if isinstance(message, Outline) or message["method"] == long:
            for _ in range(10):
                await asyncio.sleep(0)
        message = message.message if isinstance(message, Outline) else message
        done.append(message.get("id") or message["method"])

    def spawn(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.create_task(work)

    async def session() -> None:
        lanes = Lanes(take, spawn, lambda message: message["method"] == long)
        for message in messages:
            await lanes.handle(message)
            await asyncio.sleep(0)
        await lanes.finish()

    asyncio.run(session())
    return done


def test_a_hover_elsewhere_goes_ahead() -> None:
    assert order_of(large(LOG), about(PROGRAM, 1), about(PROGRAM, 2)) == [1, 2, "textDocument/didOpen"]


def test_what_is_about_the_document_waits_in_order() -> None:
    change = {"method": "textDocument/didChange", "params": {"textDocument": {"uri": LOG}}}
    found = order_of(large(LOG), about(LOG, 1), about(PROGRAM, 2), change, about(LOG, 3))
    assert found == [2, "textDocument/didOpen", 1, "textDocument/didChange", 3]


def test_the_same_document_in_another_spelling_waits_too() -> None:
    assert order_of(large(LOG), about("file:///c:/big.log", 1)) == ["textDocument/didOpen", 1]


def test_a_document_named_anywhere_in_a_message_counts() -> None:
    resolve = {"id": 1, "method": "codeAction/resolve", "params": {"data": [{"uri": LOG}]}}
    assert order_of(large(LOG), resolve) == ["textDocument/didOpen", 1]


def test_a_cancellation_follows_the_request_that_waits() -> None:
    cancel = {"method": "$/cancelRequest", "params": {"id": 1}}
    assert order_of(large(LOG), about(LOG, 1), cancel) == ["textDocument/didOpen", 1, "$/cancelRequest"]
    assert order_of(large(LOG), about(PROGRAM, 1), cancel) == [1, "$/cancelRequest", "textDocument/didOpen"]


def test_two_large_texts_are_read_side_by_side_and_one_document_twice_in_turn() -> None:
    other = "file:///other.log"
    found = order_of(large(LOG), large(LOG, "textDocument/didChange"), large(other), about(other, 1), about(LOG, 2))
    assert found.index("textDocument/didOpen") < found.index(1)
    assert found.index("textDocument/didChange") < found.index(2)
    assert found.count("textDocument/didOpen") == 2


def test_a_large_request_is_answered_before_what_comes_after_it() -> None:
    assert order_of(large(LOG, "detour/matchLines", 1), about(PROGRAM, 2)) == [1, 2]


def test_when_all_is_read_messages_are_handled_at_once() -> None:
    done: list[int] = []

    async def take(message: Any) -> None:
        done.append(message.message["n"] if isinstance(message, Outline) else message["id"])

    async def session() -> None:
        lanes = Lanes(take, asyncio.create_task)
        text = {"n": 0, "method": "m", "params": {"textDocument": {"uri": LOG, "text": "x\n"}}}
        found = outline(json.dumps(text).encode())
        await lanes.handle(found)
        await lanes.finish()
        await lanes.handle(about(LOG, 1))

    asyncio.run(session())
    assert done == [0, 1]


def test_an_edit_that_takes_long_lets_others_go_ahead() -> None:
    change = {"method": "textDocument/didChange", "params": {"textDocument": {"uri": LOG}}}
    found = order_of(change, about(PROGRAM, 1), about(LOG, 2), about(PROGRAM, 3), long="textDocument/didChange")
    assert found == [1, 3, "textDocument/didChange", 2]
