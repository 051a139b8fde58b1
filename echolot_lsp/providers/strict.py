"""What stops a tool from OpenAI's and Anthropic's strict modes, where the model's arguments are held to the schema while it writes.

Sources: OpenAI's guide to function calling and structured outputs, with the tables of pydantic-ai-slim 2.68; Anthropic's guide to strict
tool use; both read 2026-11-30. Limits over all tools of a request (Anthropic: 20 strict tools, 24 optional and 16 union-typed
parameters; anthropics/anthropic-sdk-python#1185) are told once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from echolot_lsp.model import Path, Unknown
from echolot_lsp.schema import resolve, walk

StrictProvider = Literal["openai", "anthropic"]

FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
"""String formats that both take; Anthropic takes ``uri`` too."""
_LENGTHS = ("minLength", "maxLength")
_NEITHER = (
    "oneOf", "not", "if", "then", "else", "patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems",
    "minProperties", "maxProperties", "contains", "minContains", "maxContains", "uniqueItems", "dependentRequired",
    "dependentSchemas", "prefixItems", *_LENGTHS,
)  # fmt: skip
REFUSED: Mapping[StrictProvider, tuple[str, ...]] = {
    "openai": (*_NEITHER, "allOf", "default"),
    "anthropic": (*_NEITHER, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxItems"),
}
"""Keywords that a strict schema must not have."""
MOST_STRICT_TOOLS, MOST_OPTIONAL, MOST_UNIONS = 20, 24, 16
_HARD_PATTERN = re.compile(r"\(\?[=!<]|\\[bB1-9]")


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What a strict mode would refuse: the place in the tool (``()``: the list), one short sentence without its end."""

    path: Path
    text: str


def obstacles(provider: StrictProvider, tool: Mapping[str, Any]) -> list[Obstacle]:
    """What stops one tool (a dict of the MCP wire) from ``provider``'s strict mode, in the order of the schema."""
    schema = tool.get("inputSchema")
    if isinstance(schema, Unknown):
        return []
    if not isinstance(schema, Mapping):
        return [Obstacle(("inputSchema",), "there is no schema")]
    found: list[Obstacle] = []
    for key in ("anyOf", "allOf"):
        if key in schema:
            found.append(Obstacle(("inputSchema", key), f"{key} at the root"))
    for node in walk(schema, ("inputSchema",)):
        if isinstance(node.schema, Mapping):
            found += [Obstacle((*node.path, *step), text) for step, text in _node(provider, node.schema, schema)]
        elif isinstance(node.schema, bool) and node.path[-1] != "additionalProperties":
            found.append(Obstacle(node.path, f"a schema that is {str(node.schema).lower()}"))
    return found


def list_obstacles(provider: StrictProvider, tools: Sequence[Mapping[str, Any]]) -> list[Obstacle]:
    """What stops the tools from being strict all at once."""
    if provider != "anthropic":
        return []
    schemas = [node.schema for tool in tools for node in walk(tool.get("inputSchema")) if isinstance(node.schema, Mapping)]
    optional = sum(len(_properties(schema).keys() - set(_required(schema))) for schema in schemas)
    unions = sum("anyOf" in schema or isinstance(schema.get("type"), list) for schema in schemas)
    counts = (
        (len(tools), MOST_STRICT_TOOLS, "strict tools"),
        (optional, MOST_OPTIONAL, "optional parameters"),
        (unions, MOST_UNIONS, "union-typed parameters"),
    )
    return [
        Obstacle((), f"{count} {what}, and at most {most} may be in one request") for count, most, what in counts if count > most
    ]


def _node(provider: StrictProvider, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for key in REFUSED[provider]:
        if key in schema:
            yield (key,), f"{key} is not taken"
    if "properties" in schema or schema.get("type") == "object":
        yield from _object(provider, schema)
    if schema.get("type") == "array" and not isinstance(schema.get("items"), Mapping):
        yield (), "an array without items"
    if provider == "anthropic" and schema.get("minItems") not in (None, 0, 1):
        yield ("minItems",), "minItems of more than 1 is not taken"
    form = schema.get("format")
    if isinstance(form, str) and form not in FORMATS and not (provider == "anthropic" and form == "uri"):
        yield ("format",), f"the format {form} is not taken"
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and _HARD_PATTERN.search(pattern):
        yield ("pattern",), "lookaround, back-references and \\b are not taken in a pattern"
    if "$ref" in schema:
        yield from _reference(provider, schema, root)
    elif not {"type", "enum", "const", "anyOf", "oneOf", "allOf"} & schema.keys():
        yield (), "nothing says its type"


def _object(provider: StrictProvider, schema: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    if schema.get("additionalProperties") is not False:
        yield ("additionalProperties",), "an object must say additionalProperties: false"
    optional = [name for name in _properties(schema) if name not in _required(schema)]
    if provider == "openai" and optional:
        yield ("required",), f"every property must be required; optional here: {', '.join(optional)}"


def _reference(provider: StrictProvider, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    target = resolve(schema["$ref"], root)
    if target is None:
        yield ("$ref",), "a reference without a target here"
    elif provider == "openai" and len(schema) > 1:
        yield ("$ref",), "a reference must stand alone"
    elif provider == "anthropic" and any(
        isinstance(node.schema, Mapping) and node.schema.get("$ref") == schema["$ref"] for node in walk(target[1])
    ):
        yield ("$ref",), "a schema that holds itself is not taken"


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _required(schema: Mapping[str, Any]) -> Sequence[Any]:
    required = schema.get("required")
    return required if isinstance(required, list) else []
