"""What the SDK's own client lists of a server, as JSON: ``sdk_client.py stdio COMMAND…`` or ``sdk_client.py http URL`` / ``sse URL``."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any


async def main(kind: str, words: list[str]) -> list[Any]:
    from mcp import ClientSession

    if kind == "stdio":
        from mcp.client.stdio import StdioServerParameters, stdio_client

        opened: Any = stdio_client(StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ)))
    elif kind == "sse":
        from mcp.client.sse import sse_client

        opened = sse_client(words[0])
    else:
        from mcp.client.streamable_http import streamable_http_client

        opened = streamable_http_client(words[0])
    async with opened as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        tools: list[Any] = []
        cursor = None
        while True:
            page: Any = await (session.list_tools(cursor=cursor) if cursor else session.list_tools())
            tools.extend(tool.model_dump(by_alias=True, mode="json", exclude_unset=True) for tool in page.tools)
            cursor = getattr(page, "nextCursor", None) or getattr(page, "next_cursor", None)
            if not cursor:
                return tools


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2:]))))
