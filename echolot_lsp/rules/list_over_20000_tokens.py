"""A list that costs more than 20,000 tokens a turn, at the dearest of the three providers.

**Why it matters.** That is a tenth of a 200k context, gone on every turn before the conversation starts, and paid for each time.
Clients with tool search (Claude Code; `defer_loading`; OpenAI's `tool_search`) load only the names at first, so for them it is an
upper bound.

**Instead.** Shorten the longest descriptions and schemas (the report names the five dearest tools), or offer fewer tools.

**Who refuses.** Nobody by tokens; Anthropic takes requests up to 32 MB (documentation, 2026-08). Reports of lists of 20,000 to 488,000
tokens run through 2026.
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._whole_list import all_tools, doubtful, size
from echolot_lsp.words import counted

MOST = 20_000


def check(server: Server, context: Context) -> Iterator[Hit]:
    dearest = context.dearest()
    if dearest is None:
        return
    unsure = doubtful(server)
    total = dearest.total - sum(cost.tokens for index, cost in enumerate(dearest.tools) if index in unsure)
    if total > MOST:
        least = "at least " if dearest.at_least or unsure else "about "
        message = f"The {counted(size(server), 'tool')} cost {least}{total:,} tokens every turn ({dearest.model}, the dearest)."
        yield Hit(None, (), message, all_tools(server, context))


RULE = Rule(
    id="list-over-20000-tokens",
    severity=Severity.WARNING,
    title="List of more than 20,000 tokens",
    advice="Shorten the dearest tools, or offer fewer.",
    bad=(
        Example(
            tuple({"name": f"lock_{n}", "description": "Opens the canal lock slowly. " * 100} for n in range(60)), ((None, ""),)
        ),
    ),
    good=(Example(({"name": "open_lock", "description": "Opens the canal lock slowly."},)),),
    list=check,
    needs_costs=True,
)
