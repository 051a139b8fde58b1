"""The empty string among the values of an enum.

**Why it matters.** Gemini refuses the request for it. A model cannot say what it means either: "none", "all", "not set"?

**Instead.** Leave it out and make the parameter optional, or give it a word: `"none"`.

**Who refuses.** Gemini `parameters`: "enum[0]: cannot be empty" (sbroenne/mcp-server-excel#607, 2026; anomalyco/opencode#46676, 2026-09).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("enum"):
        values = part.schema["enum"]
        for position, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, str) and not value:
                yield Hit(
                    index,
                    (*part.path, "enum", position),
                    f"The enum of {named_one(part.path)} holds an empty string; Gemini refuses the whole request for it.",
                )


def _tool(*values: object) -> dict[str, object]:
    return {"name": "dry_sail", "inputSchema": {"type": "object", "properties": {"how": {"type": "string", "enum": list(values)}}}}


RULE = Rule(
    id="enum-empty-value",
    severity=Severity.PROBLEM,
    title="Empty string in an enum",
    advice="Leave it out and make the parameter optional, or give it a word.",
    bad=(Example((_tool("sun", "wind", ""),), ((0, "/inputSchema/properties/how/enum/2"),)),),
    good=(Example((_tool("sun", "none", " "),)),),
    tool=check,
    refused_by=("gemini",),
)
