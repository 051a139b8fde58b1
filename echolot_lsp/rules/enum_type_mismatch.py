"""An enum with a value that its own `type` does not allow, such as numbers under `"type": "string"`.

**Why it matters.** No argument can be both, so such a value can never be sent, with any provider; Gemini refuses the tool besides.

**Instead.** Values of the declared type (`"1"` rather than `1`), or the type of the values. `null` in the list needs `"null"` among the
types.

**Who refuses.** Gemini: "Invalid value at … enum[0] (TYPE_STRING), 256" (mongodb-js/mongodb-mcp-server#715, 2025-11-05;
microsoft/azure-devops-mcp#139) and "enum: only allowed for STRING type" (Draculabo/AntigravityManager#260, 2026-08). Anthropic and OpenAI
take it outside their strict modes, as far as reports go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool, is_known
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.schema import has_json_type
from echolot_lsp.words import listed, shown


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("enum"):
        wrong = misfits(part.schema)
        if wrong:
            values = listed(
                [shown(json.dumps(value, ensure_ascii=False, default=str), 20) for value in wrong[:3]]
                + (["more"] if len(wrong) > 3 else [])
            )
            message = f"The enum of {named_one(part.path)} holds {values}, but its type is {_types(part.schema)}: no argument can be both, and Gemini refuses the request."
            yield Hit(index, (*part.path, "enum"), message)


def misfits(schema: Mapping[str, Any]) -> list[Any]:
    """The values of an enum that do not fit the declared type; none where either is not known or missing."""
    values, declared = schema.get("enum"), schema.get("type")
    if not isinstance(values, list) or declared is None or not is_known(declared):
        return []
    types = declared if isinstance(declared, list) else [declared]
    return [value for value in values if is_known(value) and not any(has_json_type(value, name) for name in types)]


def _types(schema: Mapping[str, Any]) -> str:
    declared = schema["type"]
    return " or ".join(map(str, declared)) if isinstance(declared, list) else str(declared)


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "build_keel", "inputSchema": {"type": "object", "properties": {"size": parameter}}}


RULE = Rule(
    id="enum-type-mismatch",
    severity=Severity.PROBLEM,
    title="Enum value of another type",
    advice="Use values of the declared type.",
    bad=(
        Example((_tool(type="string", enum=[1, 2]),), ((0, "/inputSchema/properties/size/enum"),)),
        Example(
            (_tool(type="string", enum=["s", None]), _tool(type=["integer", "null"], enum=[1.5])),
            ((0, "/inputSchema/properties/size/enum"), (1, "/inputSchema/properties/size/enum")),
        ),
    ),
    good=(
        Example(
            (
                _tool(type="string", enum=["1"]),
                _tool(type=["string", "null"], enum=["s", None]),
                _tool(enum=[1]),
                _tool(type="number", enum=[1]),
            )
        ),
    ),
    tool=check,
    refused_by=("gemini",),
)
