"""An array with `prefixItems`: a tuple whose positions mean different things.

**Why it matters.** Gemini's `parameters` has no such field, so only "a list" is left; and a model that sees it still mixes up the
positions, because they have no names. In Python it is `tuple[int, str]`.

**Instead.** An object with named properties, or two parameters.

**Who refuses.** Gemini raw: "Unknown name" (measured by parsing into google-ai-generativelanguage 0.12.1, 2026-11-30); OpenAI's strict mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.schema import is_of_type


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("prefixItems"):
        positions = part.schema["prefixItems"]
        if isinstance(positions, list) and not part.condition and ("type" not in part.schema or is_of_type(part.schema, "array")):
            message = f'{named_one(part.path)} is a tuple of {len(positions)}; Gemini\'s "parameters" has no prefixItems, and a model mixes up positions without names.'
            yield Hit(index, part.path, message)


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "set_mark", "inputSchema": {"type": "object", "properties": {"mark": parameter}}}


RULE = Rule(
    id="tuple-schema",
    severity=Severity.WARNING,
    title="Tuple",
    advice="Use an object with named properties.",
    bad=(
        Example(
            (_tool(type="array", prefixItems=[{"type": "number"}, {"type": "number"}], minItems=2, maxItems=2),),
            ((0, "/inputSchema/properties/mark"),),
        ),
    ),
    good=(Example((_tool(type="array", items={"type": "number"}, minItems=2, maxItems=2),)),),
    tool=check,
)
