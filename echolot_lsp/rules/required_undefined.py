"""`required` names something that `properties` does not define, in any object of the input schema.

**Why it matters.** A model is told that it must send an argument and nothing about it: it invents a value, or a provider refuses the
tool. Mostly it is a renamed parameter whose old name was left behind.

**Instead.** Remove the entry, or define the property. Counted as defined is what the object, its branches and what it refers to
define, and for a branch what the object around it defines.

**Who refuses.** Gemini: "required[0]: property is not defined" (moltis-org/moltis#747, 2026-04; Kilo-Org/kilocode#11950, 2026-07),
at any depth. VS Code repairs it (2026-09).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import IN_PLACE, Anatomy, Part, anatomy
from echolot_lsp.model import Fix, Operation, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.schema import label
from echolot_lsp.words import quoted


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    shape = anatomy(tool)
    for part in shape.having("required"):
        required = part.schema["required"]
        if not isinstance(required, list) or part.condition or _is_mixin(part):
            continue
        defined = _defined(shape, part)
        if defined is None:
            continue
        for position, key in enumerate(required):
            if isinstance(key, str) and key not in defined:
                path = (*part.path, "required", position)
                where = f" of {quoted(label(part.path))}" if label(part.path) else ""
                fix = Fix(f"Remove {quoted(key)} from required", True, (Operation("remove", index, path),))
                message = f"{quoted(key)} is required{where} but no property is called that, so a model can only guess it and Gemini refuses the tool."
                yield Hit(index, path, message, fix=fix)


def _is_mixin(part: Part) -> bool:
    """A definition that only adds demands to an object which refers to it."""
    return part.role in ("$defs", "definitions") and not {"type", "properties"} & part.schema.keys()


def _defined(shape: Anatomy, part: Part) -> set[str] | None:
    """The keys that count as defined for ``part``; ``None`` where that is not known."""
    owners: list[Any] = [part.schema]
    around = part
    while around.role in IN_PLACE and around.parent is not None:
        around = around.parent
        owners.append(around.schema)
    keys: set[str] = set()
    for owner in owners:
        for schema in shape.same_value(owner):
            if isinstance(schema, Unknown):
                return None
            if not isinstance(schema, Mapping):
                continue
            properties = schema.get("properties")
            if isinstance(properties, Unknown) or schema.get("patternProperties"):
                return None
            keys.update(properties if isinstance(properties, Mapping) else ())
    return keys


def _object(**members: Any) -> Mapping[str, Any]:
    return {"name": "book_berth", "inputSchema": {"type": "object", **members}}


_BERTH = {"berth": {"type": "string"}}

RULE = Rule(
    id="required-undefined",
    severity=Severity.PROBLEM,
    title="Required property that is not defined",
    advice="Remove it from required, or define the property.",
    bad=(
        Example((_object(properties=_BERTH, required=["berth", "until"]),), ((0, "/inputSchema/required/1"),)),
        Example(
            (_object(properties={"ship": {"type": "object", "properties": {}, "required": ["length"]}}),),
            ((0, "/inputSchema/properties/ship/required/0"),),
            "In a nested object",
        ),
        Example(
            (_object(properties=_BERTH, anyOf=[{"required": ["quay"]}]),), ((0, "/inputSchema/anyOf/0/required/0"),), "In a branch"
        ),
    ),
    good=(
        Example((_object(properties=_BERTH, required=["berth"], anyOf=[{"required": ["berth"]}]),)),
        Example(
            (
                _object(
                    allOf=[{"$ref": "#/$defs/B"}], required=["berth"], **{"$defs": {"B": {"type": "object", "properties": _BERTH}}}
                ),
            )
        ),
    ),
    tool=check,
    fix="removes the entry (safe)",
    refused_by=("gemini",),
)
