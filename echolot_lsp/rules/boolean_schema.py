"""A property, an `items` or a branch that is `true` or `false` instead of an object.

**Why it matters.** It is legal JSON Schema, and clients that expect an object there lose the whole server for it.

**Instead.** Say what the value is. Where anything goes, an object schema with a description: `{"description": "Any JSON value"}`.
`additionalProperties` may be `true` or `false` everywhere.

**Who refuses.** Claude Code (anthropics/claude-code#92900, 2026), opencode (anomalyco/opencode#49464, 2026), Azure's client
(Azure/Azure-Resource-Manager-MCP#21); Gemini `parameters` has no such form, and google-genai 3.6.1 crashes on it
(googleapis/python-genai#2393, 2026-05-07, open).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one

_ROLES = frozenset({"properties", "patternProperties", "items", "prefixItems", "anyOf", "oneOf", "allOf"})


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).parts:
        if isinstance(part.schema, bool) and part.role in _ROLES:
            what = {"items": "The items schema of", "properties": "The schema of", "patternProperties": "The schema of"}.get(
                part.role, f"A part of {part.role} of"
            )
            message = f"{what} {named_one(part.path)} is just {str(part.schema).lower()}; Claude Code, opencode and Gemini's clients fail on it and lose every tool."
            yield Hit(index, part.path, message)


def _tool(parameter: Any) -> Mapping[str, Any]:
    return {"name": "emit_signal", "inputSchema": {"type": "object", "properties": {"payload": parameter}}}


RULE = Rule(
    id="boolean-schema",
    severity=Severity.PROBLEM,
    title="Schema that is only true or false",
    advice="Write an object that says what the value is.",
    bad=(
        Example((_tool(True),), ((0, "/inputSchema/properties/payload"),)),
        Example(
            (_tool({"type": "array", "items": False}), _tool({"anyOf": [{"type": "string"}, True]})),
            ((0, "/inputSchema/properties/payload/items"), (1, "/inputSchema/properties/payload/anyOf/1")),
        ),
    ),
    good=(Example((_tool({"type": "object", "additionalProperties": False}),)),),
    tool=check,
    refused_by=("gemini",),
)
