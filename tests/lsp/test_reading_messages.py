"""Messages on standard input, as clients write them."""

from __future__ import annotations

import asyncio
import io

import pytest

from echolot_lsp.lsp.stdio import MessageReader


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"\r\nContent-Length: 2\r\nX-More: 3\r\n\r\n",
    ],
)
def test_a_message_is_read_whatever_its_header_looks_like(header: bytes) -> None:
    async def work() -> list[bytes]:
        reader = MessageReader(io.BytesIO(header + b"{}" + header + b"[]"))
        parts = []
        for _ in range(2):
            parts += [await reader.readline(), await reader.readline(), await reader.readexactly(2)]
        parts.append(await reader.readline())
        reader.close()
        return parts

    plain = [b"Content-Length: 2\r\n", b"\r\n"]
    assert asyncio.run(work()) == [*plain, b"{}", *plain, b"[]", b""]
