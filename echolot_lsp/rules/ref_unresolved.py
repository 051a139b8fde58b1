"""A `$ref` that is not local, or whose target does not exist.

**Why it matters.** Nobody can read the part: providers refuse the request, clients that write references out crash. It is mostly a
`$defs` that was left behind when the schema was cut out of a larger one.

**Instead.** Bring the definition along under `$defs`, or write it where it is used. MCP says that addresses in the network must not be
fetched (2026-07-28).

**Who refuses.** All. Anthropic: "Invalid $ref in schema: '#/$defs/…' does not exist" (microsoft/fabric-rti-mcp#98, 2026-01-07). Gemini:
"reference to undefined schema" (google-gemini/gemini-cli#13326, 2025-11). OpenAI checks schemas as well (griptape-ai/griptape#2150, 2026-04).
Servers that sent such a list: PrefectHQ/fastmcp#2466, #2807, #3303.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.words import quoted


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    shape = anatomy(tool)
    for part in shape.having("$ref"):
        reference = part.schema["$ref"]
        if isinstance(reference, str) and shape.target(reference) is None:
            what = "leads to nothing in this schema" if reference.startswith("#") else "is not local"
            message = f"The $ref {quoted(reference)} at {named_one(part.path)} {what}; providers refuse the tool, and the request with it."
            yield Hit(index, (*part.path, "$ref"), message)


def _tool(reference: str) -> Mapping[str, Any]:
    schema = {
        "type": "object",
        "properties": {"sail": {"$ref": reference}},
        "$defs": {"Sail": {"enum": ["jib"], "$anchor": "sail"}},
    }
    return {"name": "rig_sail", "inputSchema": schema}


RULE = Rule(
    id="ref-unresolved",
    severity=Severity.PROBLEM,
    title="$ref without a target",
    advice="Bring the definition along under $defs, or write it where it is used.",
    bad=(
        Example((_tool("#/$defs/Mast"),), ((0, "/inputSchema/properties/sail/$ref"),)),
        Example(
            (_tool("https://example.com/sail.json"), _tool("#mast")),
            ((0, "/inputSchema/properties/sail/$ref"), (1, "/inputSchema/properties/sail/$ref")),
        ),
    ),
    good=(Example((_tool("#/$defs/Sail"), _tool("#sail"), _tool("#"))),),
    tool=check,
    refused_by=("anthropic", "openai", "gemini"),
)
