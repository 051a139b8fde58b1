"""`tools/list` answers with a cursor that was seen before: its pages never end.

**Why it matters.** A client that follows cursors asks forever, or until its memory is full; one that notices shows each tool twice.

**Instead.** Leave `nextCursor` out on the last page. An empty string is a cursor too.

**Where it comes from.** DeusData/codebase-memory-mcp#1247, 2026; MCP: an absent `nextCursor` is the end (specification 2026-07-28). Echolot
stops at the first page that it has seen before, and drops it.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    pages = told(fact, "pages")
    after = f" after {'one page' if pages == '1' else f'{pages} pages'}" if pages else ""
    return f"tools/list gives a cursor that it gave before{after}, so a client that follows it asks forever."


RULE = Rule(
    id="live-pagination-loop",
    severity=Severity.PROBLEM,
    title="Pages that never end",
    advice="Leave nextCursor out on the last page.",
    bad=(Example(({"name": "ping"},), ((None, ""),), facts=((None, Fact("live-pagination-loop", (), {"pages": "2"})),)),),
    good=(Example(({"name": "ping"},)),),
    list=in_list("live-pagination-loop", say),
    sees="live",
)
