"""Optional parameters written as `anyOf` of a type and null.

**Why it matters.** Each costs about seven tokens more than the plain type, every turn, and some clients (Vertex) stumble on it. A
model may also send null where leaving out was meant.

**Instead.** A default of the type where null means nothing: `limit: int = 10` rather than `limit: int | None = None`. Where null means
something, leave it.

**Who refuses.** Vertex AI in places (P0luz/Ombre-Brain#119, 2026; PrefectHQ/fastmcp#3680).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy, per_tool
from echolot_lsp.model import Default, Server, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import of_tools, once
from echolot_lsp.words import counted

TOKENS_EACH = 7
""""anyOf":[{},{"type":"null"}] in compact JSON."""


def check(server: Server, context: Context) -> Iterator[Hit]:
    tools = [(index, count) for index, tool in enumerate(server.tools) if (count := _count(tool))]
    total = sum(count for _, count in tools)
    message = (
        f"{of_tools(len(tools), len(server.tools))} {'writes' if len(tools) == 1 else 'write'} {counted(total, 'optional parameter')} as anyOf with null, "
        f"about {counted(total * TOKENS_EACH, 'token')} every turn."
    )
    yield from once(tools, message, lambda count: counted(count, "anyOf with null", "times anyOf with null"))


@per_tool
def _count(tool: Tool) -> int:
    return sum(_is_optional(part.schema["anyOf"]) for part in anatomy(tool).having("anyOf") if part.parent is not None)


def _is_optional(branches: Any) -> bool:
    if not isinstance(branches, list) or len(branches) < 2 or not all(isinstance(branch, Mapping) for branch in branches):
        return False
    return [branch.get("type") for branch in branches].count("null") == 1


def _tool(name: str, **properties: Any) -> Mapping[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


_OPTIONAL = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}

RULE = Rule(
    id="optional-anyof-null",
    severity=Severity.NOTE,
    title="Optional written as anyOf with null",
    advice="Where null means nothing, use a default of the type.",
    bad=(
        Example(
            (_tool("hail", ship=_OPTIONAL), _tool("moor", ship={"type": "string"}), _tool("sail", to=_OPTIONAL, crew=_OPTIONAL)),
            ((None, ""),),
        ),
    ),
    good=(
        Example((_tool("hail", ship={"type": "string", "default": ""}, call={"anyOf": [{"type": "string"}, {"type": "number"}]}),)),
    ),
    list=check,
    default=Default.REPORT,
)
