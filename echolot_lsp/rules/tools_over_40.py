"""More than 40 tools in one list (from 129 on `tools-over-128` speaks in its place).

**Why it matters.** The more tools, the more often a model picks the wrong one, and all of them are sent every turn unless the client
searches tools.

**Instead.** Offer fewer at a time, or split the server by topic.

**Who refuses.** Nobody. Anthropic's documentation says that selection degrades past 30 to 50 tools (2026-08-22); OpenAI advises fewer
than 20 at the start of a turn (2026-07-15); Cursor warns at 80 (Snowflake-Labs/mcp#77, 2025-09).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._whole_list import all_tools, size, size_in_words
from echolot_lsp.rules.tools_over_128 import MOST as REFUSED_ABOVE

MOST = 40


def check(server: Server, context: Context) -> Iterator[Hit]:
    if MOST < size(server) <= REFUSED_ABOVE:
        message = f"The list has {size_in_words(server, context)}; past {MOST} a model picks the wrong one more often."
        yield Hit(None, (), message, all_tools(server, context))


RULE = Rule(
    id="tools-over-40",
    severity=Severity.WARNING,
    title="More than 40 tools",
    advice="Offer fewer at a time, or split the server by topic.",
    bad=(Example(tuple({"name": f"open_lock_{n}"} for n in range(41)), ((None, ""),)),),
    good=(
        Example(tuple({"name": f"open_lock_{n}"} for n in range(40))),
        Example(tuple({"name": f"open_lock_{n}"} for n in range(129))),
    ),
    list=check,
)
