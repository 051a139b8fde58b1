"""`@mcp.tool` without parentheses, under the SDK: it raises TypeError and the server does not start.

**Why it matters.** The client sees no server at all, and the reason is on its standard error only.

**Instead.** `@mcp.tool()`. FastMCP takes both.

**Where it comes from.** PrefectHQ/fastmcp#827; measured with mcp 1.30 and 2.3 (TypeError), 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools


def say(fact: Fact, context: Context) -> str:
    return "The tool decorator is not called; the SDK raises TypeError here and the server does not start."


RULE = Rule(
    id="py-decorator-not-called",
    severity=Severity.PROBLEM,
    title="Tool decorator without parentheses",
    advice="Write @mcp.tool().",
    bad=(
        Example(
            ({"name": "ping"},),
            ((0, "/name"),),
            facts=((0, Fact("py-decorator-not-called", ("name",))),),
            code="@mcp.tool\ndef ping() -> str: ...",
        ),
    ),
    good=(Example(({"name": "ping"},), code="@mcp.tool()\ndef ping() -> str: ..."),),
    tool=in_tools("py-decorator-not-called", say, at=("name",)),
    sees="python",
)
