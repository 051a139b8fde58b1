"""A parameter called `ctx` or `context` without a Context annotation, or with another one: the framework takes it for an argument.

**Why it matters.** The model is asked for a "ctx", invents one, and the function gets text where it expects the request's context.

**Instead.** Annotate it with the framework's own class: `ctx: Context`. Then it is filled in and never listed. Mind the import: SDK and
FastMCP each have their own `Context`, and the other one's is an ordinary class to them.

**Where it comes from.** pab1it0/prometheus-mcp-server#95; modelcontextprotocol/python-sdk#2623; measured with mcp 1.30 and 2.3, FastMCP
2.14 and 4.2, 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import framework, in_tools, parameter, told


def say(fact: Fact, context: Context) -> str:
    annotation = told(fact, "annotation")
    why = f"is annotated {annotation}, which is no Context of this framework" if annotation else "has no Context annotation"
    return f"{parameter(fact)} {why}: {framework(context)} lists it as an argument, and a model must invent it."


_PATH = ("inputSchema", "properties", "ctx")
_TOOL = {"name": "probe", "inputSchema": {"type": "object", "properties": {"ctx": {"type": "string"}}}}

RULE = Rule(
    id="context-leak",
    severity=Severity.PROBLEM,
    title="Context listed as an argument",
    advice="Annotate it with the framework's Context class.",
    bad=(
        Example(
            (_TOOL,),
            ((0, "/inputSchema/properties/ctx"),),
            facts=((0, Fact("context-leak", _PATH, {"parameter": "ctx"})),),
            code="@mcp.tool()\ndef probe(depth: int, ctx): ...",
        ),
    ),
    good=(Example(({"name": "probe"},), code="@mcp.tool()\ndef probe(depth: int, ctx: Context): ..."),),
    tool=in_tools("context-leak", say),
    sees="python",
)
