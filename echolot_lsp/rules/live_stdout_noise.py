"""The server writes lines to standard output that are no JSON-RPC.

**Why it matters.** Over stdio that channel is the protocol: strict clients end the session at the first such line. It is a `print`, a
banner or a logger on the wrong stream.

**Instead.** `print(…, file=sys.stderr)`, and loggers on standard error.

**Where it comes from.** Kapeli/dash-mcp-server#10; s-stefanov/actual-mcp#161; 11 of 11 reports found in 2026 were this. Echolot skips such
lines and lists all the same.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    number, first = told(fact, "lines", "Some"), told(fact, "first", most=80)
    lines = "line on standard output is" if number == "1" else "lines on standard output are"
    return f"{number} {lines} no JSON-RPC{f' (first: {first})' if first else ''}; strict clients end the session at the first."


RULE = Rule(
    id="live-stdout-noise",
    severity=Severity.WARNING,
    title="Noise on standard output",
    advice="Print and log to standard error.",
    bad=(
        Example(
            ({"name": "ping"},),
            ((None, ""),),
            facts=((None, Fact("live-stdout-noise", (), {"lines": "3", "first": "Starting harbour"})),),
        ),
    ),
    good=(Example(({"name": "ping"},)),),
    list=in_list("live-stdout-noise", say),
    sees="live",
)
