"""A parameter of type object that says nothing about its keys, neither by properties nor in words.

**Why it matters.** A model must fill an object whose keys it has never seen. It invents plausible ones, or sends the object as a
JSON string; both fail at the server, turn after turn.

**Instead.** Declare the keys (a model, a TypedDict), or show in the description what goes in, with an example such as
`{"en": "Harbour"}`. A closed object and a map with typed values are fine.

**Who refuses.** OpenAI's strict mode; Gemini refused empty objects up to 2025-07 ("should be non-empty for OBJECT type",
pipecat-ai/pipecat-flows#110, 2025-03; accepted since, bug-ops/zeph#1641, 2026-03).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import Anatomy, anatomy
from echolot_lsp.model import Severity, Tool, Unknown, is_known
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.schema import is_of_type, is_typed, label
from echolot_lsp.words import quoted

_SHOWS = re.compile(
    r"\{|e\.\s?g\.|such as|example|例|\"[^\"\n]*\w[^\"\n]*\"|`[^`\n]*\w[^`\n]*`|[“„«「『][^”“»」』\n]*\w[^”“»」』\n]*[”“»」』]"
    r"|\w \((?:str(?:ing)?|int(?:eger)?|number|float|bool(?:ean)?|object|array|list|dict)\b"
    r"|(?<!\w)['‘][^'’\n]*\w[^'’\n]*['’](?!\w)",
    re.IGNORECASE,
)

_OBJECT = "is an object, but nothing says which keys it takes"


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    shape = anatomy(tool)
    if not any(is_of_type(part.schema, "object") for part in shape.having("type") if part.parent is not None):
        return
    for part in shape.parameters:
        if isinstance(part.schema, Mapping) and _has_free_object(shape, part.schema):
            what = "takes a list of objects, but nothing says which keys they have" if is_of_type(part.schema, "array") else _OBJECT
            yield Hit(index, part.path, f"{quoted(label(part.path))} {what}.")


def _has_free_object(shape: Anatomy, parameter: Mapping[str, Any]) -> bool:
    """Whether ``parameter``, a branch or its items (through references) are a free object that no text on the way explains."""
    pending: list[Any] = [parameter]
    seen: set[int] = set()
    while pending:
        for schema in shape.same_value(pending.pop()):
            if isinstance(schema, Unknown) or (isinstance(schema, Mapping) and _shows(schema.get("description"))):
                return False
            if not isinstance(schema, Mapping) or id(schema) in seen:
                continue
            seen.add(id(schema))
            if is_of_type(schema, "object") and _is_free(shape, schema):
                return not _shows(parameter.get("description"))
            if "items" in schema:
                pending.append(schema["items"])
    return False


def _shows(description: object) -> bool:
    return isinstance(description, Unknown) or (isinstance(description, str) and _SHOWS.search(description) is not None)


def _is_free(shape: Anatomy, schema: Mapping[str, Any]) -> bool:
    for part in shape.same_value(schema):
        if isinstance(part, Unknown):
            return False
        if not isinstance(part, Mapping):
            continue
        additional, patterns = part.get("additionalProperties"), part.get("patternProperties")
        if part.get("properties") or additional is False or isinstance(additional, Unknown) or _is_typed_map(additional):
            return False
        if isinstance(patterns, Unknown) or (isinstance(patterns, Mapping) and any(map(_is_typed_map, patterns.values()))):
            return False
        if not is_known(part.get("type")):
            return False
    return True


def _is_typed_map(values: object) -> bool:
    return isinstance(values, Unknown) or (isinstance(values, Mapping) and is_typed(values))


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "tag_whale", "inputSchema": {"type": "object", "properties": {"marks": parameter}}}


_AT = ((0, "/inputSchema/properties/marks"),)

RULE = Rule(
    id="param-free-object",
    severity=Severity.WARNING,
    title="Object parameter that says nothing of its keys",
    advice="Describe its keys, or show in the description what goes in.",
    bad=(
        Example((_tool(type="object", description="Marks of the whale"),), _AT),
        Example((_tool(anyOf=[{"type": "object", "additionalProperties": True}, {"type": "null"}]),), _AT, "In a branch"),
        Example((_tool(type="array", items={"type": "object"}),), _AT, "As items"),
        Example((_tool(type="object", description="鯨の印"),), _AT, "Japanese"),
    ),
    good=(
        Example(
            (
                _tool(type="object", properties={"fin": {"type": "string"}}),
                _tool(type="object", additionalProperties={"type": "string"}),
            )
        ),
        Example(
            (_tool(type="object", description='Marks by place, {"fin": "scar"}'), _tool(type="object", additionalProperties=False))
        ),
        Example((_tool(type="object", description="鯨の印、例えば「ひれ」"),), title="Japanese"),
    ),
    tool=check,
)
