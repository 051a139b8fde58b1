"""`maxLength` or `maxItems` of 2,000 or more.

**Why it matters.** llama.cpp, and with it Ollama and LM Studio, writes the bound out as repetitions in a grammar, which becomes too
large to use.

**Instead.** Leave the bound to the server, and say it in the description.

**Who refuses.** llama.cpp (firecrawl/firecrawl#4512, 2026); the figure of 2,000 is our own estimate of where it begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, has, named, named_one
from echolot_lsp.schema import at, has_json_type

LEAST = 2_000


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    shape = anatomy(tool)
    places = [
        (*part.path, keyword)
        for keyword in ("maxLength", "maxItems")
        for part in shape.having(keyword)
        if _is_large(part.schema[keyword])
    ]
    where = [path[:-1] for path in places]
    if not places:
        return []
    largest = max(at(tool.wire, path) for path in places)
    message = f"{named(where)} {has(where)} a bound of up to {largest:,}; llama.cpp, Ollama and LM Studio write it out in a grammar that becomes too large."
    return grouped(index, places, message, lambda path: f"{path[-1]} of {named_one(path[:-1])}")


def _is_large(bound: Any) -> bool:
    return has_json_type(bound, "number") and bound >= LEAST


def _tool(**properties: Any) -> Mapping[str, Any]:
    return {"name": "send_letter", "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="local-grammar-repeat",
    severity=Severity.NOTE,
    title="Bound that local models cannot use",
    advice="Leave the bound to the server, and say it in the description.",
    bad=(
        Example((_tool(text={"type": "string", "maxLength": 2_000}),), ((0, "/inputSchema/properties/text/maxLength"),)),
        Example(
            (
                _tool(
                    text={"type": "string", "maxLength": 2_000},
                    to={"type": "array", "items": {"type": "string"}, "maxItems": 5_000},
                ),
            ),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
    ),
    good=(Example((_tool(text={"type": "string", "maxLength": 1_999}),)),),
    tool=check,
    default=Default.REPORT,
)
