"""pygls' protocol without its leaks and pop-ups (PYGLS.md lists what was measured)."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.workspace import Workspace

_log = logging.getLogger(__name__)


class DetourProtocol(LanguageServerProtocol):
    """The protocol of the server."""

    def use_workspace(self, workspace: Workspace) -> None:
        """Put our documents in place of pygls' own; `initialize` has made those, and has no hook for others."""
        self._workspace = workspace

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; a request that cannot be read is refused by its number: pygls leaves the client waiting."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if "method" in data and isinstance(number, (int, str)):
                self._send_response(number, error=error.to_response_error())
            raise

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        """Handle a request; one that comes before `initialize` is refused as LSP says."""
        if self._workspace is None and method_name != types.INITIALIZE:
            error = types.ResponseError(types.ErrorCodes.ServerNotInitialized, "initialize comes first")
            self._send_response(msg_id, error=error)
            return
        super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        """Handle a notification; those that come before `initialize` are dropped as LSP says, but for `exit`."""
        if self._workspace is None and method_name not in (types.EXIT, types.CANCEL_REQUEST):
            return
        super()._handle_notification(method_name, params)

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Any,
        callback: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler, and forget its future when it is done: pygls keeps one for every notification."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            # Not at once: `shutdown` walks through all futures while it cancels them.
            loop = asyncio.get_running_loop()
            future.add_done_callback(lambda done: loop.call_soon_threadsafe(self._forget, msg_id, done))

    def _run_generator(self, future: Any, *, gen: Any, result_future: Any) -> None:
        """Go on with a handler of pygls' own; when what it waited for was cancelled, so is it."""
        if future is not None and future.cancelled():
            gen.close()
            result_future.cancel()
            return
        super()._run_generator(future, gen=gen, result_future=result_future)

    def _forget(self, msg_id: Any, done: Any) -> None:
        if self._request_futures.get(msg_id) is done:
            del self._request_futures[msg_id]

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """Cancel what can be cancelled; a request that is done, or not ours to stop, is no cause for a warning."""
        future = self._request_futures.get(msg_id)
        if isinstance(future, asyncio.Future):
            future.cancel()

    def _handle_response(self, msg_id: Any, result: Any | None = None, error: Any | None = None) -> None:
        """Take a reply from the client, also one that nobody waits for any more."""
        self._result_types.pop(msg_id, None)
        future = self._request_futures.get(msg_id)
        if future is None or future.done():
            self._request_futures.pop(msg_id, None)
            return
        super()._handle_response(msg_id, result, error)
