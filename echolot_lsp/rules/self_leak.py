"""A tool decorator on a method: `self` or `cls` becomes an argument.

**Why it matters.** The model is asked for "self", and the call fails whatever it sends. FastMCP from version 3 refuses to start.

**Instead.** Register the bound method: `mcp.add_tool(store.find)` (`mcp.tool(store.find)` in FastMCP), or decorate a plain function.

**Where it comes from.** PrefectHQ/fastmcp#55, #174; measured with mcp 1.30 and 2.3, FastMCP 2.14 and 4.2 (TypeError), 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, parameter


def say(fact: Fact, context: Context) -> str:
    return f"The tool is a method, so {parameter(fact)} is listed as an argument that no model can fill."


_PATH = ("inputSchema", "properties", "self")
_TOOL = {"name": "find", "inputSchema": {"type": "object", "properties": {"self": {"type": "string"}}}}

RULE = Rule(
    id="self-leak",
    severity=Severity.PROBLEM,
    title="self listed as an argument",
    advice="Register the bound method, or decorate a plain function.",
    bad=(
        Example(
            (_TOOL,),
            ((0, "/inputSchema/properties/self"),),
            facts=((0, Fact("self-leak", _PATH, {"parameter": "self"})),),
            code="class Store:\n    @mcp.tool()\n    def find(self, berth: str): ...",
        ),
    ),
    good=(Example(({"name": "find"},), code="mcp.add_tool(Store().find)"),),
    tool=in_tools("self-leak", say),
    sees="python",
)
