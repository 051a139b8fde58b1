"""A parameter that says nothing about its type: none of `type`, `enum`, `const`, `$ref`, `anyOf`, `oneOf`, `allOf`.

**Why it matters.** A model must guess between text, number, list and object. In Python it is a parameter without an annotation
under FastMCP (`{}` is sent), or one annotated `Any`.

**Instead.** Annotate it, or write a `type`. A branch of `anyOf` or `oneOf` with no type beside it needs one as well.

**Who refuses.** OpenAI's strict mode ("schema must have a 'type' key"); the others take it (2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Fix, Operation, Path, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.schema import branches, is_typed, label
from echolot_lsp.words import quoted


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).parameters:
        if not isinstance(part.schema, Mapping):
            continue
        name = quoted(label(part.path))
        if not is_typed(part.schema):
            fix = None
            if context.server.origin == "python":
                fix = Fix(f"Annotate {name} as a string", False, (Operation("set", index, (*part.path, "type"), "string"),))
            yield Hit(index, part.path, f"{name} has no type, so a model can only guess what to send.", fix=fix)
        for path in _untyped_branches(part.schema, part.path):
            yield Hit(
                index,
                path,
                f"{name} has a branch without a type ({path[-2]} {path[-1]}), so anything goes and a model can only guess.",
            )


def _untyped_branches(schema: Mapping[str, Any], path: Path) -> Iterator[Path]:
    pending = [(schema, path)]
    while pending:
        owner, place = pending.pop()
        if "type" in owner:
            continue
        for branch in branches(owner, place, ("anyOf", "oneOf")):
            if isinstance(branch.schema, Mapping):
                if is_typed(branch.schema):
                    pending.append((branch.schema, branch.path))
                else:
                    yield branch.path


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "mix_paint", "inputSchema": {"type": "object", "properties": {"shade": parameter}}}


RULE = Rule(
    id="param-no-type",
    severity=Severity.PROBLEM,
    title="Parameter without a type",
    advice="Annotate the parameter, or give it a type.",
    bad=(
        Example((_tool(description="Shade, e.g. 12.5"),), ((0, "/inputSchema/properties/shade"),)),
        Example(
            (_tool(anyOf=[{"description": "A name"}, {"type": "null"}]),),
            ((0, "/inputSchema/properties/shade/anyOf/0"),),
            "A branch",
        ),
        Example(
            (_tool(type="array", items={"type": "object", "properties": {"tone": {}}}),),
            ((0, "/inputSchema/properties/shade/items/properties/tone"),),
        ),
    ),
    good=(
        Example((_tool(type="number"), _tool(enum=["a"]), _tool(const=1), _tool(anyOf=[{"type": "string"}, {"type": "null"}]))),
        Example((_tool(type="object", anyOf=[{"required": ["tone"]}], properties={"tone": {"type": "string"}}),)),
    ),
    tool=check,
    fix="in Python, adds an annotation to correct (unsafe)",
)
