"""A top-level property whose key is not 1 to 64 of `A`–`Z`, `a`–`z`, `0`–`9`, `_`, `.` and `-`.

**Why it matters.** Anthropic refuses the whole request for it: brackets (`kinds[]`), `$`, spaces, letters with accents, Japanese.

**Instead.** A plain key; map it to the outer name in the server (`Field(alias=…)` renames what is sent, so mind which one that is).

**Who refuses.** Anthropic: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", at the top level only (measured in
aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#709, 2026-08; beautyfree/appstore-connect-mcp#1,
2026-03). Amazon Bedrock the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted

_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for key in anatomy(tool).top_level:
        if isinstance(key, str) and not _KEY.fullmatch(key):
            why = f"has {len(key)} characters" if len(key) > 64 else "is no key that Anthropic accepts"
            message = f"The parameter {quoted(key)} {why} (1 to 64 of A-Z, a-z, 0-9, _ . -); it refuses the whole request."
            if len(key) > 64:
                message = f"The parameter {quoted(key)} {why}; Anthropic accepts 64 and refuses the whole request."
            yield Hit(index, ("inputSchema", "properties", key), message)


def _tool(key: str) -> Mapping[str, object]:
    return {
        "name": "tide_alerts",
        "inputSchema": {"type": "object", "properties": {key: {"type": "object", "properties": {"a b": {"type": "string"}}}}},
    }


RULE = Rule(
    id="property-key-invalid",
    severity=Severity.PROBLEM,
    title="Property key that Anthropic refuses",
    advice="Use 1 to 64 letters, digits, _, . and - in the key.",
    bad=(
        Example((_tool("kinds[]"), _tool("a/b")), ((0, "/inputSchema/properties/kinds[]"), (1, "/inputSchema/properties/a~1b"))),
        Example((_tool("港"),), ((0, "/inputSchema/properties/港"),), "Japanese"),
    ),
    good=(Example((_tool("kinds"), _tool("kind.of-tide_1"))),),
    tool=check,
    refused_by=("anthropic",),
)
