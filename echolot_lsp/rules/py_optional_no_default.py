"""A parameter of type `T | None` without a default: it is required, although it may be null.

**Why it matters.** A model that leaves it out, as it may think it can, is refused by the server.

**Instead.** `note: str | None = None` where it may be left out; `note: str` where it may not.

**Where it comes from.** modelcontextprotocol/python-sdk#1402; the same in every framework, measured 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, parameter


def say(fact: Fact, context: Context) -> str:
    return f"{parameter(fact)} may be None but has no default, so it is required: a model that leaves it out is refused."


_PATH = ("inputSchema", "properties", "note")

RULE = Rule(
    id="py-optional-no-default",
    severity=Severity.WARNING,
    title="Optional parameter that is required",
    advice="Give it the default None, or take None out of the type.",
    bad=(
        Example(
            ({"name": "tag", "inputSchema": {"type": "object", "properties": {"note": {}}}},),
            ((0, "/inputSchema/properties/note"),),
            facts=((0, Fact("py-optional-no-default", _PATH, {"parameter": "note"})),),
            code="@mcp.tool()\ndef tag(buoy: str, note: str | None): ...",
        ),
    ),
    good=(Example(({"name": "tag"},), code="@mcp.tool()\ndef tag(buoy: str, note: str | None = None): ..."),),
    tool=in_tools("py-optional-no-default", say),
    sees="python",
)
