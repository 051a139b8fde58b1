"""An input schema that is an object without a `properties` key: `{"type": "object"}`.

**Why it matters.** It is legal JSON Schema and legal MCP, and it is how most tools without parameters are written. OpenAI answers it
with an error, so it works only as long as every client repairs it.

**Instead.** `{"type": "object", "properties": {}}`. MCP recommends `"additionalProperties": false` beside it for a tool without
parameters (2026-07-28).

**Who refuses.** OpenAI, when a client sends the schema as it is: 400 "object schema missing properties"
(openai/openai-agents-python#449, 2025-04; inboxapi/cli#106, 2026-05). openai-agents, VS Code and LiteLLM add the key; langchain
passes the schema on (each tried 2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from echolot_lsp.model import Fix, Operation, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.schema import BRANCHES

ROOT_COMBINATORS = (*BRANCHES, "not", "enum")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    schema = tool.wire.get("inputSchema")
    if not isinstance(schema, Mapping) or schema.get("type") != "object" or "properties" in schema or "$ref" in schema:
        return
    if any(keyword in schema for keyword in ROOT_COMBINATORS) or is_open(schema.get("additionalProperties")):
        return
    fix = Fix('Add "properties": {}', True, (Operation("set", index, ("inputSchema", "properties"), {}),))
    message = 'The input schema has no "properties"; OpenAI answers 400 when a client sends it unrepaired.'
    yield Hit(index, ("inputSchema",), message, fix=fix)


def is_open(additional: object) -> bool:
    """Whether ``additionalProperties`` lets further arguments in: true or a schema (or not known)."""
    return additional is True or isinstance(additional, (Mapping, Unknown))


RULE = Rule(
    id="schema-no-properties",
    severity=Severity.NOTE,
    title='Object schema without "properties"',
    advice='Add "properties": {}.',
    bad=(
        Example(({"name": "ring_bell", "inputSchema": {"type": "object"}},), ((0, "/inputSchema"),)),
        Example(({"name": "ring_bell", "inputSchema": {"type": "object", "additionalProperties": False}},), ((0, "/inputSchema"),)),
    ),
    good=(
        Example(({"name": "ring_bell", "inputSchema": {"type": "object", "properties": {}}},)),
        Example(
            ({"name": "ring_bell", "inputSchema": {"type": "object", "anyOf": [{"properties": {"times": {"type": "integer"}}}]}},)
        ),
        Example(({"name": "ring_bell", "inputSchema": {"type": "object", "additionalProperties": True}},)),
    ),
    tool=check,
    fix='adds `"properties": {}` (safe)',
)
