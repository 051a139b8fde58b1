"""The conversation with a live server, over a scripted channel: no process, no SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from echolot_lsp.extract.live import Listing
from echolot_lsp.extract.live.lister import Lister, Stop
from echolot_lsp.extract.live.transport import Closed, HttpTrace, Noise

Answer = Callable[[Mapping[str, Any]], list[Any]]
TOOL = {"name": "berths", "description": "Count free berths.", "inputSchema": {"type": "object", "properties": {}}}


class Script:
    """A channel that answers each message with what ``answer`` says."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self.sent: list[Mapping[str, Any]] = []

    async def send(self, message: Mapping[str, Any]) -> None:
        self.sent.append(message)
        for item in self._answer(message):
            self._queue.put_nowait(item)

    async def receive(self) -> Any:
        item = await self._queue.get()
        if item is Closed:
            raise Closed
        return item


def result(message: Mapping[str, Any], value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "result": value}


def error(message: Mapping[str, Any], code: int, text: str = "no", data: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text, "data": data}}


def server(on_list: Answer, capabilities: Mapping[str, Any] | None = None) -> Answer:
    def answer(message: Mapping[str, Any]) -> list[Any]:
        if message.get("method") == "initialize":
            greeting = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}} if capabilities is None else capabilities}
            return [result(message, {**greeting, "serverInfo": {"name": "harbour", "version": "2"}})]
        return on_list(message) if message.get("method") == "tools/list" else []

    return answer


def listed(answer: Answer, *, seconds: float = 0.2) -> tuple[Listing, Script]:
    script = Script(answer)

    async def run() -> Listing:
        return await Lister(script, HttpTrace(), seconds, seconds).listing()  # type: ignore[arg-type]

    return asyncio.run(run()), script


def stopped(answer: Answer) -> Stop:
    with pytest.raises(Stop) as caught:
        listed(answer)
    return caught.value


def test_a_list_is_asked_for_twice_and_its_order_found_stable() -> None:
    listing, script = listed(server(lambda message: [result(message, {"tools": [TOOL]})]))
    assert listing.tools == (TOOL,)
    assert listing.stable is True
    assert (listing.server_name, listing.protocol, listing.pages) == ("harbour", "2025-06-18", 1)
    assert [message["method"] for message in script.sent] == ["initialize", "notifications/initialized", "tools/list", "tools/list"]


def test_an_order_that_changes_is_told() -> None:
    turns = iter([[TOOL, {"name": "b"}], [{"name": "b"}, TOOL]])
    listing, _ = listed(server(lambda message: [result(message, {"tools": next(turns)})]))
    assert listing.stable is False


def test_all_pages_are_joined_and_an_empty_string_is_a_cursor() -> None:
    def pages(message: Mapping[str, Any]) -> list[Any]:
        cursor = message.get("params", {}).get("cursor")
        names = {None: ("a", ""), "": ("b", "2"), "2": ("c", None)}[cursor]
        page: dict[str, Any] = {"tools": [{"name": names[0]}]}
        if names[1] is not None:
            page["nextCursor"] = names[1]
        return [result(message, page)]

    listing, _ = listed(server(pages))
    assert [tool["name"] for tool in listing.tools] == ["a", "b", "c"]
    assert listing.pages == 3
    assert not listing.looped


def test_a_cursor_that_never_advances_ends_and_the_repeated_page_is_dropped() -> None:
    listing, _ = listed(server(lambda message: [result(message, {"tools": [TOOL], "nextCursor": "same"})]))
    assert listing.looped
    assert listing.tools == (TOOL,)
    assert listing.stable is None


def test_cursors_that_are_always_new_over_the_same_page_end_too() -> None:
    numbers = iter(range(10**6))
    listing, _ = listed(server(lambda message: [result(message, {"tools": [TOOL], "nextCursor": str(next(numbers))})]))
    assert listing.looped
    assert listing.tools == (TOOL,)


