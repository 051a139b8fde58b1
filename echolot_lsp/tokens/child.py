"""The counting child of a language server: ``python -m echolot_lsp.tokens.child [IDLE_SECONDS]``.

Loading vocabularies holds the interpreter for up to half a second each, so a server counts here. Frames (``wire``) come in on standard
input and answers go out on standard output. It ends when standard input closes (with the server, however that ends), and after
``IDLE_SECONDS`` (default 300) without a request, which gives the memory back.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from typing import Any, BinaryIO

from echolot_lsp import tokens
from echolot_lsp.tokens import wire

IDLE_SECONDS = 300.0


def main(idle_seconds: float = IDLE_SECONDS) -> None:
    """Answer until standard input closes or nothing was asked for ``idle_seconds``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the server's terminal is the server's to handle
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    cancelled: set[int] = set()
    threading.Thread(target=_read, args=(incoming, requests, cancelled), daemon=True).start()
    while True:
        try:
            request = requests.get(timeout=idle_seconds)
        except queue.Empty:
            os._exit(0)  # the reader still waits in a read, which an orderly exit would wait for
        dropped = request["id"] in cancelled
        cancelled.difference_update([number for number in list(cancelled) if number <= request["id"]])
        if dropped:
            continue
        outgoing.write(wire.frame(_answer(request)))
        outgoing.flush()


def _read(incoming: BinaryIO, requests: queue.Queue[dict[str, Any]], cancelled: set[int]) -> None:
    try:
        while True:
            length = incoming.read(wire.LENGTH)
            if len(length) < wire.LENGTH:
                break
            message = wire.message(incoming.read(int.from_bytes(length, "big")))
            if "cancel" in message:
                cancelled.add(message["cancel"])
            else:
                requests.put(message)
    finally:
        os._exit(0)  # the server is gone, or speaks no frames: whatever is being counted, nobody waits for it


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        costs = tokens.costs(request["tools"], request["models"])
    except Exception as error:  # the server must hear of it, and the next request must be answered
        return {"id": request["id"], "error": f"{type(error).__name__}: {error}"}
    return {"id": request["id"], "costs": wire.costs_as_json(costs)}


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else IDLE_SECONDS)
