"""The server says that it has no tools: no such capability, or `tools/list` is a method that it does not know (−32601).

**Why it matters.** It is no fault for a server of resources or prompts. For one that should have tools, they were never registered.

**Instead.** Nothing, if that is meant. Else register a tool before the server runs, so that the capability is announced.

**Where it comes from.** microsoft/vscode#243614; open-webui/mcpo#237.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    why = told(fact, "why").rstrip(".")
    return f"The server says that it has no tools{f' ({why})' if why else ''}."


RULE = Rule(
    id="live-no-tools",
    severity=Severity.NOTE,
    title="Server without tools",
    advice="If it should have some, register them before the server runs.",
    bad=(Example((), ((None, ""),), facts=((None, Fact("live-no-tools", (), {"why": "no tools capability"})),)),),
    good=(Example(({"name": "ping"},)),),
    list=in_list("live-no-tools", say),
    sees="live",
)
