"""The server ended before it had listed its tools.

**Why it matters.** A client shows "failed to start" or nothing at all. The last line on standard error mostly names the cause: a missing
key, a module that is not installed, a port in use.

**Instead.** Let the server start and list without its secrets, and ask for them when a tool is called; print what is missing to standard
error in one line.

**Where it comes from.** G-Core/gcore-mcp-server#14; tried with servers that end on a missing key, 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_list, told


def say(fact: Fact, context: Context) -> str:
    lines = [line.strip() for line in str(fact.details.get("stderr", "")).splitlines() if line.strip()]
    last = told(Fact("", (), {"last": lines[-1]}), "last", most=200).rstrip(".") if lines else ""
    message = told(fact, "message", most=160).rstrip(".")
    return f"The server ended before it had listed its tools{f': {last}' if last else f' ({message})' if message else ''}."


RULE = Rule(
    id="live-crash",
    severity=Severity.PROBLEM,
    title="Server that ends at the start",
    advice="Start the same command in a terminal and mend what it says; let it list without its secrets.",
    bad=(
        Example((), ((None, ""),), facts=((None, Fact("live-crash", (), {"stderr": "Traceback …\nKeyError: 'HARBOUR_KEY'\n"})),)),
    ),
    good=(Example(({"name": "ping"},)),),
    list=in_list("live-crash", say),
    sees="live",
)
