"""A default that its own schema does not allow, mostly `null` beside `"type": "string"`.

**Why it matters.** Clients that fill in defaults (and models that copy them) send a value that the server refuses. In Python it is
`x: str = None`.

**Instead.** `x: str | None = None`, or a default of the type: `x: str = ""`.

**Who refuses.** The server itself, once a client fills the default in: modelcontextprotocol/inspector#353 and #846,
anthropics/claude-code#95239 (2026). OpenAI's strict mode refuses any default.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.anatomy import Anatomy, Part, anatomy, per_tool
from echolot_lsp.model import Path, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, named, named_one
from echolot_lsp.rules._validation import accepts
from echolot_lsp.schema import at
from echolot_lsp.words import shown


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    places = _places(tool)
    if not places:
        return []
    where = [path[:-1] for path in places]
    values = [shown(json.dumps(at(tool.wire, path), ensure_ascii=False), 30) for path in places]
    if len(places) == 1:
        message = f"The default of {named(where)} is {values[0]}, which its own schema does not allow: a client that fills it in is refused."
    else:
        message = f"The defaults of {named(where)} are values that their own schemas do not allow: a client that fills them in is refused."
    return grouped(index, places, message, lambda path: f"the default of {named_one(path[:-1])} does not fit")


DEEPEST = 60
"""Steps of a path beyond which no default is judged."""


@per_tool
def _places(tool: Tool) -> list[Path]:
    shape = anatomy(tool)
    return [(*part.path, "default") for part in shape.having("default") if not part.condition and _is_wrong(shape, part)]


def _is_wrong(shape: Anatomy, part: Part) -> bool:
    return len(part.path) <= DEEPEST and accepts(part.schema, part.schema["default"], shape.root) is False


def _tool(**properties: Any) -> Mapping[str, Any]:
    return {"name": "hoist_flag", "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="default-type-mismatch",
    severity=Severity.WARNING,
    title="Default that the schema does not allow",
    advice="Allow the default in the type (str | None), or use a default of that type.",
    bad=(
        Example((_tool(flag={"type": "string", "default": None}),), ((0, "/inputSchema/properties/flag/default"),)),
        Example(
            (_tool(flag={"enum": ["red"], "default": "blue"}, speed={"type": "integer", "maximum": 5, "default": 9}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
        Example(
            (_tool(flags={"type": "array", "items": {"type": "string"}, "default": [1]}),),
            ((0, "/inputSchema/properties/flags/default"),),
        ),
    ),
    good=(
        Example(
            (
                _tool(
                    flag={"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                    speed={"type": "number", "default": 1},
                    default={"type": "string"},
                ),
            )
        ),
    ),
    tool=check,
)
