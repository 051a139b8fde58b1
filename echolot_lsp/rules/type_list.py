"""`type` as a list of types: `["string", "null"]`.

**Why it matters.** Gemini's `parameters` has one type for each part: clients rewrite the list or get an error. Cursor fails on it.

**Instead.** `anyOf` with one type each, or, where null means the same as absent, one type and the parameter not required.

**Who refuses.** Gemini raw: "Proto field is not repeating, cannot start list" (zed-industries/zed#44875, 2026-02; nanbingxyz/5ire#218).
Cursor (cursor/cursor#3778, 2025). google-genai 3.6.1 turns it into anyOf or nullable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, has, named, named_one


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    places = [(*part.path, "type") for part in anatomy(tool).having("type") if isinstance(part.schema["type"], list)]
    where = [path[:-1] for path in places]
    if not places:
        return []
    message = f'{named(where)} {has(where)} a list of types; Gemini\'s "parameters" takes one, and Cursor fails on a list.'
    return grouped(index, places, message, lambda path: f"a list of types at {named_one(path[:-1])}")


def _tool(**properties: Any) -> Mapping[str, Any]:
    return {"name": "drop_anchor", "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="type-list",
    severity=Severity.WARNING,
    title="List of types",
    advice="Use anyOf with one type each, or one type and leave the parameter out of required.",
    bad=(
        Example((_tool(depth={"type": ["number", "null"]}),), ((0, "/inputSchema/properties/depth/type"),)),
        Example(
            (_tool(depth={"type": ["number", "null"]}, chain={"type": ["string", "number"]}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
    ),
    good=(Example((_tool(depth={"anyOf": [{"type": "number"}, {"type": "null"}]}, type={"type": "string"}),)),),
    tool=check,
)
