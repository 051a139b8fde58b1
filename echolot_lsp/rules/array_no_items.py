"""An array that does not say what its items are: neither `items` nor `prefixItems`, at any depth.

**Why it matters.** OpenAI refuses it even outside strict mode, and with it the whole request.

**Instead.** `"items": {"type": "string"}`, or whatever the items are. In Python `list[str]` rather than `list`.

**Who refuses.** OpenAI: "array schema missing items" (anomalyco/opencode#20273, 2026-03; garrytan/gbrain#1028, 2026-05). Gemini
`parameters`: "items: missing field" (google/adk-python#3082, 2025-10; DEEIX-AI/DEEIX-Chat#546, 2026-07). VS Code leaves the tool out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.schema import is_of_type


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("type"):
        if part.condition or not is_of_type(part.schema, "array") or "items" in part.schema or "prefixItems" in part.schema:
            continue
        message = (
            f"{named_one(part.path)} is an array that does not say what its items are; OpenAI, Gemini and VS Code refuse the tool."
        )
        yield Hit(index, part.path, message)


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "load_crates", "inputSchema": {"type": "object", "properties": {"crates": parameter}}}


RULE = Rule(
    id="array-no-items",
    severity=Severity.PROBLEM,
    title="Array without items",
    advice="Say what the items are.",
    bad=(
        Example((_tool(type="array"),), ((0, "/inputSchema/properties/crates"),)),
        Example(
            (_tool(anyOf=[{"type": ["array", "null"]}]), _tool(type="array", items={"type": "array"})),
            ((0, "/inputSchema/properties/crates/anyOf/0"), (1, "/inputSchema/properties/crates/items")),
        ),
    ),
    good=(Example((_tool(type="array", items={"type": "string"}), _tool(type="array", prefixItems=[{"type": "string"}]))),),
    tool=check,
    refused_by=("openai", "gemini"),
)
