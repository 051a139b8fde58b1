"""A branch of `anyOf` that is itself an `anyOf`.

**Why it matters.** Cursor drops such a tool. In Python it is a union inside an Optional of a type alias, which pydantic does not flatten.

**Instead.** One `anyOf` with all branches; it means the same.

**Who refuses.** Cursor (GreatScottyMac/context-portal#78, 2025).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("anyOf"):
        if part.role == "anyOf" and isinstance(part.schema["anyOf"], list):
            yield Hit(
                index, part.path, f"A branch of anyOf at {named_one(part.path)} is itself an anyOf; Cursor drops such a tool."
            )


def _tool(*branches: Any) -> Mapping[str, Any]:
    return {"name": "log_depth", "inputSchema": {"type": "object", "properties": {"depth": {"anyOf": list(branches)}}}}


RULE = Rule(
    id="anyof-nested",
    severity=Severity.WARNING,
    title="anyOf inside anyOf",
    advice="Write all branches in one anyOf.",
    bad=(
        Example(
            (_tool({"anyOf": [{"type": "number"}, {"type": "string"}]}, {"type": "null"}),),
            ((0, "/inputSchema/properties/depth/anyOf/0"),),
        ),
    ),
    good=(Example((_tool({"type": "number"}, {"type": "array", "items": {"anyOf": [{"type": "string"}]}}),)),),
    tool=check,
    default=Default.REPORT,
)
