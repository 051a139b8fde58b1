"""An `outputSchema` whose root does not say `"type": "object"`.

**Why it matters.** It is legal since MCP 2026-07-28, but clients built on the TypeScript SDK of 2025-11-25 and before check it and lose
the tool or the whole list.

**Instead.** Wrap the value: `{"type": "object", "properties": {"result": …}}`, as FastMCP and the SDK do for plain return types.

**Who refuses.** TypeScript-SDK clients up to revision 2025-11-25 (kenn-io/msgvault#626; Wynelson94/longhand#10, 2026); Claude Code drops
the tool (Wynelson94/longhand#16, 2026). Allowed by SEP-2106 (modelcontextprotocol/modelcontextprotocol#2106).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from echolot_lsp.model import Severity, Tool, is_known
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    schema = tool.wire.get("outputSchema")
    if schema is None:
        return
    declared = schema.get("type") if isinstance(schema, Mapping) else schema
    if not is_known(declared) or (isinstance(schema, Mapping) and declared == "object"):
        return
    is_named = isinstance(schema, Mapping) and isinstance(declared, str)
    what = f"has the type {quoted(declared)}" if is_named and isinstance(declared, str) else "does not say that it is an object"
    yield Hit(
        index,
        ("outputSchema",),
        f"The root of the output schema {what}; clients of before 2026-07-28 lose the tool or the whole list.",
    )


RULE = Rule(
    id="output-schema-not-object",
    severity=Severity.WARNING,
    title="Output schema that is no object",
    advice='Wrap the value: {"type": "object", "properties": {"result": …}}.',
    bad=(
        Example(
            (
                {"name": "count_gulls", "outputSchema": {"type": "integer"}},
                {"name": "see_gulls", "outputSchema": {"properties": {}}},
            ),
            ((0, "/outputSchema"), (1, "/outputSchema")),
        ),
    ),
    good=(
        Example(
            (
                {"name": "count_gulls", "outputSchema": {"type": "object", "properties": {"gulls": {"type": "integer"}}}},
                {"name": "see_gulls"},
            )
        ),
    ),
    tool=check,
)
