"""An `inputSchema` or `outputSchema` that is no valid JSON Schema 2020-12.

**Why it matters.** Anthropic checks it and refuses the whole request for one such tool. Usual finds: `required: true` inside a property
(OpenAPI, draft 3), `items` as a list (draft 7), `exclusiveMinimum: true` (draft 4), a `type` that does not exist (`"int"`, `"date"`).

**Instead.** What 2020-12 wants at that place; the message says it. Regular expressions are not judged: their dialects differ.

**Who refuses.** Anthropic: "JSON schema is invalid. It must match JSON Schema draft 2020-12" (anthropics/claude-code#86664, 2026-08-14;
kintone/mcp-server#547, 2026-08-13; hyperdxio/hyperdx#2967). Clients that check the list drop the tool, or all of them
(ThinkInAIXYZ/go-mcp#170).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy, output_anatomy, per_tool
from echolot_lsp.metaschema import Fault, faults
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.words import quoted, shown

MOST = 20
"""Findings of one tool at most; a schema with more is something else altogether."""


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for fault in _faults(tool)[:MOST]:
        whole = fault.path[0] == "inputSchema"
        consequence = "Anthropic refuses the whole request" if whole else "clients that check it drop the tool"
        yield Hit(
            index, fault.path, f"{_what(fault)} wants {fault.wanted}: {consequence}.", refused_by=("anthropic",) if whole else ()
        )


@per_tool
def _faults(tool: Tool) -> list[Fault]:
    output = faults(output_anatomy(tool)) if "outputSchema" in tool.wire else []
    return faults(anatomy(tool)) + output


def _what(fault: Fault) -> str:
    names = [step for step in fault.path if isinstance(step, str)]
    at = 2 if len(fault.path) >= 2 and isinstance(fault.path[-1], int) else 1
    place = fault.path[:-at]
    value = (
        "an object"
        if isinstance(fault.value, Mapping)
        else "a list"
        if isinstance(fault.value, list)
        else shown(json.dumps(fault.value, ensure_ascii=False, default=str), 40)
    )
    return f"{quoted(names[-1])} at {named_one(place)} is {value}, where JSON Schema 2020-12"


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "weigh_fish", "inputSchema": {"type": "object", "properties": {"fish": parameter}}}


RULE = Rule(
    id="schema-invalid",
    severity=Severity.PROBLEM,
    title="Schema that is not valid JSON Schema",
    advice="Write what JSON Schema 2020-12 wants there.",
    bad=(
        Example((_tool(type="string", required=True),), ((0, "/inputSchema/properties/fish/required"),)),
        Example(
            (_tool(type="array", items=[{"type": "string"}]), _tool(type="int")),
            ((0, "/inputSchema/properties/fish/items"), (1, "/inputSchema/properties/fish/type")),
        ),
        Example(
            ({"name": "weigh_fish", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": []}},),
            ((0, "/outputSchema/properties"),),
        ),
    ),
    good=(Example((_tool(type="string", pattern="(?i)[", minLength=1.0, required=[]), _tool(type=["string", "null"]))),),
    tool=check,
    refused_by=("anthropic",),
)
