"""A session without a transport: tests say what a client would say, and look at what it was told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from echolot_lsp.lsp.convert import Announced
from echolot_lsp.lsp.session import Session
from echolot_lsp.model import PROVIDERS, Cost, Costs, ProviderName, ToolCost

PYTHON = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("depot")


@mcp.tool()
def find_parcel(number: str) -> str:
    """Looks a parcel up by its number and says where it was seen last."""
    return number


@mcp.tool()
def close_depot(reason) -> str:
    """Closes the depot for the day, so that nothing is taken in until it is opened again."""
    return reason
'''

LIST = {
    "tools": [
        {
            "name": "find_parcel",
            "description": "Looks a parcel up by its number and says where it was seen last.",
            "inputSchema": {
                "type": "object",
                "properties": {"number": {"type": "string", "description": "As printed on the parcel, such as P-1042."}},
                "required": ["number"],
            },
        },
        {"name": "close_depot", "inputSchema": {"type": "object", "properties": {}}},
    ]
}


def json_text(value: Any = LIST) -> str:
    """A JSON document as a person would keep it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


class Tally:
    """Counts without any vocabulary: a token for each character. ``calls`` says how often it was asked."""

    def __init__(self) -> None:
        self.calls = 0
        self.closed = False

    async def costs(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str]) -> Costs:
        self.calls += 1
        await asyncio.sleep(0)
        each = tuple(
            ToolCost(len(json.dumps(tool, default=str)), len(json.dumps(tool.get("inputSchema"), default=str))) for tool in tools
        )
        total = 100 + sum(cost.tokens for cost in each)
        return {provider: Cost(provider, models.get(provider, "model"), total, 100, each) for provider in PROVIDERS}

    async def close(self) -> None:
        self.closed = True


class Desk:
    """A session with a client that remembers what it was told."""

    def __init__(self, folder: Path, announced: Announced | None = None, *, count: bool = False) -> None:
        self.folder = folder
        self.tally = Tally()
        self.session = Session(self, announced, count=self.tally if count else None)
        self.session.roots = (str(folder),)
        self.sent: list[tuple[str, int | None, list[dict[str, Any]]]] = []
        self.numbers = 0

    def publish(self, uri: str, version: int | None, items: str) -> None:
        self.sent.append((uri, version, json.loads(items)))

    def changed(self, paths: Collection[str], numbers: bool) -> None:
        self.numbers += numbers

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def open(self, name: str, text: str, version: int = 1, language: str = "") -> list[dict[str, Any]]:
        self.session.open(self.uri(name), language or ("python" if name.endswith(".py") else "json"), version, text)
        return await self.shown(name)

    async def change(self, name: str, text: str, version: int) -> list[dict[str, Any]]:
        self.session.change(self.uri(name), version, text)
        return await self.shown(name)

    async def shown(self, name: str) -> list[dict[str, Any]]:
        """What the client shows for a file at rest."""
        await self.session.counted()
        return self.told(name)

    def told(self, name: str) -> list[dict[str, Any]]:
        uri = self.uri(name)
        return next((items for sent, _, items in reversed(self.sent) if sent == uri), [])


def codes(items: list[dict[str, Any]]) -> list[str]:
    return sorted(item["code"] for item in items)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs a test's coroutine, bounded in time."""
    asyncio.run(asyncio.wait_for(work, 60))


def underlined(text: str, item: dict[str, Any], encoding: str = "utf-16") -> str:
    """The characters that a diagnostic underlines, read as a client reads positions."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start, end = item["range"]["start"], item["range"]["end"]
    assert start["line"] == end["line"]
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    line = lines[start["line"]].encode(codec)
    return line[start["character"] * width : end["character"] * width].decode(codec)


def position(line: int, character: int) -> types.Position:
    return types.Position(line=line, character=character)


def running(process: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
