"""A server over streamable HTTP that is kept open tells its changes on the stream that the client listens to."""

from __future__ import annotations

import asyncio
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from echolot_lsp.extract.live import Target
from echolot_lsp.extract.live.run import Conversation

CHANGED = b'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'


class Growing(BaseHTTPRequestHandler):
    """Lists one tool twice, says that the list has changed, and lists two from then on."""

    listed = 0
    read = Event()
    over = Event()

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "id" not in message:
            self.answer(202, b"")
            return
        result: dict[str, object]
        if message["method"] == "initialize":
            result = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "quay"},
            }
        else:
            type(self).listed += 1
            result = {"tools": [{"name": name} for name in ("berths", "tides")[: 1 if self.listed <= 2 else 2]]}
        self.answer(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())
        if self.listed == 2:
            self.read.set()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.read.wait(30)
        self.wfile.write(CHANGED)
        self.wfile.flush()
        self.over.wait(30)

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("mcp-session-id", "quay-1")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_DELETE(self) -> None:
        self.answer(200, b"")

    def log_message(self, format: str, *arguments: object) -> None: ...


def test_a_change_over_http_is_read() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Growing)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()

    async def run() -> list[list[str]]:
        target = Target(transport="http", url=f"http://127.0.0.1:{server.server_port}/mcp")
        conversation = await Conversation.open(target, follow=True)
        async with asyncio.timeout(30):
            first, later = await conversation.first(), await conversation.next()
        await conversation.close()
        assert later is not None
        return [[tool["name"] for tool in listing.tools] for listing in (first, later)]

    try:
        assert asyncio.run(run()) == [["berths"], ["berths", "tides"]]
    finally:
        Growing.over.set()
        server.shutdown()
        server.server_close()
