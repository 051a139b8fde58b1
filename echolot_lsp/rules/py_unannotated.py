"""A parameter without an annotation, under the SDK: it is silently a string.

**Why it matters.** The model sends text, and the function gets text where it may expect a number or a list.

**Instead.** Annotate it: `limit: int`. (FastMCP sends such a parameter without any type; `param-no-type` speaks of it there.)

**Where it comes from.** Measured with mcp 1.30 and 2.3, 2026-11-30; openai/openai-agents-python#1092.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, parameter


def say(fact: Fact, context: Context) -> str:
    return f"{parameter(fact)} has no annotation, so the SDK lists it as a string whatever the function expects."


_PATH = ("inputSchema", "properties", "left")

RULE = Rule(
    id="py-unannotated",
    severity=Severity.WARNING,
    title="Parameter without an annotation",
    advice="Annotate the parameter.",
    bad=(
        Example(
            ({"name": "merge", "inputSchema": {"type": "object", "properties": {"left": {"type": "string"}}}},),
            ((0, "/inputSchema/properties/left"),),
            facts=((0, Fact("py-unannotated", _PATH, {"parameter": "left"})),),
            code="@mcp.tool()\ndef merge(left, right: list[str]): ...",
        ),
    ),
    good=(Example(({"name": "merge"},), code="@mcp.tool()\ndef merge(left: list[str], right: list[str]): ..."),),
    tool=in_tools("py-unannotated", say),
    sees="python",
)
