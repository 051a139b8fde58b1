"""OpenAI: the Responses form and the Chat Completions form, both with ``strict: false`` and the schema as it is.

Source: openai-agents 0.24.0 with openai 3.57.0, read and run 2026-11-30. The SDK adds ``properties: {}`` where the root of a schema
lacks it (the API answers 400 without), adds no ``type``, and takes the title, else ``""``, where a tool has no description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from echolot_lsp.providers.anthropic import EMPTY_SCHEMA, sent_members, unknown_parts, unsent_members
from echolot_lsp.providers.conversion import Change, ToolForm

Api: TypeAlias = Literal["responses", "chat"]


def tool_form(index: int, tool: Mapping[str, Any], api: Api = "responses") -> ToolForm:
    """One tool as the API takes it. A part that is unknown is left out."""
    parts = sent_members(tool)
    changes = list(unsent_members(index, tool, "OpenAI"))
    unknown = unknown_parts(index, parts)
    missing = {left.path[0] for left in unknown if len(left.path) == 1}
    function: dict[str, Any] = {}
    if "name" in parts.value:
        function["name"] = parts.value["name"]
    if "description" not in missing:
        function["description"] = parts.value.get("description") or parts.value.get("title") or ""
    if "inputSchema" not in missing:
        schema = parts.value.get("inputSchema", EMPTY_SCHEMA)
        if (
            isinstance(schema, dict)
            and "properties" not in schema
            and ("inputSchema", "properties") not in {x.path for x in parts.left}
        ):
            schema = {**schema, "properties": {}}
            text = "OpenAI answers 400 for a schema without `properties`, so an empty one is added."
            changes.append(Change(index, ("inputSchema",), "properties", "rewritten", text))
        function["parameters"] = schema
    function["strict"] = False
    value = {"type": "function", **function} if api == "responses" else {"type": "function", "function": function}
    return ToolForm(value, tuple(changes), unknown)
