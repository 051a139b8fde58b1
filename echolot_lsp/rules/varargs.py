"""`*args` or `**kwargs` in a tool's signature.

**Why it matters.** The SDK lists them as two required strings called "args" and "kwargs"; FastMCP refuses to start. A model cannot know
what belongs into either.

**Instead.** Name the parameters. For options that are really free, one described `dict[str, str]`.

**Where it comes from.** modelcontextprotocol/python-sdk#3514; kgdunn/process-improve#506; measured with mcp 1.30 and 2.3, FastMCP 2.14
and 4.2 (ValueError), 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, is_sdk, parameter


def say(fact: Fact, context: Context) -> str:
    if is_sdk(context):
        return f"{parameter(fact)} collects any arguments, and the SDK lists it as one required string that no model can fill."
    return f"{parameter(fact)} collects any arguments; FastMCP refuses to start, and the SDK would list it as one required string."


_PATH = ("inputSchema", "properties", "options")
_TOOL = {"name": "forward", "inputSchema": {"type": "object", "properties": {"options": {"type": "string"}}}}

RULE = Rule(
    id="varargs",
    severity=Severity.PROBLEM,
    title="*args or **kwargs in a tool",
    advice="Name the parameters.",
    bad=(
        Example(
            (_TOOL,),
            ((0, "/inputSchema/properties/options"),),
            facts=((0, Fact("varargs", _PATH, {"parameter": "options"})),),
            code="@mcp.tool()\ndef forward(to: str, **options): ...",
        ),
    ),
    good=(Example(({"name": "forward"},), code="@mcp.tool()\ndef forward(to: str, options: dict[str, str]): ..."),),
    tool=in_tools("varargs", say),
    sees="python",
)
