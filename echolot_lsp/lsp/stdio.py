"""Standard input and output as a transport: a message is read in one turn of a thread (pygls's own reader takes three)."""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO


class MessageReader:
    """Hands pygls the lines and the body of each message, all of which were read at once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="echolot-stdin")
        self._parts: deque[bytes] = deque()

    async def readline(self) -> bytes:
        """The next line of a header; empty at the end of the stream."""
        if not self._parts:
            self._parts.extend(await asyncio.get_running_loop().run_in_executor(self._executor, self._message))
        return self._parts.popleft() if self._parts else b""

    async def readexactly(self, size: int) -> bytes:
        """The body of the message whose header was read."""
        return self._parts.popleft() if self._parts else b""

    def close(self) -> None:
        """No more messages are read."""
        self._executor.shutdown(wait=False)

    def _message(self) -> list[bytes]:
        size = 0
        while line := self._stream.readline():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                size = int(value)
            if not line.strip() and size:
                return [b"Content-Length: %d\r\n" % size, b"\r\n", self._stream.read(size)]
        return []
