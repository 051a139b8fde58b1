"""Titles that only repeat the parameter's key, the definition's name or the function's (`findArguments`).

**Why it matters.** pydantic writes one for every field; the SDK sends them all. They tell a model nothing and are read every turn; a
Gemini 2.5 model was seen to answer with the title in the key's place (PrefectHQ/fastmcp#3861, 2026).

**Instead.** Nothing to write by hand: FastMCP from version 3 leaves them out (PrefectHQ/fastmcp#1782; measured with 4.2.3, 2026-11-30).
With the SDK, remove them from the schema before it is listed.

**Who refuses.** Nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import Part, anatomy, per_tool
from echolot_lsp.model import Default, Server, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import of_tools, once
from echolot_lsp.words import counted

_GENERATED = re.compile(r"\S+Arguments")
"""What the SDK calls the schema: after the function, whatever the tool is called."""
_AROUND_A_TITLE = len('"title":"",')


def check(server: Server, context: Context) -> Iterator[Hit]:
    found = [(index, titles) for index, tool in enumerate(server.tools) if (titles := _titles(tool))]
    number = sum(len(titles) for _, titles in found)
    tokens = sum(-(-(len(title) + _AROUND_A_TITLE) // 4) for _, titles in found for title in titles)
    message = (
        f"{of_tools(len(found), len(server.tools))} {'sends' if len(found) == 1 else 'send'} {counted(number, 'title')} that only "
        f"{'repeats' if number == 1 else 'repeat'} a name, about {counted(tokens, 'token')} every turn."
    )
    yield from once([(index, len(titles)) for index, titles in found], message, lambda count: counted(count, "such title"))


@per_tool
def _titles(tool: Tool) -> list[str]:
    return [
        part.schema["title"]
        for part in anatomy(tool).having("title")
        if isinstance(part.schema["title"], str) and _repeats(part, tool)
    ]


def _repeats(part: Part, tool: Tool) -> bool:
    title = _folded(part.schema["title"])
    if part.parent is None:
        return _GENERATED.fullmatch(part.schema["title"]) is not None or (tool.name is not None and title == _folded(tool.name))
    return part.role in ("properties", "$defs", "definitions") and title == _folded(str(part.path[-1]))


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _tool(**members: Any) -> Mapping[str, Any]:
    return {"name": "read_log", "inputSchema": {"type": "object", **members}}


RULE = Rule(
    id="title-noise",
    severity=Severity.NOTE,
    title="Titles that repeat names",
    advice="Leave generated titles out.",
    bad=(
        Example((_tool(properties={"log_page": {"type": "string", "title": "Log Page"}}),), ((None, ""),)),
        Example(
            (_tool(title="read_logArguments", properties={}), _tool(properties={}, **{"$defs": {"Page": {"title": "Page"}}})),
            ((None, ""),),
        ),
    ),
    good=(
        Example(
            (_tool(title="What to read", properties={"title": {"type": "string"}, "page": {"title": "Page of the log book"}}),)
        ),
    ),
    list=check,
    default=Default.REPORT,
)
