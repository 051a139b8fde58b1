"""The same object, of 120 characters of JSON or more, at least twice in the list.

**Why it matters.** Each copy is read every turn. Generated servers repeat an address or a filter in every tool.

**Instead.** Inside one tool `$defs` writes it once, at the price of `uses-ref` (Gemini clients write it out or fail). Between tools
nothing shares it: take an id instead, or fewer options.

**Who refuses.** Nobody (makenotion/notion-mcp-server#330: `$defs` would save 69 % there; G-Core/gcore-mcp-server#14).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import Part, anatomy, per_tool
from echolot_lsp.model import Default, Path, Server, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.words import counted

LEAST_CHARACTERS = 120
DEEPEST = 60
"""Steps of a path beyond which nothing is compared; nobody repeats what stands so deep."""


def check(server: Server, context: Context) -> Iterator[Hit]:
    copies: dict[str, list[tuple[int, Path]]] = {}
    for index, tool in enumerate(server.tools):
        for path, text in _objects(tool):
            copies.setdefault(text, []).append((index, path))
    repeated = {
        text: places for text, places in copies.items() if len(places) > 1 and not _is_inside_a_repeated_one(places, copies, server)
    }
    if not repeated:
        return
    tokens = sum(-(-len(text) // 4) * (len(places) - 1) for text, places in repeated.items())
    places = sorted(place for found in repeated.values() for place in found)
    within = any(len({index for index, _ in found}) < len(found) for found in repeated.values())
    could = (
        "$defs would write copies inside one tool once, at the price of uses-ref"
        if within
        else "$defs cannot share them, since each tool has its own"
    )
    message = f"{counted(len(repeated), 'object')} of {LEAST_CHARACTERS} characters or more {'is' if len(repeated) == 1 else 'are'} repeated, about {counted(tokens, 'token')} every turn; {could}."
    yield Hit(None, (), message, tuple(Mark(index, path, "a copy is here") for index, path in places))


@per_tool
def _objects(tool: Tool) -> list[tuple[Path, str]]:
    found = []
    for part in anatomy(tool).having("properties"):
        if _is_object(part) and (text := _text(part.schema)) is not None and len(text) >= LEAST_CHARACTERS:
            found.append((part.path, text))
    return found


def _is_object(part: Part) -> bool:
    return (
        part.parent is not None
        and len(part.path) <= DEEPEST
        and isinstance(part.schema["properties"], Mapping)
        and bool(part.schema["properties"])
    )


def _text(schema: Any) -> str | None:
    try:
        return json.dumps(schema, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return None


def _is_inside_a_repeated_one(places: list[tuple[int, Path]], copies: Mapping[str, list[tuple[int, Path]]], server: Server) -> bool:
    """Whether every copy stands inside a larger object that is repeated as well."""
    larger = {place for found in copies.values() if len(found) > 1 for place in found}
    return all(any((index, path[:length]) in larger for length in range(2, len(path))) for index, path in places)


_ADDRESS = {
    "type": "object",
    "properties": {
        "quay": {"type": "string", "description": "Quay, e.g. North 4"},
        "berth": {"type": "string", "description": "Berth on that quay, e.g. B12"},
    },
}


def _tool(name: str, **properties: Any) -> Mapping[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="repeated-subschema",
    severity=Severity.NOTE,
    title="Object that is repeated",
    advice="Take an id instead, or offer fewer options; $defs saves only inside one tool.",
    bad=(
        Example((_tool("moor", at=_ADDRESS), _tool("leave", at=_ADDRESS)), ((None, ""),)),
        Example((_tool("move", origin=_ADDRESS, goal=_ADDRESS),), ((None, ""),), "Inside one tool"),
    ),
    good=(
        Example((_tool("moor", at=_ADDRESS), _tool("leave", at={"type": "object", "properties": {"quay": {"type": "string"}}}))),
    ),
    list=check,
    default=Default.REPORT,
)
