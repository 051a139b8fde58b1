"""Lists the tools of one open server: handshake (or none), all pages, twice. Raw JSON-RPC; nothing is validated."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping
from typing import Any

from echolot_lsp.extract.live import LIST_SECONDS, START_SECONDS, Failure, Listing
from echolot_lsp.extract.live.delay import seconds_kept_waiting
from echolot_lsp.extract.live.transport import Channel, Closed, HttpTrace, Noise

HANDSHAKE_VERSION = "2025-11-25"
"""The newest revision with an ``initialize`` handshake; servers answer with the one they speak (2024-11-05 to here)."""
MODERN_VERSION = "2026-07-28"
"""The first revision without a handshake: every request carries its version and the client's capabilities in ``_meta``."""
CLIENT = {"name": "echolot", "version": "1"}
METHOD_NOT_FOUND = -32601
UNSUPPORTED_VERSION = -32022
MAX_TOOLS = 10_000
MAX_PAGES = 1_000
MAX_NOISE_KEPT = 5
WRONG_ID_SECONDS = 3.0
LIST_CHANGED = "notifications/tools/list_changed"
CHANGES_SECONDS = 0.5
"""Changes that are told within this time are read at once: a server that registers ten tools tells it ten times."""


class Stop(Exception):
    """Listing ends here, with a reason."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class RequestError(Exception):
    """The server answered a request with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Lister:
    """One conversation. ``heard`` is what to tell even when it fails half way."""

    def __init__(
        self, channel: Channel, trace: HttpTrace, start_seconds: float = START_SECONDS, list_seconds: float = LIST_SECONDS
    ) -> None:
        self._channel = channel
        self._trace = trace
        self._start_seconds = start_seconds
        self._list_seconds = list_seconds
        self._next_id = 0
        self._meta: dict[str, Any] | None = None
        self._capabilities: Mapping[str, Any] | None = None
        self._changed = False
        self._subscription: int | None = None
        self.noise: list[str] = []
        self.noise_lines = 0
        self.heard: dict[str, Any] = {}

    async def listing(self) -> Listing:
        """The whole list; greets the server the first time. Raises ``Stop`` with the reason where it cannot be had."""
        if self._capabilities is None:
            began = time.monotonic()
            self._capabilities = await self._open()
            self.heard["start_seconds"] = max(0.0, time.monotonic() - began - seconds_kept_waiting())
        capabilities = self._capabilities
        try:
            tools, pages, looped, truncated = await self._all_pages()
        except RequestError as error:
            if error.code == METHOD_NOT_FOUND or "tools" not in capabilities:
                return self._listing(no_tools=f"it answered tools/list with: {_short(str(error))}")
            raise Stop(Failure("protocol", f"The server answered tools/list with an error: {_short(str(error))}")) from None
        no_tools = None if tools or "tools" in capabilities else "it announces no tools capability"
        stable = None if looped or truncated else await self._same_again(tools)
        return self._listing(tools=tuple(tools), pages=pages, looped=looped, truncated=truncated, no_tools=no_tools, stable=stable)

    def _listing(self, **found: Any) -> Listing:
        return Listing(noise=tuple(self.noise), noise_lines=self.noise_lines, **self.heard, **found)

    async def _open(self) -> Mapping[str, Any]:
        """Greets the server; answers its capabilities."""
        parameters = {"protocolVersion": HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": CLIENT}
        try:
            answer = await self._request("initialize", parameters, self._start_seconds)
        except RequestError as error:
            if self._trace.status is not None and error.code not in (UNSUPPORTED_VERSION, METHOD_NOT_FOUND):
                raise Stop(refused(self._trace, _short(str(error)))) from None
            return await self._open_without_handshake(error)
        version = answer.get("protocolVersion")
        self.heard.update(
            protocol=version if isinstance(version, str) else None, handshake=True, **_named(answer.get("serverInfo"))
        )
        if isinstance(version, str):
            self._trace.headers["mcp-protocol-version"] = version
        await self._channel.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        capabilities = answer.get("capabilities")
        return capabilities if isinstance(capabilities, dict) else {}

    async def _open_without_handshake(self, refusal: RequestError) -> Mapping[str, Any]:
        """A server of 2026-07-28 or later refuses ``initialize``; it is asked what it is by ``server/discover``."""
        supported = refusal.data.get("supported") if isinstance(refusal.data, dict) else None
        version = supported[-1] if isinstance(supported, list) and supported and MODERN_VERSION not in supported else MODERN_VERSION
        self._meta = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": CLIENT,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        self._trace.headers["mcp-protocol-version"] = str(version)
        self.heard.update(protocol=version, handshake=False)
        try:
            answer = await self._request("server/discover", {}, self._list_seconds)
        except RequestError:
            if self._trace.status is not None:
                raise Stop(refused(self._trace, _short(str(refusal)))) from None
            return {"tools": {}}
        self.heard.update(_named(answer.get("serverInfo")))
        capabilities = answer.get("capabilities")
        return capabilities if isinstance(capabilities, dict) else {}

    async def changed(self) -> None:
        """Waits until the server says that its list has changed, or said so since it was read. Raises ``Closed`` when it ends."""
        await self._subscribe()
        while not self._changed:
            await self._hear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CHANGES_SECONDS):
                while True:
                    await self._hear()
        self._changed = False

    async def _subscribe(self) -> None:
        """Without a handshake a server tells changes only on a stream that was asked for (2026-07-28, ``subscriptions/listen``)."""
        if self._meta is None or self._subscription is not None:
            return
        self._next_id += 1
        self._subscription = self._next_id
        await self._send("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, self._subscription)

    async def _hear(self) -> None:
        message = await self._channel.receive()
        if isinstance(message, Noise):
            self._note(message)
        elif "method" in message:
            await self._reply(message)

    async def _all_pages(self) -> tuple[list[Any], int, bool, bool]:
        tools: list[Any] = []
        cursors: set[str] = set()
        seen: set[str] = set()
        cursor: Any = None
        for page in range(1, MAX_PAGES + 1):
            answer = await self._request("tools/list", {} if cursor is None else {"cursor": cursor}, self._list_seconds)
            entries = answer.get("tools")
            if not isinstance(entries, list):
                raise Stop(Failure("protocol", "The server's answer to tools/list holds no list of tools."))
            text = json.dumps(entries, sort_keys=True, default=str)
            if entries and text in seen:
                return tools, page - 1, True, False
            seen.add(text)
            tools.extend(entries)
            # an empty string is a cursor; only its absence (or null) ends the list
            cursor = answer.get("nextCursor")
            if cursor is None:
                return tools, page, False, False
            if str(cursor) in cursors:
                return tools, page, True, False
            cursors.add(str(cursor))
            if len(tools) > MAX_TOOLS:
                return tools, page, False, True
        return tools, MAX_PAGES, False, True

    async def _same_again(self, tools: list[Any]) -> bool | None:
        """Whether a second listing answers the same in the same order (prompt caches live on that)."""
        try:
            again, _, _, _ = await self._all_pages()
        except (RequestError, Stop, Closed):
            return None
        return again == tools

    async def _request(self, method: str, parameters: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._next_id += 1
        number = self._next_id
        try:
            async with asyncio.timeout(seconds):
                await self._send(method, parameters, number)
                return await self._answer(number, method)
        except TimeoutError:
            raise Stop(Failure("timeout", f"The server did not answer {method} within {seconds:g} seconds.")) from None

    async def _send(self, method: str, parameters: dict[str, Any], number: int) -> None:
        if self._meta is not None:
            parameters = {**parameters, "_meta": self._meta}
            self._trace.headers["mcp-method"] = method
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
        if parameters:
            message["params"] = parameters
        await self._channel.send(message)

    async def _answer(self, number: int, method: str) -> dict[str, Any]:
        strange: Any = None
        while True:
            try:
                async with asyncio.timeout(None if strange is None else WRONG_ID_SECONDS):
                    message = await self._channel.receive()
            except TimeoutError:
                raise Stop(
                    Failure("protocol", f"The server answered {method} with the id {strange!r} instead of {number}.")
                ) from None
            if isinstance(message, Noise):
                self._note(message)
            elif "method" in message:
                await self._reply(message)
            elif (message.get("id") == number and not isinstance(message.get("id"), bool)) or (
                message.get("id") is None and "error" in message
            ):
                return _result(message, method)
            elif self._subscription is not None and message.get("id") == self._subscription:
                continue  # the subscription was refused, or has ended
            else:
                strange = message.get("id")

    def _note(self, noise: Noise) -> None:
        if not noise.text.strip():
            return
        self.noise_lines += 1
        if len(self.noise) < MAX_NOISE_KEPT:
            self.noise.append(_short(noise.text))

    async def _reply(self, message: Mapping[str, Any]) -> None:
        """Answers what a server may ask of a client: a ping; nothing else is offered. Remembers that the list has changed."""
        if message["method"] == LIST_CHANGED:
            self._changed = True
        if "id" not in message:
            return
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            answer["result"] = {}
        else:
            answer["error"] = {"code": METHOD_NOT_FOUND, "message": "Method not found"}
        await self._channel.send(answer)


def refused(trace: HttpTrace, said: str) -> Failure:
    """What an HTTP status that is no success means, in one sentence."""
    status = trace.status
    if status in (401, 403, 407):
        text = f"The server answered {status}: it wants to know who asks; give it a token with --header 'Authorization: Bearer …'."
    elif status is not None and 300 <= status < 400:
        text = f"The server answered {status} and points to {trace.location or 'another address'}; use that URL if you trust it."
    elif status == 404:
        text = "The server answered 404: there is no MCP endpoint at this URL."
    elif status == 405:
        text = "The server answered 405: this URL takes no MCP requests."
    elif status == 429:
        text = "The server answered 429: it wants fewer requests; try again later."
    else:
        text = f"The server answered {status}" + (f": {said}" if status is None or status < 500 else "; its own log may say why.")
    return Failure("http", text)


def _result(message: Mapping[str, Any], method: str) -> dict[str, Any]:
    error = message.get("error")
    if isinstance(error, dict):
        raise RequestError(int(error.get("code") or 0), str(error.get("message", "")), error.get("data"))
    result = message.get("result")
    if not isinstance(result, dict):
        raise Stop(Failure("protocol", f"The server's answer to {method} is no object."))
    return result


def _named(info: Any) -> dict[str, Any]:
    info = info if isinstance(info, dict) else {}
    return {f"server_{key}": value for key in ("name", "version") if isinstance(value := info.get(key), str)}


def _short(text: str, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
