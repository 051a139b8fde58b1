"""An input schema that declares no property and lets any in: `{"type": "object", "additionalProperties": true}`.

**Why it matters.** A model is told that it may send anything and nothing about what the tool reads. It invents keys, and the call
fails or, worse, does half of what was meant.

**Instead.** Describe the properties that the tool reads. Where keys are really free, make them one described property of type
object, with an example.

**Who refuses.** Nobody. Gemini's `parameters` has no `additionalProperties` (v1beta, 2026-10-01), so there the tool takes nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules.schema_no_properties import ROOT_COMBINATORS


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    schema = tool.wire.get("inputSchema")
    if not isinstance(schema, Mapping) or schema.get("type") != "object" or schema.get("properties", {}) != {} or "$ref" in schema:
        return
    additional = schema.get("additionalProperties")
    if not (additional is True or isinstance(additional, Mapping)) or any(keyword in schema for keyword in ROOT_COMBINATORS):
        return
    yield Hit(
        index, ("inputSchema",), "The input schema declares no property and accepts any, so a model must invent the arguments."
    )


RULE = Rule(
    id="accepts-any-object",
    severity=Severity.WARNING,
    title="Input schema that accepts anything",
    advice="Describe the properties that the tool reads.",
    bad=(
        Example(({"name": "log_catch", "inputSchema": {"type": "object", "additionalProperties": True}},), ((0, "/inputSchema"),)),
        Example(
            (
                {
                    "name": "log_catch",
                    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
                },
            ),
            ((0, "/inputSchema"),),
        ),
    ),
    good=(
        Example(
            (
                {
                    "name": "log_catch",
                    "inputSchema": {"type": "object", "properties": {"kilos": {"type": "number"}}, "additionalProperties": True},
                },
            )
        ),
        Example(({"name": "log_catch", "inputSchema": {"type": "object", "additionalProperties": False}},)),
    ),
    tool=check,
)
