"""A string parameter that is meant to hold JSON.

**Why it matters.** A model must write JSON inside JSON, with every quote escaped. It forgets one, sends the object itself, or escapes
twice; each time the call fails.

**Instead.** Declare the object: `dict[str, str]`, a model, a list. The server need not parse it then either.

**Who refuses.** Nobody (TALXIS/tools-cli#63, 2026: the calls fail at the server).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool, Unknown, is_known
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.words import words

_SAYS_JSON = re.compile(
    r"\bjson(?:[- ]encoded\b|\s+(?:string|text|object|array|list|of)s?\b)|\bas\s+json\b|JSON(?:文字列|配列|オブジェクト)",
    re.IGNORECASE,
)
_IS_NOT = words("format path file uri url mode filename filepath")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).parameters:
        key = part.path[-1]
        if not isinstance(key, str) or not isinstance(part.schema, Mapping) or not _is_only_a_string(part.schema):
            continue
        description = part.schema.get("description")
        if isinstance(description, Unknown) or words(key) & _IS_NOT:
            continue
        if "json" in words(key) or (isinstance(description, str) and _SAYS_JSON.search(description[:5_000])):
            yield Hit(
                index,
                part.path,
                f"{named_one(part.path)} takes JSON as text, so a model must escape an object inside a string and often gets it wrong.",
            )


def _is_only_a_string(schema: Mapping[str, Any]) -> bool:
    declared = schema.get("type")
    if "enum" in schema or "const" in schema:
        return False
    if isinstance(declared, str):
        return declared == "string"
    if isinstance(declared, list):
        return is_known(declared) and "string" in declared and set(map(str, declared)) <= {"string", "null"}
    branches = schema.get("anyOf", schema.get("oneOf"))
    if declared is not None or not isinstance(branches, list):
        return False
    kinds = [
        branch.get("type") if isinstance(branch, Mapping) and not {"enum", "const"} & branch.keys() else "other"
        for branch in branches
    ]
    return "string" in kinds and all(kind in ("string", "null") for kind in kinds)


def _tool(key: str, **parameter: Any) -> Mapping[str, Any]:
    return {"name": "file_report", "inputSchema": {"type": "object", "properties": {key: parameter}}}


_AT = "/inputSchema/properties/"

RULE = Rule(
    id="param-json-in-string",
    severity=Severity.WARNING,
    title="JSON inside a string",
    advice="Declare the object or list itself.",
    bad=(
        Example(
            (_tool("crew_json", type="string"), _tool("crew", type="string", description="Crew, a JSON array of names")),
            ((0, _AT + "crew_json"), (1, _AT + "crew")),
        ),
        Example((_tool("crew", anyOf=[{"type": "string"}, {"type": "null"}], description="Names as JSON"),), ((0, _AT + "crew"),)),
        Example((_tool("crew", type="string", description="名前のJSON配列"),), ((0, _AT + "crew"),), "Japanese"),
    ),
    good=(
        Example(
            (
                _tool("output_format", type="string", description="as JSON or text"),
                _tool("json_path", type="string"),
                _tool("json", type="object"),
            )
        ),
        Example((_tool("crew", type="string", enum=["json"]), _tool("crew", type="string", description="The JSON field's name"))),
        Example((_tool("crew", type="string", description="船員の名前"),), title="Japanese"),
    ),
    tool=check,
)
