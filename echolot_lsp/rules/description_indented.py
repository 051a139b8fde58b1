"""Descriptions that are sent with the indentation of the docstring.

**Why it matters.** Every line brings four or eight spaces that mean nothing, and a model reads indented text as code.

**Instead.** Run the server on Python 3.13 or later, which takes the indentation out of docstrings; or give the description by hand:
`@mcp.tool(description=inspect.cleandoc(…))`.

**Who refuses.** Nobody. The MCP SDK sends `__doc__` as it is (measured with mcp 1.30 and 2.3 on Python 3.12, 2026-11-30); FastMCP
cleans it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from echolot_lsp.model import Default, Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import of_tools, once
from echolot_lsp.words import counted

LEAST_INDENT = 4


def check(server: Server, context: Context) -> Iterator[Hit]:
    tools = []
    for index, tool in enumerate(server.tools):
        description = tool.wire.get("description")
        if isinstance(description, str) and (lines := indented_lines(description)):
            tools.append((index, lines))
    lines = sum(count for _, count in tools)
    message = (
        f"{of_tools(len(tools), len(server.tools))} {'sends' if len(tools) == 1 else 'send'} the description with the docstring's indentation "
        f"({counted(lines, 'line')}, about {counted(lines, 'token')} every turn)."
    )
    yield from once(tools, message, lambda count: counted(count, "indented line"))


@lru_cache(maxsize=16384)
def indented_lines(text: str) -> int:
    """How many lines carry a docstring's indentation: all after the first that say something begin at least four columns in, or
    two where the last line is the indentation of the closing quotes."""
    if "\n  " not in text and "\n\t" not in text:
        return 0
    lines = [line.expandtabs() for line in text.split("\n")[1:]]
    following = [line for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in following), default=0)
    closes = bool(lines) and not lines[-1].strip() and len(lines[-1]) == indent
    return len(following) if indent >= LEAST_INDENT or (indent >= 2 and closes) else 0


RULE = Rule(
    id="description-indented",
    severity=Severity.NOTE,
    title="Description with the docstring's indentation",
    advice="Use Python 3.13 or later, or clean the text (inspect.cleandoc).",
    bad=(
        Example(
            (
                {"name": "scrub_deck", "description": "Scrubs the deck.\n\n    Takes an hour.\n    "},
                {"name": "dry_deck", "description": "Dries it."},
            ),
            ((None, ""),),
        ),
        Example(({"name": "scrub_deck", "description": "甲板を洗う。\n\n    一時間かかる。\n"},), ((None, ""),), "Japanese"),
    ),
    good=(
        Example(({"name": "scrub_deck", "description": "Scrubs the deck:\n  - bow\n  - stern"},)),
        Example(
            (
                {"name": "scrub_deck", "description": "Scrubs the deck:\n\n    - bow\n    - stern\n\nTakes an hour."},
                {"name": "dry_deck", "description": "Dries it.\n"},
            )
        ),
    ),
    list=check,
    default=Default.REPORT,
)
