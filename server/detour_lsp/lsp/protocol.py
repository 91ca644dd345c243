"""pygls' protocol without its leaks and pop-ups (PYGLS.md lists what was measured)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.workspace import Workspace

from detour_lsp.lsp.greeting import Greeting, answer, encoding_of, greeting_of
from detour_lsp.lsp.large_texts import prepare

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

_log = logging.getLogger(__name__)


class DetourProtocol(LanguageServerProtocol):
    """The protocol of the server."""

    _server: DetourServer  # pyright: ignore[reportIncompatibleVariableOverride] - the only server with this protocol
    #: The number of the `initialize` request when it was answered before this object was made.
    answered: int | str | None = None
    #: What the client said of itself.
    greeting: Greeting

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        #: Requests that are being answered while the client traces: method, document, start.
        self._traced: dict[int | str, tuple[str, str, float]] = {}
        #: What the handlers of pygls' own, by the future of their answer, are waiting for.
        self._waits_for: dict[Any, Any] = {}

    def use_workspace(self, workspace: Workspace) -> None:
        """Put our documents in place of pygls' own; `initialize` has made those, and has no hook for others."""
        self._workspace = workspace

    @property
    def has_workspace(self) -> bool:
        """Whether `initialize` has been handled."""
        return self._workspace is not None

    async def take(self, data: Any) -> None:
        """Handle a message as it was decoded."""
        if self._refused(data):
            return
        message = self.structure_message(data)
        await prepare(self._server, message)
        self.handle_message(message)

    def _refused(self, data: Any) -> bool:
        """Whether this is no message of JSON-RPC 2.0, or a request after `shutdown`; whoever asks hears of it."""
        fields = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        method, number = fields.get("method"), fields.get("id")
        asks = "method" in fields and isinstance(number, (int, str))
        good = fields.get("jsonrpc") == self.VERSION and isinstance(method, (str, type(None)))
        good = good and isinstance(number, (int, str, type(None)))
        if good and not (asks and self._shutdown):
            return False
        reason = "the server has been shut down" if good else "not a message of JSON-RPC 2.0"
        if asks and isinstance(number, (int, str)):
            self._send_response(number, error=types.ResponseError(types.ErrorCodes.InvalidRequest, reason))
        else:
            self._server.report_server_error(JsonRpcInvalidRequest(reason), JsonRpcInvalidRequest)
        return True

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; a request that cannot be read is refused by its number: pygls leaves the client waiting."""
        try:
            if data.get("method") == types.INITIALIZE and "id" in data:
                return self._initialize_request(data)
            # Where there is nothing to say, parameters may be left out; pygls only knows that of its own messages.
            return super().structure_message({"params": None, **data} if "method" in data else data)
        except JsonRpcException as error:
            number = data.get("id")
            if "method" in data and isinstance(number, (int, str)):
                self._send_response(number, error=error.to_response_error())
            raise

    def _initialize_request(self, data: dict[str, Any]) -> types.InitializeRequest:
        """The request as pygls wants it, with what has been checked of it; reading all of it takes 50 ms."""
        try:
            self.greeting = greeting = greeting_of(data)
        except ValueError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        encoding = types.PositionEncodingKind(encoding_of(greeting))
        params = types.InitializeParams(
            capabilities=types.ClientCapabilities(
                general=types.GeneralClientCapabilities(position_encodings=[encoding])
            ),
            process_id=greeting.process_id,
            root_uri=greeting.root_uri,
            root_path=greeting.root_path,
            locale=greeting.locale,
            initialization_options=greeting.options,
            workspace_folders=None
            if greeting.folders is None
            else [types.WorkspaceFolder(uri, name) for uri, name in greeting.folders],
        )
        return types.InitializeRequest(id=greeting.number, params=params)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, Any]:
        """Answer with what the table of features says; pygls' own answer is made of the same parts, but later."""
        if self.greeting.trace in ("messages", "verbose"):
            self.trace = types.TraceValue(self.greeting.trace)
        yield from super().lsp_initialize(params)
        return answer(self.greeting)

    def _send_response(self, msg_id: int | str, result: Any | None = None, error: Any | None = None) -> None:
        """Answer a request, unless it was answered before the server was there."""
        if self.answered is not None and msg_id == self.answered:
            self.answered = None
        else:
            super()._send_response(msg_id, result, error)
        self._trace_end(msg_id, error)

    def _trace_end(self, msg_id: int | str, error: Any) -> None:
        """Tell a client that traces how long a request took; `verbose` adds what it was about, never any text."""
        method, about, start = self._traced.pop(msg_id, ("", "", 0.0))
        if not method or self.trace == types.TraceValue.Off:
            return
        taken = (time.perf_counter() - start) * 1000
        message = f"{method} ({msg_id}) {'failed' if error else 'answered'} after {taken:.1f} ms"
        verbose = about if self.trace == types.TraceValue.Verbose else None
        self.notify(types.LOG_TRACE, types.LogTraceParams(message, verbose or None))

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        """Handle a request; one before `initialize`, or a second `initialize`, is refused as LSP says."""
        first = method_name == types.INITIALIZE
        if (self._workspace is None) != first:
            code = types.ErrorCodes.InvalidRequest if first else types.ErrorCodes.ServerNotInitialized
            self._send_response(msg_id, error=types.ResponseError(code, "initialize comes first, and once"))
            return
        if self.trace != types.TraceValue.Off or first:
            document = getattr(params, "text_document", None)
            self._traced[msg_id] = (method_name, str(getattr(document, "uri", "")), time.perf_counter())
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
        # A command runs inside of pygls' own handler of commands: to cancel the request is to cancel what it waits for.
        waiting: asyncio.Future[Any] | None = getattr(callback, "keywords", {}).get("result_future")
        if waiting is not None and future is not None:
            self._waits_for[waiting] = future
            waiting.add_done_callback(self._waits_no_longer)

    def _run_generator(self, future: Any, *, gen: Any, result_future: Any) -> None:
        """Go on with a handler of pygls' own; when what it waited for was cancelled, so is it."""
        if future is not None and future.cancelled():
            gen.close()
            result_future.cancel()
            return
        super()._run_generator(future, gen=gen, result_future=result_future)

    def _waits_no_longer(self, done: asyncio.Future[Any]) -> None:
        self._waits_for.pop(done, None)

    def _forget(self, msg_id: Any, done: Any) -> None:
        if self._request_futures.get(msg_id) is done:
            del self._request_futures[msg_id]

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """Cancel what can be cancelled; a request that is done, or not ours to stop, is no cause for a warning."""
        future = self._request_futures.get(msg_id)
        future = self._waits_for.get(future, future) if future is not None else None
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
