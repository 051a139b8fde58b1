"""A snake_case keyword in ToolAnnotations, under mcp 1: it goes to the wire as an unknown key and means nothing.

**Why it matters.** `ToolAnnotations(read_only_hint=True)` looks right and is ignored by every client: the tool is taken for one that
changes things.

**Instead.** `readOnlyHint=True` (mcp 2 and FastMCP 4 take both spellings).

**Where it comes from.** Measured with mcp 1.30, FastMCP 2.14 and 3.4, 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, told


def say(fact: Fact, context: Context) -> str:
    keyword, instead = told(fact, "keyword", "This keyword"), told(fact, "instead", "the camelCase spelling")
    return f"{keyword} is sent as an unknown key and ignored by clients; this version knows only {instead}."


RULE = Rule(
    id="py-hint-keyword-ignored",
    severity=Severity.WARNING,
    title="Annotation that is ignored",
    advice="Write the keyword in camelCase.",
    bad=(
        Example(
            ({"name": "look", "annotations": {"read_only_hint": True}},),
            ((0, "/annotations/read_only_hint"),),
            facts=(
                (
                    0,
                    Fact(
                        "py-hint-keyword-ignored",
                        ("annotations", "read_only_hint"),
                        {"keyword": "read_only_hint", "instead": "readOnlyHint"},
                    ),
                ),
            ),
            code="@mcp.tool(annotations=ToolAnnotations(read_only_hint=True))\ndef look() -> str: ...",
        ),
    ),
    good=(Example(({"name": "look"},), code="@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))\ndef look() -> str: ..."),),
    tool=in_tools("py-hint-keyword-ignored", say),
    sees="python",
)
