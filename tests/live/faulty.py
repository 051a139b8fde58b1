"""A stdio server with one fault, chosen by its argument. Standard library only.

It answers ``initialize`` and ``tools/list`` rightly but for the fault.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

TOOL = {
    "name": "berths",
    "description": "Count the free berths of a quay; returns a number.",
    "inputSchema": {"type": "object", "properties": {}},
}
FAULT = sys.argv[1]
CHANGED = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
listed = 0
"""How often tools/list was asked."""


def send(message: Any) -> None:
    raw(json.dumps(message).encode() + b"\n")


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def greet(message: dict[str, Any]) -> None:
    if FAULT == "never-answers":
        return
    if FAULT == "late":
        time.sleep(6)
    if FAULT == "crash-in-initialize":
        sys.exit("harbour: no such quay")
    if FAULT in ("no-handshake", "changes-without-handshake"):
        send(
            {
                "jsonrpc": "2.0",
                "id": message["id"],
                "error": {"code": -32022, "message": "unsupported", "data": {"supported": ["2026-07-28"]}},
            }
        )
        return
    capabilities = {} if FAULT == "no-tools" else {"tools": {"listChanged": True}}
    info = {"name": "faulty", "version": "1"}
    send(
        {
            "jsonrpc": "2.0",
            "id": message["id"],
            "result": {"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info},
        }
    )
    if FAULT == "crash-after-initialize":
        sys.exit("harbour: the tide is out")


def page(message: dict[str, Any]) -> dict[str, Any]:
    cursor = (message.get("params") or {}).get("cursor")
    if FAULT == "endless-cursor":
        return {"tools": [TOOL], "nextCursor": "again"}
    if FAULT == "empty-cursor":
        return {"tools": [TOOL], "nextCursor": ""} if cursor is None else {"tools": [{**TOOL, "name": "tides"}]}
    if FAULT == "huge":
        return {"tools": [{**TOOL, "description": "x" * (8 << 20)}]}
    if FAULT.startswith("changes") and listed > 2:
        return {"tools": [TOOL, {**TOOL, "name": "tides"}]}
    if FAULT == "empty-list":
        return {"tools": []}
    if FAULT == "odd-cursor":
        return {"tools": [TOOL], "nextCursor": {"page": 2}} if cursor is None else {"tools": [{**TOOL, "name": "tides"}]}
    if FAULT == "many-tools":
        start = int(cursor or 0)
        tools = [{**TOOL, "name": f"berths_{number}"} for number in range(start, start + 500)]
        return {"tools": tools, "nextCursor": str(start + 500)}
    if FAULT == "unstable-order":
        tools = [{**TOOL, "name": name} for name in ("berths", "tides")]
        return {"tools": tools[::-1] if listed % 2 else tools}
    if FAULT == "bad-schemas":
        return {
            "tools": [
                TOOL,
                {"name": "odd", "inputSchema": 7},
                "no tool",
                {"inputSchema": True},
                {"name": "worse", "inputSchema": {"type": 3}},
            ]
        }
    return {"tools": [TOOL]}


def answer(message: dict[str, Any]) -> None:
    global listed
    listed += 1
    if FAULT == "crash-in-list":
        sys.exit("harbour: the quay is closed")
    if FAULT == "hangs-in-list":
        return
    if FAULT == "no-tools":
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
    elif FAULT == "list-error":
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32603, "message": "the list is broken"}})
    elif FAULT == "wrong-id":
        send({"jsonrpc": "2.0", "id": 4711, "result": page(message)})
    elif FAULT == "invalid-utf8":
        raw(
            b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":"berths","description":"\xff\xfe","inputSchema":{}}]}}\n'
            % message["id"]
        )
    elif FAULT == "no-json":
        raw(b"<html>not json</html>\n")
    elif FAULT == "answers-twice":
        send({"jsonrpc": "2.0", "id": message["id"], "result": page(message)})
        send({"jsonrpc": "2.0", "id": message["id"], "result": page(message)})
    elif FAULT == "asks-back":
        send({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {}})
        send({"jsonrpc": "2.0", "id": "s2", "method": "ping"})
        send({"jsonrpc": "2.0", "id": message["id"], "result": page(message)})
    else:
        send({"jsonrpc": "2.0", "id": message["id"], "result": page(message)})
        if FAULT == "changes" and listed == 2:
            for _ in range(3):
                send(CHANGED)


def main() -> None:
    if FAULT == "crash-at-start":
        raise KeyError("HARBOUR_TOKEN")
    if FAULT == "error-with-footer":
        sys.stderr.write("harbour.QuayError: no such quay\n  at quay.js:3\n\nNode.js v24.1.0\n")
        sys.exit(1)
    if FAULT == "stdout-noise":
        print("Starting the harbour…", flush=True)
    if FAULT == "floods-stderr":
        sys.stderr.write("the tide is rising\n" * 60_000)
    if FAULT == "leaves-children":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print(f"child {child.pid}", file=sys.stderr, flush=True)
    if FAULT == "ignores-the-end":
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if pid_file := os.environ.get("HARBOUR_PIDS"):
        with open(pid_file, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
            if FAULT == "leaves-children":
                file.write(f"{child.pid}\n")
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "subscriptions/listen" and FAULT == "changes-without-handshake":
            assert message["params"]["notifications"] == {"toolsListChanged": True}
            send({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": message["params"]})
            send(CHANGED)
        elif message.get("method") == "initialize":
            greet(message)
        elif message.get("method") in ("tools/list", "server/discover"):
            if message["method"] == "server/discover":
                send(
                    {
                        "jsonrpc": "2.0",
                        "id": message["id"],
                        "result": {"capabilities": {"tools": {}}, "serverInfo": {"name": "faulty"}},
                    }
                )
            else:
                answer(message)
    while FAULT == "ignores-the-end":
        time.sleep(60)


main()
