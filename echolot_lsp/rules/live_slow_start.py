"""The server took more than five seconds to answer `initialize`.

**Why it matters.** Clients give up after ten to sixty seconds, and a first start under `uvx` or `npx` comes on top.

**Instead.** Import heavy libraries and open connections when a tool needs them, not at the start.

**Where it comes from.** Yeachan-Heo/gajae-code#5702; xxxbrian/mcp-rquest#3.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    return f"The server took {told(fact, 'seconds', 'more than 5')} seconds to answer initialize; some clients give up after ten."


RULE = Rule(
    id="live-slow-start",
    severity=Severity.NOTE,
    title="Slow start",
    advice="Import and connect when a tool needs it, not at the start.",
    bad=(Example(({"name": "ping"},), ((None, ""),), facts=((None, Fact("live-slow-start", (), {"seconds": "7.2"})),)),),
    good=(Example(({"name": "ping"},)),),
    list=in_list("live-slow-start", say),
    sees="live",
)
