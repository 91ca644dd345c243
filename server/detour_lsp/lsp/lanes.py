"""Lets other messages go ahead of one whose text of megabytes is still being read, or edited.

Messages about one document keep their order: those that come while its text is read wait behind it. A hover in another
file does not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, cast

from detour_lsp.lsp.greeting import member_at
from detour_lsp.lsp.large_messages import Outline
from detour_lsp.lsp.uris import same

Take = Callable[[Any], Awaitable[None]]


class Lanes:
    """The documents whose text is being read, and what waits for each."""

    def __init__(
        self,
        take: Take,
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[Any]],
        takes_long: Callable[[Any], bool] = lambda _message: False,
    ) -> None:
        """`take` handles a message, or completes an outline and handles that, and never raises.

        `spawn` runs a coroutine beside the one that reads; `takes_long` says of which other messages handling is work.
        """
        self._take = take
        self._spawn = spawn
        self._takes_long = takes_long
        self._waiting: dict[str, deque[Any]] = {}
        self._tasks: list[asyncio.Task[Any]] = []

    async def handle(self, message: Any) -> None:
        """Handle a message (or the outline of one), now or when the texts that it is about have been read."""
        content = message.message if isinstance(message, Outline) else message
        lane = self._lane_of(content) if self._waiting else None
        if lane is not None:
            self._waiting[lane].append(message)
        elif (isinstance(message, Outline) or self._takes_long(content)) and (uri := _document_of(content)) is not None:
            self._waiting[same(uri)] = deque([message])
            self._tasks.append(self._spawn(self._work(same(uri))))
        else:
            await self._take(message)

    async def finish(self) -> None:
        """Wait until all that was handed in has been handled."""
        await asyncio.gather(*self._tasks)

    async def _work(self, lane: str) -> None:
        waiting = self._waiting[lane]
        while waiting:
            # It stays in the queue while it is read, so that what is said about it finds the lane.
            await self._take(waiting[0])
            waiting.popleft()
        del self._waiting[lane]
        self._tasks = [task for task in self._tasks if task is not asyncio.current_task()]

    def _lane_of(self, message: Any) -> str | None:
        """The lane that a message belongs to: it names the document, or takes back a request that waits there."""
        if member_at(message, "method") == "$/cancelRequest":
            number = member_at(message, "params.id")
            return next((lane for lane, queue in self._waiting.items() if _holds(queue, number)), None)
        params = member_at(message, "params")
        return next((lane for lane in self._waiting if _names(params, lane)), None)


def _document_of(message: Any) -> str | None:
    """The document that a notification is about; requests are never put off."""
    uri = member_at(message, "params.textDocument.uri")
    return uri if isinstance(uri, str) and member_at(message, "id") is None else None


def _holds(queue: deque[Any], number: Any) -> bool:
    return number is not None and any(member_at(message, "id") == number for message in queue)


def _names(value: Any, uri: str) -> bool:
    """Whether a URI stands anywhere in a message."""
    if isinstance(value, str):
        return same(value) == uri
    if isinstance(value, dict):
        return any(_names(item, uri) for item in cast("dict[str, Any]", value).values())
    return isinstance(value, list) and any(_names(item, uri) for item in cast("list[Any]", value))
