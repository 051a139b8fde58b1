"""The running server lists no tool, although its source declares some.

**Why it matters.** The server looks healthy and a model has nothing to call. Mostly the tools are registered on another server object, or
in a module that is imported too late.

**Instead.** Import the modules that register tools before the server runs, and register on the object that is run.

**Where it comes from.** matthewhand/mcp-openapi-proxy#44; TurtleTech-ehf/snapper#27.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    return f"The running server lists no tool, although its source declares {told(fact, 'source', 'some')}."


RULE = Rule(
    id="live-empty",
    severity=Severity.WARNING,
    title="No tools although the source has some",
    advice="Register the tools on the object that is run, before it runs.",
    bad=(Example((), ((None, ""),), facts=((None, Fact("live-empty", (), {"source": "2"})),)),),
    good=(Example(({"name": "ping"},)),),
    list=in_list("live-empty", say),
    sees="live",
)
