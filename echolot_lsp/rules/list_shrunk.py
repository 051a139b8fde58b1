"""The running server lists fewer tools than its source declares.

**Why it matters.** Some tools never reach a model: a module is not imported, a flag is off, a key is missing, a filter is on.

**Instead.** Import the modules that register tools before the server runs; log which tools are left out and why.

**Where it comes from.** matthewhand/mcp-openapi-proxy#44; TurtleTech-ehf/snapper#27.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    live, source, missing = told(fact, "live", "fewer"), told(fact, "source", "more"), told(fact, "missing", most=200)
    return f"The running server lists {live} tools, its source declares {source}{f'; missing: {missing}' if missing else ''}."


RULE = Rule(
    id="list-shrunk",
    severity=Severity.WARNING,
    title="Fewer tools than the source has",
    advice="See that every module that registers tools is imported before the server runs.",
    bad=(
        Example(
            ({"name": "ping"},),
            ((None, ""),),
            facts=((None, Fact("list-shrunk", (), {"live": "1", "source": "2", "missing": "moor"})),),
        ),
    ),
    good=(Example(({"name": "ping"}, {"name": "moor"})),),
    list=in_list("list-shrunk", say),
    sees="live",
)
