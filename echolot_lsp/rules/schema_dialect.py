"""An `outputSchema` whose `$schema` names another dialect than 2020-12.

**Why it matters.** Claude Code refuses the tool ("unsupported dialect"). For an `inputSchema` nobody minds, so nothing is said there.

**Instead.** Leave `$schema` out (then it is 2020-12 by MCP's own rule, SEP-1613, 2025-11-25), or name
`https://json-schema.org/draft/2020-12/schema`. In TypeScript: let zod write 2020-12.

**Who refuses.** Claude Code, and clients built on the TypeScript SDK v2 (nataliapc/mcp-openmsx#22; marianfoo/sap-mcp-servers#52;
coddingtonbear/obsidian-local-rest-api#352, 2026-08).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted

ACCEPTED = "https://json-schema.org/draft/2020-12/schema"


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    schema = tool.wire.get("outputSchema")
    dialect = schema.get("$schema") if isinstance(schema, Mapping) else None
    if isinstance(dialect, str) and dialect.removesuffix("#") != ACCEPTED:
        yield Hit(
            index,
            ("outputSchema", "$schema"),
            f"The output schema is declared as {quoted(dialect)}; Claude Code refuses any dialect but 2020-12.",
        )


def _tool(key: str, dialect: str) -> Mapping[str, Any]:
    return {
        "name": "read_log",
        "inputSchema": {"type": "object", "properties": {}},
        key: {"$schema": dialect, "type": "object", "properties": {}},
    }


RULE = Rule(
    id="schema-dialect",
    severity=Severity.PROBLEM,
    title="Output schema of another dialect",
    advice="Leave $schema out, or name 2020-12.",
    bad=(Example((_tool("outputSchema", "http://json-schema.org/draft-07/schema#"),), ((0, "/outputSchema/$schema"),)),),
    good=(Example((_tool("outputSchema", ACCEPTED + "#"), _tool("inputSchema", "http://json-schema.org/draft-07/schema#"))),),
    tool=check,
)
