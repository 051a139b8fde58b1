"""What was known of an older text is let go."""

from __future__ import annotations

import ast
import asyncio
import gc
import weakref
from pathlib import Path

from echolot_lsp.lsp.server import build
from echolot_lsp.model import Tool
from tests.lsp.desk import PYTHON, Desk, json_text, run


def test_tools_of_older_texts_are_let_go(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("tools.json", json_text())
        await desk.open("server.py", PYTHON)
        seen: list[weakref.ref[Tool]] = []
        for version in range(2, 22):
            await desk.change("tools.json", json_text().replace("seen last", f"seen last by {version}"), version)
            await desk.change("server.py", PYTHON.replace("seen last", f"seen last by {version}"), version)
            for reading in desk.session.readings.values():
                seen += [weakref.ref(tool) for server in reading.servers for tool in server.tools]
        del reading
        gc.collect()
        alive = {id(tool) for tool in (each() for each in seen) if tool is not None}
        assert len(alive) <= 8  # two servers of two tools: those of now, and those of the count before

    run(work())


def test_files_that_were_opened_and_closed_leave_nothing(tmp_path: Path) -> None:
    def held() -> int:
        gc.collect()
        return sum(
            type(each).__module__.startswith(("echolot_lsp.", "libcst.")) or isinstance(each, ast.AST) for each in gc.get_objects()
        )

    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("server.py", PYTHON)

        async def visit(number: int) -> None:
            await desk.open(f"other_{number}.py", PYTHON.replace("depot", f"depot_{number}"))
            desk.session.close(desk.uri(f"other_{number}.py"))
            await desk.session.counted()
            desk.sent.clear()

        for number in range(6):
            await visit(number)
        before = held()
        for number in range(6, 18):
            await visit(number)
        assert held() < before + 100  # one file alone has more

    run(work())


def test_messages_that_were_taken_leave_nothing(tmp_path: Path) -> None:
    class Nowhere:
        def write(self, data: bytes) -> None: ...

    async def work() -> None:
        server = build()
        server.protocol.set_writer(Nowhere())  # type: ignore[arg-type]
        uri = (tmp_path / "tools.json").as_uri()
        document = {"uri": uri, "languageId": "json", "version": 1, "text": json_text()}
        changes = [
            ("textDocument/didChange", {"textDocument": {"uri": uri, "version": number}, "contentChanges": [{"text": json_text()}]})
            for number in range(2, 40)
        ]
        ask = [("textDocument/documentSymbol", {"textDocument": {"uri": uri}})] * 5
        messages = [("initialize", {"processId": None, "capabilities": {}}), ("textDocument/didOpen", {"textDocument": document})]
        for number, (method, params) in enumerate([*messages, *changes, *ask]):
            data = {"jsonrpc": "2.0", "method": method, "params": params}
            if method in ("initialize", "textDocument/documentSymbol"):
                data["id"] = number
            server.protocol.handle_message(server.protocol.structure_message(data))
            await server.session.at_rest()
        for _ in range(10):  # the answers are sent
            await asyncio.sleep(0)
        assert server.protocol._request_futures == {}
        await server.end()

    run(work())
