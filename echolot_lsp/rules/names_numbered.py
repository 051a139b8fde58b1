"""A name that is another one with a number: `search_2` beside `search`.

**Why it matters.** The number says nothing about when to use which. It is mostly a generator's way out of two equal names, or a new
version beside the old one.

**Instead.** A name that says what differs, or one tool with a parameter.

**Who refuses.** Nobody (gramps-project/gramps-web-api#943: a model used the wrong of two such tools).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from echolot_lsp.model import Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.words import listed, quoted

MOST_NAMED = 4
_NUMBERED = re.compile(r"(.*?[^0-9_-])[_-]?([1-9][0-9]?)")


def check(server: Server, context: Context) -> Iterator[Hit]:
    names = {tool.name: index for index, tool in reversed(list(enumerate(server.tools))) if tool.name is not None}
    families: dict[str, list[tuple[int, int, str]]] = {}
    for name, index in names.items():
        match = _NUMBERED.fullmatch(name)
        if match:
            families.setdefault(match[1], []).append((index, int(match[2]), name))
    for stem, members in families.items():
        others = [
            *([(names[stem], stem)] if stem in names else []),
            *((index, name) for index, _, name in sorted(members)[: MOST_NAMED + 1]),
        ]
        for index, number, name in members:
            beside = [other for other in others if other[0] != index][:MOST_NAMED]
            if number > 1 and beside:
                message = f"{quoted(name)} stands beside {listed([quoted(other) for _, other in beside])}, and the number does not say when to use which."
                yield Hit(
                    index,
                    ("name",),
                    message,
                    tuple(Mark(position, ("name",), "the name without, or with another number") for position, _ in beside),
                )


RULE = Rule(
    id="names-numbered",
    severity=Severity.WARNING,
    title="Name with a number",
    advice="Name them by what tells them apart.",
    bad=(
        Example(({"name": "hail"}, {"name": "hail_2"}, {"name": "hail3"}), ((1, "/name"), (2, "/name"))),
        Example(({"name": "moor_2"}, {"name": "moor_3"}), ((0, "/name"), (1, "/name"))),
    ),
    good=(Example(({"name": "hail"}, {"name": "moor_2"}, {"name": "chart_2026"}, {"name": "chart"})),),
    list=check,
)
