"""`anyOf`, `oneOf`, `allOf`, `not` or `enum` at the root of the input schema.

**Why it matters.** It is the most frequent real failure of 2026: one such tool and the provider refuses the whole request, or the
client silently leaves the tool out. The server itself lists and runs it without complaint.

**Instead.** One plain object with all properties, the alternatives said in the descriptions ("give either route or harbour") and
checked by the server; or one tool for each alternative.

**Who refuses.** Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level" (makenotion/notion-mcp-server#340,
2026-08-05; anomalyco/opencode#47543, 2026-09). OpenAI: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not'
at the top level" (Dicklesworthstone/flywheel_connectors#49, 2026-05). Moonshot too (MoonshotAI/kimi-cli#2531). Claude Code drops the
tool (anthropics/claude-code#95504, 2026-09). Legal in MCP since 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from echolot_lsp.model import ProviderName, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules.schema_no_properties import ROOT_COMBINATORS

_ONLY_OPENAI = ("not", "enum")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    schema = tool.wire.get("inputSchema")
    if not isinstance(schema, Mapping):
        return
    for keyword in schema:
        if keyword in ROOT_COMBINATORS and not isinstance(schema[keyword], Unknown):
            refusing: tuple[ProviderName, ...] = ("openai",) if keyword in _ONLY_OPENAI else ("anthropic", "openai")
            who = "OpenAI refuses" if keyword in _ONLY_OPENAI else "Anthropic and OpenAI refuse"
            message = f"{keyword} stands at the root of the input schema; {who} the whole request, and Claude Code drops the tool."
            yield Hit(index, ("inputSchema", keyword), message, refused_by=refusing)


_PROPERTIES = {"route": {"type": "string"}, "harbour": {"type": "string"}}


def _tool(**members: object) -> Mapping[str, object]:
    return {"name": "find_ferry", "inputSchema": {"type": "object", "properties": _PROPERTIES, **members}}


RULE = Rule(
    id="root-combinator",
    severity=Severity.PROBLEM,
    title="Combinator at the root",
    advice="Make the root one plain object, and say in the descriptions which arguments go together.",
    bad=(
        Example((_tool(anyOf=[{"required": ["route"]}, {"required": ["harbour"]}]),), ((0, "/inputSchema/anyOf"),)),
        Example(
            (_tool(oneOf=[{}]), _tool(allOf=[{}], **{"not": {"required": ["route"]}})),
            ((0, "/inputSchema/oneOf"), (1, "/inputSchema/allOf"), (1, "/inputSchema/not")),
        ),
    ),
    good=(Example((_tool(), _tool(required=["route"]))),),
    tool=check,
    refused_by=("anthropic", "openai"),
)
