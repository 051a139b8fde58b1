"""A return annotation that became the output schema, while the body returns something else.

**Why it matters.** The framework checks what is returned against the schema: the tool answers with an error although it did its work.

**Instead.** Annotate what is returned (`-> dict[str, str]`), or take the annotation off.

**Where it comes from.** effytech/freshservice_mcp#27; output schemas are made from return annotations since mcp 1.10 and FastMCP 2.10.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, told


def say(fact: Fact, context: Context) -> str:
    returns, literal = told(fact, "returns", "one type", 60), told(fact, "literal", "something else", 60)
    return f"The return annotation says {returns} and is sent as outputSchema, but the body returns {literal}: the framework answers with an error."


RULE = Rule(
    id="output-schema-from-annotation",
    severity=Severity.NOTE,
    title="Return annotation that does not fit",
    advice="Annotate what is returned, or take the annotation off.",
    bad=(
        Example(
            ({"name": "look", "outputSchema": {"type": "object"}},),
            ((0, "/outputSchema"),),
            facts=((0, Fact("output-schema-from-annotation", ("outputSchema",), {"returns": "str", "literal": "a dict"})),),
            code='@mcp.tool()\ndef look() -> str:\n    return {"wind": "north"}',
        ),
    ),
    good=(Example(({"name": "look"},), code='@mcp.tool()\ndef look() -> dict[str, str]:\n    return {"wind": "north"}'),),
    tool=in_tools("output-schema-from-annotation", say, at=("outputSchema",)),
    sees="python",
)
