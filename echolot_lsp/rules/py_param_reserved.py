"""A parameter called `model_config`, under the SDK: it vanishes from the list.

**Why it matters.** The SDK builds a pydantic model of the parameters, and `model_config` is that model's own setting: with a default the
parameter is silently dropped, without one the server does not start.

**Instead.** Another name; `Field(alias="model_config")` where the outer name must stay.

**Where it comes from.** Measured with mcp 1.30 and 2.3, 2026-11-30. FastMCP keeps the name.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, parameter


def say(fact: Fact, context: Context) -> str:
    return f"{parameter(fact)} is a name that pydantic keeps for itself: the SDK leaves the parameter out of the list, or does not start."


RULE = Rule(
    id="py-param-reserved",
    severity=Severity.PROBLEM,
    title="Parameter name that pydantic reserves",
    advice="Use another name.",
    bad=(
        Example(
            ({"name": "train", "inputSchema": {"type": "object", "properties": {}}},),
            ((0, "/inputSchema"),),
            facts=((0, Fact("py-param-reserved", ("inputSchema",), {"parameter": "model_config"})),),
            code='@mcp.tool()\ndef train(data: str, model_config: str = ""): ...',
        ),
    ),
    good=(Example(({"name": "train"},), code='@mcp.tool()\ndef train(data: str, model_settings: str = ""): ...'),),
    tool=in_tools("py-param-reserved", say),
    sees="python",
)
