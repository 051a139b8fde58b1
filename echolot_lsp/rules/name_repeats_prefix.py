"""A name that begins with the same words twice: `herbs_herbs_list`.

**Why it matters.** It costs tokens and reads like a mistake. Mostly a sub-server whose tools carry their topic already is mounted with
that topic as prefix.

**Instead.** Mount without a prefix, or take the topic out of the tools' own names.

**Who refuses.** Nobody (mcpjungle/MCPJungle#280).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    words = [word.casefold() for word in _WORD.findall((tool.name or "")[:200])]
    for length in range(1, len(words) // 2 + 1):
        if words[:length] == words[length : 2 * length]:
            yield Hit(index, ("name",), f"{quoted(tool.name or '')} begins with {quoted('_'.join(words[:length]))} twice.")
            return


RULE = Rule(
    id="name-repeats-prefix",
    severity=Severity.NOTE,
    title="Name that begins with the same words twice",
    advice="Mount without the prefix, or take the topic out of the tools' own names.",
    bad=(Example(({"name": "herbs_herbs_list"}, {"name": "seaPort_sea_port_open"}), ((0, "/name"), (1, "/name"))),),
    good=(Example(({"name": "herbs_list"}, {"name": "list_herbs_list"})),),
    tool=check,
    default=Default.REPORT,
)
