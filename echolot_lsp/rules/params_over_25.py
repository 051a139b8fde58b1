"""More than 25 top-level parameters.

**Why it matters.** Each is read every turn, and the more there are the more often a model leaves out the one that matters or sets
one that it should not.

**Instead.** Split the tool by task, or group what belongs together into one described object. Defaults that nobody changes belong
into the server.

**Who refuses.** Nobody below 5,000 properties (OpenAI's strict mode; pydantic-ai-slim 2.68, 2026-11).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule

MOST = 25


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    number = len(anatomy(tool).top_level)
    if number > MOST:
        yield Hit(
            index,
            ("inputSchema", "properties"),
            f"The tool has {number} parameters; a model sets some that it should not and forgets others.",
        )


def _tool(number: int) -> dict[str, object]:
    return {
        "name": "trim_sails",
        "inputSchema": {"type": "object", "properties": {f"sail_{n}": {"type": "string"} for n in range(number)}},
    }


RULE = Rule(
    id="params-over-25",
    severity=Severity.WARNING,
    title="More than 25 parameters",
    advice="Split the tool, or group what belongs together.",
    bad=(Example((_tool(26),), ((0, "/inputSchema/properties"),)),),
    good=(Example((_tool(25),)),),
    tool=check,
)
