"""An input schema that costs more than 1,000 tokens: what the tool costs above the same tool without parameters.

**Why it matters.** It is sent every turn, whether or not the tool is used; and a model that reads forty options to set one forgets
the required one.

**Instead.** Split the tool by what its callers do, move rarely used options into a second tool, or shorten the descriptions. The
figure is that of the dearest of the three providers.

**Who refuses.** Nobody by size; Gemini and Anthropic's strict mode refuse a schema that is "too complex" (bethington/ghidra-mcp#440,
2026-08; anthropics/anthropic-sdk-python#1185, 2026-02).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule

MOST = 1_000


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    if isinstance(tool.wire.get("inputSchema"), Unknown):
        return
    tokens = max((cost.tools[index].schema for cost in context.costs.values() if index < len(cost.tools)), default=0)
    if tokens > MOST:
        yield Hit(index, ("inputSchema",), f"The input schema costs about {tokens:,} tokens every turn.")


_LARGE = {
    f"option_{number}": {"type": "string", "description": f"Option {number}: how the winch turns in wind force {number}, e.g. slow"}
    for number in range(60)
}

RULE = Rule(
    id="schema-large",
    severity=Severity.WARNING,
    title="Large input schema",
    advice="Split the tool, or move rarely used options out.",
    bad=(Example(({"name": "set_winch", "inputSchema": {"type": "object", "properties": _LARGE}},), ((0, "/inputSchema"),)),),
    good=(
        Example(
            (
                {
                    "name": "set_winch",
                    "description": "w " * 3_000,
                    "inputSchema": {"type": "object", "properties": {"speed": {"type": "string"}}},
                },
            )
        ),
    ),
    tool=check,
    needs_costs=True,
)
