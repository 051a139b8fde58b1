"""pygls's protocol, held to what LSP asks where it is not: every request is answered, and no answer shows a traceback."""

from __future__ import annotations

import logging
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, lsp_method

log = logging.getLogger(__name__)


class EcholotProtocol(LanguageServerProtocol):
    """One connection."""

    _initialized = False

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message that a JSON object is; one that is none of the protocol's is answered here."""
        try:
            return super().structure_message(data)
        except Exception:
            if "id" in data and "method" in data:
                error = JsonRpcInvalidParams(message=f"The parameters of {data['method']} cannot be understood.")
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        """Hands a message on, where this is the time for it."""
        method, number = getattr(message, "method", None), getattr(message, "id", None)
        if method == types.INITIALIZE:
            again, self._initialized = self._initialized, True
            if again:
                return self._refuse(number, JsonRpcInvalidRequest(message="The server has been initialized already."))
        elif method is not None and not self._initialized and method != types.EXIT:
            return self._refuse(number, JsonRpcServerNotInitialized(message="The server has not been initialized."))
        elif method is not None and number is not None and self._shutdown:
            return self._refuse(number, JsonRpcInvalidRequest(message="The server is shutting down."))
        super().handle_message(message)

    def _refuse(self, number: Any, error: JsonRpcInvalidRequest | JsonRpcServerNotInitialized) -> None:
        """Answers a request; a notification at the wrong time is dropped."""
        if number is not None:
            self._send_response(number, error=error.to_response_error())

    def _execute_handler(self, msg_id: Any, *arguments: Any, **named: Any) -> None:
        """Runs a handler; what pygls notes of it, to cancel it, is let go with its end (of a notification pygls keeps it for ever)."""
        super()._execute_handler(msg_id, *arguments, **named)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda done: self._let_go(msg_id, done))

    def _let_go(self, msg_id: Any, future: Any) -> None:
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]

    def _handle_response(self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():  # whoever asked does not wait any more
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    def _send_response(self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None) -> None:
        if error is not None:  # without its data: a traceback would show this machine's paths
            error = types.ResponseError(code=error.code, message=error.message)
        super()._send_response(msg_id, result, error)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls takes any kind of handler
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """In the request's own task: pygls runs a command in another one, where ``$/cancelRequest`` does not reach it."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(message=f"There is no command {params.command!r}.")
        return await handler(*(params.arguments or ()))

    def send_text(self, body: str) -> None:
        """Sends a message that is JSON already."""
        if self.writer is None:
            return
        data = body.encode("utf-8", "surrogatepass")
        self.writer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
