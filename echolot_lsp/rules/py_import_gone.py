"""An import or a call that the installed framework, or the next one that pip installs, no longer has.

**Why it matters.** The server does not start: `ModuleNotFoundError` on the first line. 16 of 104 real servers of 2026 needed `mcp<2` written
by hand.

**Instead.** `from mcp.server.mcpserver import MCPServer` with mcp 2, or the bound `mcp<2` in the project's dependencies; for calls that
FastMCP removed, what its release notes name.

**Where it comes from.** `mcp.server.fastmcp` is gone in mcp 2.0; measured with mcp 2.3.0 and FastMCP 2.14, 3.4, 4.2, 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Fact, Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._facts import framework, told


def check(server: Server, context: Context) -> Iterator[Hit]:
    facts = [
        fact for fact in (*server.facts, *(fact for tool in server.tools for fact in tool.facts)) if fact.rule == "py-import-gone"
    ]
    said: set[str] = set()
    for fact in facts:
        message = say(fact, context)
        if message not in said:
            said.add(message)
            yield Hit(None, (), message, span=fact.span)


def say(fact: Fact, context: Context) -> str:
    name, instead = told(fact, "name"), told(fact, "instead")
    if not name and fact.details.get("message"):
        return f"{told(fact, 'message', most=200).rstrip('.')}, so the server does not start."
    version = told(fact, "version", most=30)
    where = f"{name.partition('.')[0]} {version}" if name and version else framework(context)
    took_its_place = f"; {instead} took its place" if instead else ""
    return f"{name or 'What is imported here'} is not there in {where}, so the server does not start{took_its_place}."


RULE = Rule(
    id="py-import-gone",
    severity=Severity.PROBLEM,
    title="Import that is gone",
    advice="Import what took its place, or bind the version.",
    bad=(
        Example(
            ({"name": "ping"},),
            ((None, ""),),
            facts=(
                (
                    None,
                    Fact(
                        "py-import-gone", (), {"name": "mcp.server.fastmcp", "version": "2.3.0", "instead": "mcp.server.mcpserver"}
                    ),
                ),
            ),
            code='from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("harbour")  # with mcp 2.3',
        ),
    ),
    good=(Example(({"name": "ping"},), code='from mcp.server.mcpserver import MCPServer\n\nmcp = MCPServer("harbour")'),),
    list=check,
    sees="python",
)
