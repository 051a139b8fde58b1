"""The running server says something else of a tool than its source does.

**Why it matters.** What you read and edit is not what a model sees: another version is installed, a description is made at run time, a
transform or a filter changes the list.

**Instead.** Restart the server, or look at what changes the list between the source and the wire.

**Where it comes from.** Echolot's own comparison of the live list with the source; parts that the source does not say are not compared.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, in_tools, told

_PARTS = {
    "inputSchema": "another input schema",
    "outputSchema": "another output schema",
    "annotations": "other annotations",
    "icons": "other icons",
}


def say(fact: Fact, context: Context) -> str:
    what, at = told(fact, "what", "entry"), told(fact, "at", most=80)
    source, live = told(fact, "source", most=60), told(fact, "live", most=60)
    if what == "tool":
        return f'The running server lists a tool "{live}" that its source does not declare.'
    values = f" (live: {live}; source: {source})" if live and source else ""
    return (
        f"The running server sends {_PARTS.get(what, f'another {what}')} than its source says{f', at {at}' if at else ''}{values}."
    )


RULE = Rule(
    id="live-differs",
    severity=Severity.WARNING,
    title="Live list that differs from the source",
    advice="Restart the server, or look at what changes the list at run time.",
    bad=(
        Example(
            ({"name": "ping", "description": "Pings."},),
            ((0, "/description"),),
            facts=((0, Fact("live-differs", ("description",), {"what": "description", "source": "Pongs.", "live": "Pings."})),),
        ),
        Example(({"name": "ping"},), ((None, ""),), facts=((None, Fact("live-differs", (), {"what": "tool", "live": "ping"})),)),
    ),
    good=(Example(({"name": "ping"},)),),
    tool=in_tools("live-differs", say),
    list=in_list("live-differs", say),
    sees="live",
)
