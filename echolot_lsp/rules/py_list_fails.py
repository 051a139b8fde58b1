"""A declaration that stops the server, or its whole list.

**Why it matters.** Not this tool is missing, all are. The usual causes: a type that exists only under `TYPE_CHECKING` or inside a
function while annotations are postponed, `Optional["Item"]` in the SDK, a class that pydantic cannot turn into a schema, a RootModel of
a list as return type with mcp 2, a recursive model with FastMCP 2, `*args` or positional-only parameters with FastMCP.

**Instead.** Import the type at run time and at module level, quote the whole annotation (`"Optional[Item]"`), or use a type that has a
schema.

**Where it comes from.** Measured with mcp 1.30 and 2.3, FastMCP 2.14, 3.4 and 4.2, 2026-11-30: InvalidSignature and PydanticUserError in
the SDK, NameError and ValueError in FastMCP, PydanticInvalidForJsonSchema in both.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import framework, in_list, in_tools, parameter, told

_LOST = {"server": "the server does not start", "list": "the whole list fails", "tool": "this tool is missing from the list"}


def say(fact: Fact, context: Context) -> str:
    exception, message = told(fact, "exception", "an error", 60), told(fact, "message", most=160).rstrip(".")
    what = f" for {parameter(fact)}" if fact.details.get("parameter") else ""
    why = f" ({message})" if message else ""
    return f"{framework(context, start=True)} raises {exception}{what}{why}: {_LOST.get(told(fact, 'scope'), _LOST['server'])}."


_DETAILS = {"exception": "InvalidSignature", "message": "name 'Ship' is not defined", "scope": "server", "parameter": "ship"}

RULE = Rule(
    id="py-list-fails",
    severity=Severity.PROBLEM,
    title="Declaration that stops the server",
    advice="Use a type that exists at run time, at module level, and has a schema.",
    bad=(
        Example(
            ({"name": "moor", "inputSchema": {"type": "object", "properties": {}}},),
            ((0, "/inputSchema"),),
            facts=((0, Fact("py-list-fails", ("inputSchema",), _DETAILS)),),
            code="from __future__ import annotations\n\nif TYPE_CHECKING:\n    from fleet import Ship\n\n\n@mcp.tool()\ndef moor(ship: Ship): ...",
        ),
    ),
    good=(Example(({"name": "moor"},), code="from fleet import Ship\n\n\n@mcp.tool()\ndef moor(ship: Ship): ..."),),
    tool=in_tools("py-list-fails", say),
    list=in_list("py-list-fails", say),
    sees="python",
)
