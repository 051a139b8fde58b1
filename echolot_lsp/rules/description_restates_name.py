"""A description that says hardly more than the name: at most one of its words is not a word of the name.

**Why it matters.** "Get user." on `get_user` costs tokens every turn and tells a model nothing that the name did not. What decides
between two tools is missing: what it needs, what comes back, when to use it.

**Instead.** What the tool needs and returns, and when to use it rather than a similar tool. Words such as "the" and "for" do not
count, nor does singular or plural.

**Who refuses.** Nobody. Anthropic's tool-use guide calls detailed descriptions the most important factor (documentation, 2026-08-22).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules.no_description import is_blank
from echolot_lsp.words import quoted, words

LEAST_NEW_WORDS = 2
_WORD = re.compile(r"[^\W_]+")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    name, description = tool.wire.get("name"), tool.wire.get("description")
    if not isinstance(name, str) or not isinstance(description, str) or is_blank(description) or len(description) > 2_000:
        return
    known = words(name)
    new = words(description) - known
    if len(new) < LEAST_NEW_WORDS:
        more = next((word for word in _WORD.findall(description) if words(word) & new), None)
        says = "says no more than" if more is None else f"adds only {quoted(more)} to"
        yield Hit(index, ("description",), f"{quoted(description.strip())} {says} the name {quoted(name)}.")


RULE = Rule(
    id="description-restates-name",
    severity=Severity.WARNING,
    title="Description that only repeats the name",
    advice="Say what it needs and returns, and when to use it rather than a similar tool.",
    bad=(
        Example(
            (
                {"name": "list_ferries", "description": "List the ferries."},
                {"name": "getTide", "description": "Gets tides for you now."},
            ),
            ((0, "/description"), (1, "/description")),
        ),
        Example(({"name": "潮汐一覧", "description": "潮汐の一覧。"},), ((0, "/description"),), "Japanese"),
    ),
    good=(
        Example(({"name": "list_ferries", "description": "Lists today's departures with ship and free places."},)),
        Example(({"name": "潮汐一覧", "description": "港ごとに今日の満潮と干潮の時刻を返す。"},), title="Japanese"),
        Example(({"name": "list_ferries", "description": ""},)),
    ),
    tool=check,
)
