"""Gemini's function declarations: the keyword table of ``parameters``, and the two forms of a tool.

``parameters`` is Google's own ``Schema`` (OpenAPI-like): a keyword that it has no field for is refused ("Unknown name … Cannot find
field"), so a client drops it. ``parametersJsonSchema`` takes any JSON schema. Facts: ``google-ai-generativelanguage`` 0.12.1
(v1beta, files of 2026-10-01), found by parsing into its ``Schema``, 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from echolot_lsp.providers.anthropic import EMPTY_SCHEMA, sent_members, unknown_parts, unsent_members
from echolot_lsp.providers.conversion import Change, ToolForm
from echolot_lsp.schema import resolve, walk

Form: TypeAlias = Literal["parameters", "json-schema"]

SCHEMA_FIELDS = (
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
)
"""The fields of ``Schema`` (Developer API, v1beta 2026-10-01), in the order that we write them. ``default`` is taken and ignored."""

DROPPED_CONSTRAINTS: Mapping[str, str] = {
    "additionalProperties": "which further arguments are allowed",
    "oneOf": "that exactly one alternative holds",
    "allOf": "that all of several schemas hold",
    "not": "what must not hold",
    "if": "a condition",
    "then": "what holds under a condition",
    "else": "what holds without a condition",
    "const": "the one allowed value",
    "exclusiveMinimum": "a lower bound",
    "exclusiveMaximum": "an upper bound",
    "multipleOf": "the step of a number",
    "uniqueItems": "that no item repeats",
    "prefixItems": "what each position of an array holds",
    "patternProperties": "arguments by pattern",
    "propertyNames": "how keys may look",
    "contains": "an item that must be there",
    "minContains": "how many such items",
    "maxContains": "how many such items",
    "dependentRequired": "arguments that need one another",
    "dependentSchemas": "schemas that depend on an argument",
    "dependencies": "arguments that need one another",
    "unevaluatedProperties": "which further arguments are allowed",
    "unevaluatedItems": "which further items are allowed",
    "additionalItems": "which further items are allowed",
}
"""Constraints that ``Schema`` has no field for, with what is lost (raw they are refused, so clients drop them; 2026-10-01)."""

NOT_EVERY_CLIENT: Mapping[str, str] = {
    "pattern": "a pattern for a string",
}
"""Constraints that the API has a field for and some Google clients' schema types have not (Firebase AI, Vertex for Node; 2026-11-30)."""

ANNOTATIONS = ("$schema", "$id", "$comment", "$anchor", "examples", "$defs", "definitions", "readOnly", "writeOnly", "deprecated")
"""Dropped as well, but no constraint: they go without a finding, as ``x-…`` does."""

MOST_DECLARATIONS = 512
""""At most 512 function declarations can be specified" (google-gemini/gemini-cli#19083, 2026-02)."""


def tool_form(index: int, tool: Mapping[str, Any], form: Form = "parameters") -> ToolForm:
    """One tool as a function declaration. A part that is unknown is left out."""
    from echolot_lsp.providers.gemini_schema import convert

    parts = sent_members(tool)
    changes = list(unsent_members(index, tool, "Gemini"))
    unknown = unknown_parts(index, parts)
    value: dict[str, Any] = {}
    for key in ("name", "description"):
        if isinstance(parts.value.get(key), str) and (parts.value[key] or key == "name"):
            value[key] = parts.value[key]
    if ("inputSchema",) not in {left.path for left in unknown}:
        schema = parts.value.get("inputSchema", EMPTY_SCHEMA)
        if form == "json-schema":
            value["parametersJsonSchema"] = schema
            changes.extend(_refused_references(schema, index))
        else:
            value["parameters"], more = convert(schema, index)
            changes.extend(more)
    return ToolForm(value, tuple(changes), unknown)


def _refused_references(schema: object, index: int) -> Iterator[Change]:
    """What ``parametersJsonSchema`` answers with an error: a reference that names nothing (google-gemini/gemini-cli#13326, 2025-11), or
    that has other keywords than a description and a default beside it (su-kaka/gcli2api#374, 2026-05)."""
    for node in walk(schema, ("inputSchema",)):
        if not isinstance(node.schema, Mapping) or "$ref" not in node.schema:
            continue
        path = (*node.path, "$ref")
        if resolve(node.schema["$ref"], schema) is None:
            yield Change(index, path, "$ref", "refused", "Gemini refuses a reference that names nothing in the schema.")
        elif set(node.schema) - {"$ref", "description", "default"}:
            yield Change(
                index, path, "$ref", "refused", "Gemini refuses keywords other than `description` and `default` beside a `$ref`."
            )
