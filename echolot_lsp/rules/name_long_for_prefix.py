"""A name that is short enough alone and too long with the prefix that clients put before it.

**Why it matters.** Claude Code calls the tool `mcp__<server>__<tool>`; what is longer than 64 characters is refused by the provider or
left out. The server's name is the one in the client's configuration, so it is not in your hands.

**Instead.** Names of up to 45 characters. Leave the server's own name out of its tools' names.

**Who refuses.** Anthropic and OpenAI at 64 characters with the prefix (awslabs/mcp#2214; anthropics/claude-code#19882, 2026-01); Cursor
leaves out server and tool of more than 60 together (ComposioHQ/composio#2788, 2026-02); Amazon Q (awslabs/mcp#643).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules.name_not_accepted import ACCEPTED, MOST
from echolot_lsp.words import quoted

MOST_FOR_ANY = 45


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    name = tool.name
    if name is None or not ACCEPTED.fullmatch(name):
        return
    prefix = max(_prefixes(context), key=len, default=None)
    if prefix is None:
        if len(name) > MOST_FOR_ANY:
            yield Hit(
                index,
                ("name",),
                f"{quoted(name)} has {len(name)} characters; with the prefix that clients put before it, it may pass {MOST}.",
            )
    elif len(name) > MOST - len(prefix):
        yield Hit(
            index,
            ("name",),
            f"{quoted(prefix + name)}, as Claude Code calls it, has {len(prefix + name)} characters; {MOST} are accepted.",
        )


def _prefixes(context: Context) -> tuple[str, ...]:
    server = context.server
    if context.client_prefixes or server.origin != "python" or not server.name:
        return context.client_prefixes
    return (f"mcp__{re.sub(r'[^A-Za-z0-9_-]', '_', server.name)}__",)


RULE = Rule(
    id="name-long-for-prefix",
    severity=Severity.NOTE,
    title="Name too long with a client's prefix",
    advice="Shorten the name; 45 characters fit nearly everywhere.",
    bad=(
        Example(({"name": "n" * 46},), ((0, "/name"),)),
        Example(({"name": "n" * 49},), ((0, "/name"),), "On a server called harbour 1", server="harbour 1"),
    ),
    good=(Example(({"name": "n" * 45}, {"name": "n" * 65})), Example(({"name": "n" * 48},), server="harbour 1")),
    tool=check,
    default=Default.REPORT,
)
