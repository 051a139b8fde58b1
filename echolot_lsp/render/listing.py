"""A server's list as plain JSON: known parts as on the wire, unknown ones named."""

from __future__ import annotations

from typing import Any

from echolot_lsp.model import Server
from echolot_lsp.providers.plain import plain
from echolot_lsp.render.ranges import Ranges
from echolot_lsp.schema import pointer


def plain_tools(server: Server) -> list[dict[str, Any]]:
    """The tools with their wire keys, in plain JSON, unknown parts left out."""
    return [plain(dict(tool.wire)).value for tool in server.tools]


def unresolved(server: Server, ranges: Ranges | None = None) -> list[dict[str, Any]]:
    """What static reading could not know, as the JSON report names it; the list itself has ``tool`` null."""
    ranges = ranges or Ranges(server)
    told: dict[tuple[int | None, str], dict[str, Any]] = {}
    for part in server.unresolved:
        tool = None if part.index is None else server.tools[part.index].name
        field = pointer(part.path)
        told[part.index, field] = _entry(tool, part.index, field, part.why) | ranges.place(part.span)
    for index, tool_ in enumerate(server.tools):
        for left in plain(dict(tool_.wire)).left:
            field = pointer(left.path)
            if (index, field) not in told:
                told[index, field] = _entry(tool_.name, index, field, left.why) | ranges.place(None)
    return list(told.values())


def _entry(tool: str | None, index: int | None, field: str, why: str) -> dict[str, Any]:
    return {"tool": tool, "index": index, "field": field, "why": why}


def listed(server: Server) -> dict[str, Any]:
    """One entry of ``echolot mcp list``."""
    return {
        "name": server.name,
        "path": server.path,
        "framework": server.framework,
        "framework_version": server.framework_version,
        "tools": plain_tools(server),
        "unresolved": unresolved(server),
    }
