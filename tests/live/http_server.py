"""A small server over HTTP: ``http_server.py streamable-http|sse PORT``; runs under both majors of the SDK."""

import sys

try:
    from mcp.server.mcpserver import MCPServer

    OPTIONS = {"port": int(sys.argv[2])}
    harbour = MCPServer("harbour")
except ImportError:
    from mcp.server.fastmcp import FastMCP

    OPTIONS = {}
    harbour = FastMCP("harbour", port=int(sys.argv[2]))


@harbour.tool()
def berths(quay: str) -> int:
    """Count the free berths of a quay. 岸壁の空きを数える 🚢."""
    return len(quay)


harbour.run(transport=sys.argv[1], **OPTIONS)
