"""A parameter that is spelt otherwise in another tool of the list: `newName` beside `new_name`.

**Why it matters.** A model that has just called one tool carries the spelling over to the next, and the call fails.

**Instead.** One spelling throughout; the one that most tools have.

**Who refuses.** Nobody (bethington/ghidra-mcp#207; skwallace36/Pepper#39: calls with the other tool's spelling).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy, per_tool
from echolot_lsp.model import Default, Server, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.words import quoted

_LEFT_OUT = str.maketrans("", "", "_-.")


def check(server: Server, context: Context) -> Iterator[Hit]:
    spellings: dict[str, dict[str, list[int]]] = {}
    unknown = 0
    for index, tool in enumerate(server.tools):
        schema = tool.wire.get("inputSchema")
        unknown += isinstance(schema, Unknown) or (isinstance(schema, Mapping) and isinstance(schema.get("properties"), Unknown))
        for folded, key in _keys(tool):
            spellings.setdefault(folded, {}).setdefault(key, []).append(index)
    for alike in spellings.values():
        if len(alike) > 1:
            ranked = sorted(alike.items(), key=lambda item: (-len(item[1]), item[1][0]))
            yield from _hits(ranked, unknown)


@per_tool
def _keys(tool: Tool) -> list[tuple[str, str]]:
    return [(key.casefold().translate(_LEFT_OUT), key) for key in anatomy(tool).top_level if isinstance(key, str)]


def _hits(ranked: list[tuple[str, list[int]]], unknown: int) -> Iterator[Hit]:
    """The spellings but the right one, which is not known where the tools that could not be read would decide it."""
    right, holders = ranked[0]
    if unknown and len(holders) - len(ranked[1][1]) <= unknown:
        return
    for key, indices in ranked[1:]:
        path = ("inputSchema", "properties", key)
        where = Mark(holders[0], ("inputSchema", "properties", right), f"spelt {quoted(right)} here")
        others = f"{len(holders)} tools spell" if len(holders) > 1 else "another tool spells"
        yield Hit(
            indices[0],
            path,
            f"{quoted(key)} is what {others} {quoted(right)}, so a model carries the wrong spelling over.",
            (where,),
        )


def _tool(name: str, *keys: str) -> Mapping[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "properties": {key: {"type": "string"} for key in keys}}}


RULE = Rule(
    id="param-names-inconsistent",
    severity=Severity.NOTE,
    title="Parameter spelt in two ways",
    advice="Spell it one way in all tools.",
    bad=(
        Example((_tool("rename_shed", "new_name"), _tool("rename_quay", "newName")), ((1, "/inputSchema/properties/newName"),)),
        Example(
            (_tool("a", "shipId"), _tool("b", "ship_id"), _tool("c", "ship_id", "shipid")),
            ((0, "/inputSchema/properties/shipId"), (2, "/inputSchema/properties/shipid")),
        ),
    ),
    good=(Example((_tool("a", "ship_id"), _tool("b", "ship_id", "ship"))),),
    list=check,
    default=Default.REPORT,
)
