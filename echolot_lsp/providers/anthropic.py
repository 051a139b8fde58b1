"""Anthropic's Messages API: ``{name, description, input_schema}``, the schema as it is.

Source: ``anthropic.lib.tools.mcp`` of anthropic 2.14.0, read and run 2026-11-30: the SDK copies these three and nothing else,
and writes ``""`` where a tool has no description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from echolot_lsp.model import Unresolved
from echolot_lsp.providers.conversion import Change, ToolForm
from echolot_lsp.providers.plain import Plain, plain

SENT = ("name", "description", "inputSchema")
EMPTY_SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}


def tool_form(index: int, tool: Mapping[str, Any]) -> ToolForm:
    """One tool as the API takes it. A part that is unknown is left out."""
    parts = sent_members(tool)
    unsent = unsent_members(index, tool, "Anthropic")
    unknown = unknown_parts(index, parts)
    missing = {left.path[0] for left in unknown if len(left.path) == 1}
    value: dict[str, Any] = {}
    if "name" in parts.value:
        value["name"] = parts.value["name"]
    if "description" not in missing:
        value["description"] = _or_empty(parts.value.get("description"))
    if "inputSchema" not in missing:
        value["input_schema"] = parts.value.get("inputSchema", EMPTY_SCHEMA)
    return ToolForm(value, unsent, unknown)


def sent_members(tool: Mapping[str, Any]) -> Plain:
    """The members of a tool that some provider's form has a place for, in plain JSON; ``title`` is used in place of a description."""
    return plain({key: tool[key] for key in (*SENT, "title") if key in tool})


def unknown_parts(index: int, parts: Plain) -> tuple[Unresolved, ...]:
    """What of the parts that are sent is not known."""
    return tuple(Unresolved(index, left.path, left.why) for left in parts.left if left.path[:1] != ("title",))


def unsent_members(index: int, tool: Mapping[str, Any], provider: str) -> tuple[Change, ...]:
    """What no provider's form has a place for: ``title``, ``annotations``, ``outputSchema``, ``icons``, ``_meta`` and so on."""
    return tuple(
        Change(index, (key,), key, "dropped", f"{provider}'s form of a tool has no place for `{key}`, so no model sees it.")
        for key in tool
        if key not in SENT
    )


def _or_empty(description: object) -> object:
    return "" if description is None else description
