"""The text that a provider makes of a tool before it counts: found by fitting reported counts (2026-11-30).

Three shapes: Claude's JSON between ``function`` tags, OpenAI's TypeScript, Gemma's declaration. All take plain JSON in the
provider's own form, never raise, and are bounded: references are written out up to ``MOST_NODES`` schemas a tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.schema import resolve

MOST_NODES = 4_000
QUOTE = "\ue000"
"""Stands for the one control token that Gemini 3 writes round every string; counted apart from the text."""


def claude(tool: Mapping[str, Any]) -> str:
    """``<function>{"description": …, "name": …, "parameters": …}</function>`` of an Anthropic tool."""
    content: dict[str, Any] = {}
    if tool.get("description"):
        content["description"] = tool["description"]
    content["name"] = tool.get("name")
    content["parameters"] = tool.get("input_schema", {})
    return f"<function>{json.dumps(content, ensure_ascii=False)}</function>\n"


def typescript(tool: Mapping[str, Any], titles: bool) -> str:
    """``type NAME = (_: {…}) => any;`` of an OpenAI tool, its description as a comment before it, without the blank line after.

    ``titles``: gpt-4o and 4.1 write ``title`` as a comment line, gpt-5 does not.
    """
    schema = tool.get("parameters")
    start = _comment(tool.get("description"))
    if not (isinstance(schema, dict) and isinstance(schema.get("properties"), dict) and schema["properties"]):
        if titles and not start and isinstance(schema, dict):
            start = _comment(schema.get("title"))
        return f"{start}type {tool.get('name')} = () => any"
    writer = _TypeScript(schema, titles)
    head = (_comment(schema.get("title")) if titles else "") + _comment(schema.get("description"))
    return f"{start}type {tool.get('name')} = (_: {{\n{head}{writer.members(schema, ())}}}) => any"


class _TypeScript:
    def __init__(self, root: Mapping[str, Any], titles: bool) -> None:
        self._root = root
        self._titles = titles
        self._nodes = 0

    def members(self, schema: Mapping[str, Any], refs: tuple[str, ...]) -> str:
        properties = schema["properties"]
        named = schema.get("required")
        required = named if isinstance(named, list) else []
        lines = []
        for name, member in properties.items():
            texts = self._texts(member)
            if self._titles:
                lines.append(_comment(texts.get("title")))
            lines.append(_comment(texts.get("description")))
            default = f" // default: {_bare(member['default'])}" if isinstance(member, dict) and "default" in member else ""
            lines.append(f"{name}{'' if name in required else '?'}: {self.type(member, refs)},{default}\n")
        return "".join(lines)

    def _texts(self, member: object) -> Mapping[str, Any]:
        """``member`` over what its reference names: a reference brings its target's title and description along."""
        if not isinstance(member, dict):
            return {}
        found = resolve(member["$ref"], self._root) if "$ref" in member else None
        return {**found[1], **member} if found is not None and isinstance(found[1], dict) else member

    def type(self, schema: object, refs: tuple[str, ...]) -> str:
        self._nodes += 1
        if not isinstance(schema, dict) or self._nodes > MOST_NODES or len(refs) > 60:
            return "any"
        reference = schema.get("$ref")
        if isinstance(reference, str):
            found = resolve(reference, self._root)
            return "any" if found is None or reference in refs else self.type(found[1], (*refs, reference))
        for keyword in ("anyOf", "oneOf"):
            if isinstance(schema.get(keyword), list):
                return " | ".join(self.type(member, refs) for member in schema[keyword])
        if isinstance(schema.get("enum"), list):
            return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
        if "const" in schema:
            return json.dumps(schema["const"], ensure_ascii=False)
        declared = schema.get("type")
        if isinstance(declared, list):
            return " | ".join(self.type({**schema, "type": name}, refs) for name in declared if isinstance(name, str))
        return self._plain_type(schema, declared, refs)

    def _plain_type(self, schema: Mapping[str, Any], declared: object, refs: tuple[str, ...]) -> str:
        if declared in ("integer", "number"):
            return "number"
        if declared in ("string", "boolean", "null"):
            return str(declared)
        if declared == "array":
            inner = self.type(schema["items"], refs) if "items" in schema else "any"
            return f"({inner})[]" if " | " in inner and not inner.startswith("{") else f"{inner}[]"
        properties = schema.get("properties")
        if isinstance(properties, dict) and properties:
            return "{\n" + self.members(schema, refs) + "}"
        return "object" if declared == "object" else "any"


def gemma(declaration: Mapping[str, Any]) -> str:
    """``declaration:NAME{description:…,parameters:{…}}`` of a Gemini declaration; ``QUOTE`` stands round every string."""
    parts = []
    if declaration.get("description"):
        parts.append(f"description:{_gemma_value(declaration['description'])}")
    schema = declaration.get("parameters")
    if isinstance(schema, dict):
        parts.append(f"parameters:{_gemma_schema(schema, _has_title(schema))}")
    return f"declaration:{declaration.get('name', '')}{{{','.join(parts)}}}"


def _has_title(schema: Mapping[str, Any]) -> bool:
    """Whether the schema is one that pydantic titled. Its senders use ``parametersJsonSchema`` (all recorded ones did, 2026-06 and
    later), and on the way from there Google writes ``format: enum`` beside every enum."""
    members = schema.get("properties")
    titled = (
        any(isinstance(member, dict) and "title" in member for member in members.values()) if isinstance(members, dict) else False
    )
    return titled or "title" in schema


def _gemma_schema(schema: Mapping[str, Any], enum_format: bool) -> str:
    if enum_format and "enum" in schema and "format" not in schema:
        schema = {**schema, "format": "enum"}
    parts = []
    for key in sorted(schema):
        value = schema[key]
        if key in ("description", "properties", "required") and not value:
            continue
        if key == "properties" and isinstance(value, dict):
            members = (f"{name}:{_gemma_schema(member, enum_format)}" for name, member in value.items())
            text = "{" + ",".join(members) + "}"
        elif key == "items" and isinstance(value, dict):
            text = _gemma_schema(value, enum_format)
        elif key == "anyOf" and isinstance(value, list):
            text = "[" + ",".join(_gemma_schema(member, enum_format) for member in value) + "]"
        else:
            text = _gemma_value(value)
        parts.append(f"{key}:{text}")
    return "{" + ",".join(parts) + "}"


def _gemma_value(value: object) -> str:
    if isinstance(value, str):
        return f"{QUOTE}{value}{QUOTE}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_gemma_value(item)}" for key, item in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_gemma_value, value)) + "]"
    return json.dumps(value)


def texts(declaration: Mapping[str, Any]) -> Iterator[str]:
    """The texts that Gemini 2.0 and Vertex AI meter: names, descriptions, enum values, required names."""
    yield str(declaration.get("name", ""))
    yield str(declaration.get("description", ""))
    pending: list[Any] = [declaration.get("parameters")]
    while pending:
        schema = pending.pop()
        if not isinstance(schema, dict):
            continue
        if isinstance(schema.get("description"), str):
            yield schema["description"]
        for key in ("enum", "required"):
            if isinstance(schema.get(key), list):
                yield from (value for value in schema[key] if isinstance(value, str))
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
            pending.extend(schema["properties"].values())
        pending.append(schema.get("items"))
        if isinstance(schema.get("anyOf"), list):
            pending.extend(schema["anyOf"])


def _comment(text: object) -> str:
    return f"// {text}\n" if isinstance(text, str) and text else ""


def _bare(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
