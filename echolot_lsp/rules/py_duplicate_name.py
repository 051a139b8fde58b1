"""Two tools of one server object with the same name: the framework keeps one and says nothing where anybody looks.

**Why it matters.** One of the two functions can never be called. The SDK keeps the first, FastMCP the last (a warning on standard error).

**Instead.** Another name, `name=` in the decorator if the function's name must stay.

**Where it comes from.** mark3labs/mcp-go#390; measured with mcp 1.30 and 2.3, FastMCP 2.14 and 4.2, 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import framework, in_tools, is_sdk, told


def say(fact: Fact, context: Context) -> str:
    kept = told(fact, "kept", "first" if is_sdk(context) else "last", 10)
    return f"The server registers two tools of this name; {framework(context)} keeps the {kept} one, and the other can never be called."


RULE = Rule(
    id="py-duplicate-name",
    severity=Severity.PROBLEM,
    title="Two tools of one name",
    advice="Give each its own name.",
    bad=(
        Example(
            ({"name": "find"},),
            ((0, "/name"),),
            facts=((0, Fact("py-duplicate-name", ("name",), {"kept": "first"})),),
            code='@mcp.tool()\ndef find(berth: str): ...\n\n\n@mcp.tool(name="find")\ndef find_ship(ship: str): ...',
        ),
    ),
    good=(
        Example(
            ({"name": "find"}, {"name": "find_ship"}),
            code="@mcp.tool()\ndef find(berth: str): ...\n\n\n@mcp.tool()\ndef find_ship(ship: str): ...",
        ),
    ),
    tool=in_tools("py-duplicate-name", say, at=("name",)),
    sees="python",
)
