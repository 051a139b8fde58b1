"""Parameters without a description: none of their own, none after `$ref`, none on a branch.

**Why it matters.** A name and a type leave out the unit, the format, the allowed values, where an id comes from. A model fills the
argument with what looks right.

**Instead.** One line each: what it is, and an example. In Python `Annotated[T, Field(description="…")]`. Mind who reads what: FastMCP 3
and later send a docstring's Args section (Teradata/teradata-mcp-server#322), the SDK and FastMCP 2 do not; `Annotated[T, "text"]`
counts under FastMCP only (measured with mcp 1.30 and 2.3, FastMCP 2.14 and 4.2, 2026-11-30).

**Who refuses.** Nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from echolot_lsp.anatomy import Anatomy, Part, anatomy
from echolot_lsp.model import Fix, Operation, Path, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, named_one
from echolot_lsp.rules._growth import growth
from echolot_lsp.rules._unsent_texts import WITH_TEXT, lacks_a_description, unsent_texts
from echolot_lsp.rules.no_description import is_blank
from echolot_lsp.words import counted

PLACEHOLDER = "TODO: what it is, e.g. …"


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    shape = anatomy(tool)
    places = [part.path for part in shape.parameters if not _is_described(shape, part)]
    if not places:
        return []
    unsent = unsent_texts(tool, places)
    advice = WITH_TEXT if len(unsent) == len(places) else None
    hits = grouped(
        index,
        places,
        lacks_a_description(tool, context.server.framework, places, unsent),
        lambda path: f"{named_one(path)} has no description",
        _fix(index, shape, places, unsent),
    )
    return [replace(hit, advice=advice) for hit in hits]


def _is_described(shape: Anatomy, part: Part) -> bool:
    if not isinstance(part.schema, Mapping):
        return True
    description = part.schema.get("description")
    if isinstance(description, str) and description:
        return not is_blank(description) or _elsewhere(shape, part.schema)
    return _elsewhere(shape, part.schema)


def _elsewhere(shape: Anatomy, schema: Mapping[str, Any]) -> bool:
    for same in shape.same_value(schema):
        description = same.get("description") if isinstance(same, Mapping) else same
        if isinstance(description, Unknown) or (isinstance(description, str) and not is_blank(description)):
            return True
    return False


def _fix(index: int, shape: Anatomy, places: list[Path], unsent: Mapping[Path, str]) -> Fix:
    operations = tuple(Operation("set", index, (*path, "description"), unsent.get(path, PLACEHOLDER)) for path in places)
    if len(unsent) == len(places):
        change = growth(shape, operations)
        return Fix(f"Send the text that the source has ({change.words})", not change.makes_it_large, operations)
    return Fix(f"Describe {counted(len(places), 'parameter')} (to fill in)", False, operations)


def _tool(**properties: Any) -> Mapping[str, Any]:
    return {"name": "hire_boat", "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="param-no-description",
    severity=Severity.WARNING,
    title="Parameter without a description",
    advice="One line for each: what it is, and an example.",
    bad=(
        Example((_tool(boat={"type": "string"}),), ((0, "/inputSchema/properties/boat"),)),
        Example(
            (_tool(boat={"type": "string"}, crew={"type": "integer", "description": " "}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
        Example(
            (_tool(boat={"type": "object", "description": "The boat", "properties": {"sail": {"type": "string"}}}),),
            ((0, "/inputSchema/properties/boat/properties/sail"),),
        ),
    ),
    good=(
        Example((_tool(boat={"type": "string", "description": "Boat number, e.g. B-7"}),)),
        Example((_tool(boat={"anyOf": [{"type": "string", "description": "船の番号"}, {"type": "null"}]}),)),
        Example(
            (
                {
                    "name": "hire_boat",
                    "inputSchema": {
                        "type": "object",
                        "properties": {"boat": {"$ref": "#/$defs/Boat"}},
                        "$defs": {"Boat": {"enum": ["B-7"], "description": "A boat"}},
                    },
                },
            )
        ),
    ),
    tool=check,
    fix='writes `Annotated[T, Field(description="…")]` or the member: the source\'s own text where there is one (safe), else a placeholder (unsafe)',
)
