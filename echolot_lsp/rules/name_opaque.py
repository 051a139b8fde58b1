"""A part of the name that is a jumble of letters and digits: `run_groj2yhoa6h3`.

**Why it matters.** A model copies names token by token; a jumble is long in tokens, easy to get wrong, and says nothing.

**Instead.** A word. Keep the id for the server's own use.

**Who refuses.** Nobody (can1357/oh-my-pi#10109).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted

LEAST_LENGTH = 8
LEAST_CHANGES = 3


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in re.split(r"[^A-Za-z0-9]+", tool.name or ""):
        changes = sum(one.isdigit() != other.isdigit() for one, other in pairwise(part))
        if len(part) >= LEAST_LENGTH and changes >= LEAST_CHANGES:
            yield Hit(
                index, ("name",), f"{quoted(part)} in the name {quoted(tool.name or '')} says nothing and is easily copied wrong."
            )
            return


RULE = Rule(
    id="name-opaque",
    severity=Severity.NOTE,
    title="Name with a jumble of letters and digits",
    advice="Use a word.",
    bad=(Example(({"name": "run_groj2yhoa6h3"},), ((0, "/name"),)),),
    good=(Example(({"name": "run_base64_sha256"}, {"name": "h264to5"}, {"name": "export_2026_11_30"})),),
    tool=check,
    default=Default.REPORT,
)
