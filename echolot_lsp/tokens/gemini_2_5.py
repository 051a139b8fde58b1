"""What Gemini 2.5 charges for a declaration: a sum of parts, since its rendering is not public.

The figures look like a Python signature with a docstring, and were found by subtracting the counts of names and texts from 23
reported counts (2025-09 to 2026-08, read 2026-11-30): every one of them is met within one token. A linear fit over the same parts had
missed by up to 12 %. Tried and dropped: FunctionGemma's declaration (Gemini 3's; 2.5 charges 0.7 to 1.3 times that), the JSON text, a cost for
``title`` (none), another cost for integers than for strings (none). Not covered by any count: recursive definitions, free objects.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

TOOL = 18
"""A declaration without parameters, beside its name and description."""
PROPERTY = 10
"""A property, beside its name and description; a string, a number or a boolean."""
OPTIONAL = 4
"""A property that is not required and has no default."""
DEFAULT = 1
OBJECT = 32
"""An object with properties of its own."""
ARRAY = 2
ENUM_VALUE = 1
ALTERNATIVE = 2


def tokens(tool: Mapping[str, Any], count: Callable[[str], int]) -> int:
    """Tokens of a declaration with ``parameters``. ``count`` counts a text."""
    schema = tool.get("parameters")
    members = schema.get("properties") if isinstance(schema, dict) else None
    described = any(member.get("description") for member in members.values()) if isinstance(members, dict) else False
    total = TOOL + count(str(tool.get("name", ""))) + count(str(tool.get("description") or ""))
    return total + (_members(schema, count) if isinstance(schema, dict) else 0) - described


def _members(schema: Mapping[str, Any], count: Callable[[str], int]) -> int:
    total = 0
    for name, member in schema.get("properties", {}).items():
        total += PROPERTY + count(name) + _value(member, count)
        if "default" in member:
            total += DEFAULT + count(json.dumps(member["default"], ensure_ascii=False))
        elif name not in schema.get("required", []):
            total += OPTIONAL
    return total


def _value(schema: Mapping[str, Any], count: Callable[[str], int]) -> int:
    total = count(schema.get("description", ""))
    total += sum(count(value) + ENUM_VALUE for value in schema.get("enum", []))
    if schema.get("type") == "ARRAY":
        total += ARRAY + _value(schema.get("items", {}), count)
    if schema.get("properties"):
        total += OBJECT + _members(schema, count)
    return total + sum(ALTERNATIVE + _value(member, count) for member in schema.get("anyOf", []))
