"""A description of more than 2,048 characters (UTF-16 units, as the client counts): Claude Code cuts off the tail.

**Why it matters.** What stands beyond the cut never reaches the model: usually the examples, the limits, the "do not use for". The
server's author sees the whole text in every log and cannot see that it is cut.

**Instead.** The decisive sentences first, and the whole below 2,048. Details of an argument belong into its own description.

**Who refuses.** Claude Code cuts tool descriptions and server instructions at 2 KB (documentation, 2026-08-22;
anthropics/claude-code#41593). Anthropic's, OpenAI's and Gemini's APIs take more.
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule

MOST_UNITS = 2_048


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    description = tool.wire.get("description")
    if isinstance(description, str) and len(description) > MOST_UNITS // 2 and (units := utf16_units(description)) > MOST_UNITS:
        message = f"The description has {units:,} characters; Claude Code cuts it after {MOST_UNITS:,}, so the last {units - MOST_UNITS:,} never reach the model."
        yield Hit(index, ("description",), message)


def utf16_units(text: str) -> int:
    """The length of ``text`` as JavaScript counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


RULE = Rule(
    id="description-over-2048",
    severity=Severity.WARNING,
    title="Description that Claude Code cuts",
    advice="Put what decides first, and stay below 2,048 characters.",
    bad=(
        Example(({"name": "plan_dive", "description": "d" * 2_049},), ((0, "/description"),)),
        Example(({"name": "plan_dive", "description": "🤿" * 1_025},), ((0, "/description"),), "An emoji counts as two"),
    ),
    good=(Example(({"name": "plan_dive", "description": "潜" * 2_048},)),),
    tool=check,
)
