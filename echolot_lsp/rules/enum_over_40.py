"""An enum with more than 40 values.

**Why it matters.** Each value is read every turn. Beyond a few dozen a model does not choose among them, it guesses one that sounds
right and hopes that it is in the list.

**Instead.** Take text and answer a wrong value with the nearest ones, or add a tool that searches the values.

**Who refuses.** OpenAI's strict mode beyond 1,000 values in all, and 15,000 characters in one enum of more than 250
(artifactize-core 0.14.2, quoting OpenAI's guide); Gemini "too many states" (bethington/ghidra-mcp#440, 2026-08).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one

MOST = 40


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("enum"):
        values = part.schema["enum"]
        if isinstance(values, list) and len(values) > MOST:
            yield Hit(
                index,
                (*part.path, "enum"),
                f"The enum of {named_one(part.path)} has {len(values):,} values, read again every turn.",
            )


def _tool(number: int) -> dict[str, object]:
    return {
        "name": "set_signal",
        "inputSchema": {"type": "object", "properties": {"flag": {"type": "string", "enum": [f"f{n}" for n in range(number)]}}},
    }


RULE = Rule(
    id="enum-over-40",
    severity=Severity.NOTE,
    title="Enum with more than 40 values",
    advice="Take text and answer a wrong value with the nearest ones; each value is read every turn.",
    bad=(Example((_tool(41),), ((0, "/inputSchema/properties/flag/enum"),)),),
    good=(Example((_tool(40),)),),
    tool=check,
)
