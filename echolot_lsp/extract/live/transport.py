"""The SDK's transports (stdio, streamable HTTP, SSE) under one small face, for both of its majors.

mcp 1 and 2 differ in the message classes, in the HTTP library underneath and in who sets the protocol's headers; nothing else
of the product knows that. The messages that pass here are plain JSON objects.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from echolot_lsp.extract.live import Target


@dataclass(frozen=True, slots=True)
class Noise:
    """A line (or event) from the server that is no JSON-RPC message."""

    text: str


class Closed(Exception):
    """The server has ended the conversation."""


@dataclass(slots=True)
class HttpTrace:
    """What the HTTP answers said, for messages: the last status that was no success, and where a redirect pointed."""

    status: int | None = None
    location: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    """Headers of the protocol that later requests must carry (``mcp-protocol-version``, ``mcp-method``)."""


class Channel:
    """A conversation with a server: JSON objects out, JSON objects or ``Noise`` in."""

    def __init__(self, read: Any, write: Any) -> None:
        self._read = read
        self._write = write

    async def send(self, message: Mapping[str, Any]) -> None:
        """Sends one JSON-RPC message. Raises ``Closed`` where the server is gone."""
        import anyio
        from mcp.shared.message import SessionMessage

        try:
            await self._write.send(SessionMessage(_message(message)))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise Closed from None

    async def receive(self) -> dict[str, Any] | Noise:
        """The next message. Raises ``Closed`` at the end."""
        import anyio

        try:
            item = await self._read.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise Closed from None
        if isinstance(item, Exception):
            return Noise(_text_of(item))
        dumped: dict[str, Any] = item.message.model_dump(by_alias=True, exclude_unset=True)
        return dumped


@asynccontextmanager
async def connect(target: Target, errors: TextIO, trace: HttpTrace) -> AsyncIterator[Channel]:
    """Opens a transport. ``errors`` gets a stdio server's standard error (a real file)."""
    if target.transport == "stdio":
        from mcp.client.stdio import StdioServerParameters, stdio_client

        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-I", _guard_file(), *target.command],
            env=dict(target.environment),
            cwd=target.folder,
            encoding_error_handler="replace",
        )
        async with stdio_client(parameters, errlog=errors) as streams:
            yield Channel(streams[0], streams[1])
    elif target.transport == "sse":
        from mcp.client.sse import sse_client

        def traced(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
            return _watch(_http_client(headers=headers, timeout=timeout, auth=auth), trace, target.url or "")

        async with sse_client(target.url or "", headers=dict(target.headers), httpx_client_factory=traced) as streams:
            yield Channel(streams[0], streams[1])
    else:
        from mcp.client.streamable_http import streamable_http_client

        async with (
            _watch(_http_client(headers=dict(target.headers)), trace, target.url or "") as client,
            streamable_http_client(target.url or "", http_client=client) as streams,
        ):
            yield Channel(streams[0], streams[1])


def _guard_file() -> str:
    from echolot_lsp.extract.live import guard

    return guard.__file__


def _http_client(**arguments: Any) -> Any:
    from mcp.shared._httpx_utils import create_mcp_http_client

    return create_mcp_http_client(**arguments)


def _watch(client: Any, trace: HttpTrace, url: str) -> Any:
    """``client`` with hooks that note refusals and stamp the protocol's headers (mcp 2 leaves that to its session)."""

    home = client.build_request("GET", url).url

    async def before(request: Any) -> None:
        # mcp 1 follows redirects to anywhere, with the caller's headers; mcp 2 stays at the origin by itself
        if (request.url.host, request.url.port) != (home.host, home.port):
            trace.status, trace.location = trace.status or 302, str(request.url)
            raise PermissionError("redirected to another origin")
        for name, value in trace.headers.items():
            request.headers.setdefault(name, value)

    async def after(response: Any) -> None:
        if (response.status_code >= 300 and response.request.method == "POST") or (
            response.status_code >= 300 and trace.status is None
        ):
            trace.status = response.status_code
            trace.location = response.headers.get("location")

    client.event_hooks = {"request": [before], "response": [after]}
    return client


def _message(message: Mapping[str, Any]) -> Any:
    try:
        from mcp_types import jsonrpc_message_adapter  # mcp 2
    except ImportError:
        import mcp.types  # mcp 1

        model: Any = mcp.types.JSONRPCMessage
        return model.model_validate(message)
    return jsonrpc_message_adapter.validate_python(message)


def _text_of(error: Exception) -> str:
    """The line that could not be read, as the SDK's validation error keeps it."""
    errors = getattr(error, "errors", None)
    if callable(errors):
        found = errors()
        if found and isinstance(found[0], dict):
            return str(found[0].get("input", ""))
    return str(error)
