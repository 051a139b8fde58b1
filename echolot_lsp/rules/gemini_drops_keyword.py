"""A constraint that Gemini's `parameters` has no field for, or that not every Google client carries.

**Why it matters.** The constraint is gone when the list reaches the model, or the client that sends it as it is gets an error. A
model then sends what your server refuses. Clients that send `parametersJsonSchema` keep it, so it is a note.

**Instead.** Say it in the description as well ("one of day, week"), or use a keyword that stays: an `enum` of strings for
`const` and for `oneOf` of constants, `minimum` for `exclusiveMinimum`, `items` for `prefixItems`.

**Who refuses.** `additionalProperties`, `oneOf`, `allOf`, `not`, `if`, `const`, `exclusiveMinimum`, `multipleOf`, `uniqueItems`,
`prefixItems`, `patternProperties`, … raw: "Unknown name … Cannot find field" (decolua/9router#3018, 2026-08;
router-for-me/CLIProxyAPI#4754, 2026-08); found by parsing into google-ai-generativelanguage 0.12.1 (v1beta, 2026-10-01). `pattern`
is a field of the API; Firebase AI's and Vertex for Node's schema types have none (2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import Anatomy, anatomy
from echolot_lsp.model import Server, Severity, Tool
from echolot_lsp.providers.gemini import NOT_EVERY_CLIENT
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.rules._gemini_losses import lost_places
from echolot_lsp.rules._grouping import grouped, named, named_one, of_tools
from echolot_lsp.words import counted, listed

TOKENS_OF_CLOSED = 5
""""additionalProperties":false in compact JSON."""


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    places = lost_places(tool)
    if not places:
        return []
    told = [
        f"{keyword} (at {named([path[:-1] for path in places if path[-1] == keyword])})"
        for keyword in dict.fromkeys(path[-1] for path in places)
    ]
    if all(path[-1] in NOT_EVERY_CLIENT for path in places):
        message = f"Some Google clients' schema types have no {listed(told)}: the constraint is lost there."
    else:
        message = (
            f'Gemini\'s "parameters" has no field for {listed(told)}: lost there, kept by clients that send parametersJsonSchema.'
        )
    return grouped(index, places, message, lambda path: f"{path[-1]} at {named_one(path[:-1])}")


def check_list(server: Server, context: Context) -> Iterator[Hit]:
    closed = [index for index, tool in enumerate(server.tools) if _is_closed(anatomy(tool))]
    if closed:
        message = (
            f"{of_tools(len(closed), len(server.tools))} {'closes' if len(closed) == 1 else 'close'} the arguments (additionalProperties: false at the root, "
            f'about {counted(TOKENS_OF_CLOSED * len(closed), "token")}), which Gemini\'s "parameters" has no field for.'
        )
        yield Hit(
            None, (), message, tuple(Mark(index, ("inputSchema", "additionalProperties"), "closed at the root") for index in closed)
        )


def _is_closed(shape: Anatomy) -> bool:
    return isinstance(shape.root, Mapping) and shape.root.get("additionalProperties") is False


def _tool(**members: Any) -> Mapping[str, Any]:
    return {"name": "read_buoy", "inputSchema": {"type": "object", **members}}


RULE = Rule(
    id="gemini-drops-keyword",
    severity=Severity.NOTE,
    title="Constraint that is lost with Gemini",
    advice="Say it in the description as well; clients that send parametersJsonSchema keep it.",
    bad=(
        Example((_tool(properties={"buoy": {"type": "string", "pattern": "^B"}}),), ((0, "/inputSchema/properties/buoy/pattern"),)),
        Example(
            (_tool(properties={"a": {"const": "day"}, "b": {"type": "object", "additionalProperties": False}}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
        Example((_tool(properties={}, additionalProperties=True),), ((0, "/inputSchema/additionalProperties"),)),
        Example(
            (_tool(properties={}, additionalProperties=False), _tool(properties={})),
            ((None, ""),),
            "Closed at the root: once a list",
        ),
    ),
    good=(
        Example(
            (
                _tool(
                    properties={
                        "a": {"type": "object", "additionalProperties": True, "examples": [{}], "x-unit": "m"},
                        "const": {"type": "string"},
                    }
                ),
            )
        ),
    ),
    tool=check,
    list=check_list,
)
