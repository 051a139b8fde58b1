"""An input schema that is missing, is no object, or whose root does not say `"type": "object"`.

**Why it matters.** A tool's arguments are always one object. A root of another type cannot be called, and it does not stay that
tool's own problem: the provider refuses the request, and some clients drop every tool of the server.

**Instead.** `{"type": "object", "properties": {…}}`; for a tool without parameters `"properties": {}`. A list of values becomes one
property that is an array.

**Who refuses.** MCP itself demands `"type": "object"` at the root of `inputSchema` (all revisions to 2026-07-28). Anthropic, OpenAI
("schema must have type 'object'", Dicklesworthstone/flywheel_connectors#49, 2026-05) and Gemini refuse it. Claude Code drops all
tools of the server for one such tool (anthropics/claude-code#88049, 2026-08); the mcp 2.x client refuses the whole answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from echolot_lsp.model import Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    schema = tool.wire.get("inputSchema")
    if isinstance(schema, Unknown):
        return
    if not isinstance(schema, Mapping):
        what = "has no input schema" if schema is None else "has an input schema that is no JSON object"
    else:
        declared = schema.get("type")
        if (
            declared == "object"
            or isinstance(declared, Unknown)
            or (isinstance(declared, list) and any(isinstance(name, Unknown) for name in declared))
        ):
            return
        if declared is None:
            what = 'has an input schema whose root lacks "type": "object"'
        else:
            what = f'has an input schema whose root type is {quoted(declared) if isinstance(declared, str) else "a list"}, not "object"'
    message = f"The tool {what}; providers refuse it, and some clients then drop the whole list."
    yield Hit(index, ("inputSchema",), message)


RULE = Rule(
    id="schema-not-object",
    severity=Severity.PROBLEM,
    title="Input schema that is no object",
    advice='Write {"type": "object", "properties": …}; without parameters, "properties": {}.',
    bad=(
        Example(
            ({"name": "weigh_anchors", "inputSchema": {"type": "array", "items": {"type": "string"}}},), ((0, "/inputSchema"),)
        ),
        Example(
            (
                {"name": "a"},
                {"name": "b", "inputSchema": True},
                {"name": "c", "inputSchema": {"properties": {}}},
                {"name": "d", "inputSchema": {"type": ["object"]}},
            ),
            tuple((i, "/inputSchema") for i in range(4)),
        ),
    ),
    good=(
        Example(
            (
                {
                    "name": "weigh_anchors",
                    "inputSchema": {"type": "object", "properties": {"anchors": {"type": "array", "items": {"type": "string"}}}},
                },
            )
        ),
    ),
    tool=check,
    refused_by=("anthropic", "openai", "gemini"),
)
