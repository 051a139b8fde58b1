"""An array whose `items` says nothing about a type: `"items": {}`.

**Why it matters.** A model does not know whether to send names, numbers or objects. In Python it is a plain `list`, or `list[Any]`.

**Instead.** `list[str]`, `list[int]`, or a model.

**Who refuses.** OpenAI's strict mode ("array schema items is not typed"); Gemini clients differ in what they put there (google-adk 2.13
writes strings; anomalyco/opencode#32488, 2026).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.schema import is_of_type, is_typed


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("items"):
        items = part.schema["items"]
        if (
            part.condition
            or not is_of_type(part.schema, "array")
            or not isinstance(items, Mapping)
            or is_typed(items)
            or "properties" in items
        ):
            continue
        yield Hit(
            index,
            (*part.path, "items"),
            f"The items of {named_one(part.path)} have no type, so a model can only guess what goes into the list.",
        )


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "sort_catch", "inputSchema": {"type": "object", "properties": {"fish": parameter}}}


RULE = Rule(
    id="array-items-any",
    severity=Severity.WARNING,
    title="Array of anything",
    advice="Say what the items are.",
    bad=(
        Example(
            (_tool(type="array", items={}), _tool(anyOf=[{"type": "array", "items": {"title": "Fish"}}])),
            ((0, "/inputSchema/properties/fish/items"), (1, "/inputSchema/properties/fish/anyOf/0/items")),
        ),
    ),
    good=(
        Example(
            (
                _tool(type="array", items={"type": "string"}),
                _tool(type="array", items={"anyOf": [{"type": "string"}]}),
                _tool(type="array"),
            )
        ),
    ),
    tool=check,
)