def test_endless_new_pages_are_cut() -> None:
    numbers = iter(range(10**9))

    def page(message: Mapping[str, Any]) -> list[Any]:
        return [result(message, {"tools": [{"name": f"t{next(numbers)}"} for _ in range(500)], "nextCursor": str(next(numbers))})]

    listing, _ = listed(server(page), seconds=10)
    assert listing.truncated
    assert 10_000 <= len(listing.tools) <= 11_000


def test_noise_is_kept_apart_and_counted() -> None:
    noise = [Noise("Starting…"), Noise("   "), Noise("ready")]
    listing, _ = listed(server(lambda message: [*noise, result(message, {"tools": [TOOL]})]))
    assert listing.tools == (TOOL,)
    assert listing.noise_lines == 4  # twice two: blank lines do not count
    assert listing.noise[:2] == ("Starting…", "ready")


def test_a_server_that_asks_gets_answers() -> None:
    asked = [{"jsonrpc": "2.0", "id": "p", "method": "ping"}, {"jsonrpc": "2.0", "id": "r", "method": "roots/list"}]
    _, script = listed(server(lambda message: [*asked, result(message, {"tools": []})]))
    replies = {message["id"]: message for message in script.sent if "method" not in message}
    assert replies["p"]["result"] == {}
    assert replies["r"]["error"]["code"] == -32601


def test_no_tools_capability_and_no_method_is_no_failure() -> None:
    listing, _ = listed(server(lambda message: [error(message, -32601, "Method not found")], capabilities={}))
    assert listing.tools == ()
    assert listing.failure is None
    assert listing.no_tools == "it answered tools/list with: Method not found"


def test_tools_without_an_announced_capability_are_listed() -> None:
    listing, _ = listed(server(lambda message: [result(message, {"tools": [TOOL]})], capabilities={}))
    assert listing.tools == (TOOL,)
    assert listing.no_tools is None


def test_a_server_without_handshake_is_listed_with_its_version_in_every_request() -> None:
    def modern(message: Mapping[str, Any]) -> list[Any]:
        if message["method"] == "initialize":
            return [error(message, -32022, "unsupported", {"supported": ["2026-07-28"]})]
        meta = message["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        if message["method"] == "server/discover":
            return [result(message, {"capabilities": {"tools": {}}, "serverInfo": {"name": "new"}})]
        return [result(message, {"tools": [TOOL], "resultType": "complete"})]

    listing, _ = listed(modern)
    assert listing.tools == (TOOL,)
    assert (listing.handshake, listing.protocol, listing.server_name) == (False, "2026-07-28", "new")


def test_tools_of_any_type_are_kept_as_they_came() -> None:
    listing, _ = listed(server(lambda message: [result(message, {"tools": [TOOL, 7, None, {"name": 3}]})]))
    assert listing.tools == (TOOL, 7, None, {"name": 3})


def test_a_silent_server_is_a_timeout() -> None:
    assert stopped(server(lambda message: [])).failure.kind == "timeout"
    assert "initialize" in stopped(lambda message: []).failure.message


def test_a_wrong_id_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("echolot_lsp.extract.live.lister.WRONG_ID_SECONDS", 0.01)
    failure = stopped(server(lambda message: [{"jsonrpc": "2.0", "id": 99, "result": {"tools": []}}])).failure
    assert failure.kind == "protocol"
    assert failure.message == "The server answered tools/list with the id 99 instead of 2."


def test_an_error_from_a_server_with_tools_is_its_own_words() -> None:
    failure = stopped(server(lambda message: [error(message, -32603, "Handler returned an invalid result")])).failure
    assert failure.message == "The server answered tools/list with an error: Handler returned an invalid result"


@pytest.mark.parametrize("answer", [None, [], {"tools": {}}, {"tools": None}, {}])
def test_an_answer_without_a_list_is_a_protocol_failure(answer: Any) -> None:
    assert stopped(server(lambda message: [result(message, answer)])).failure.kind == "protocol"


def test_a_server_that_ends_closes_the_conversation() -> None:
    with pytest.raises(Closed):
        listed(server(lambda message: [Closed]))
