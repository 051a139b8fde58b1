"""Two tools with the same description (white space aside).

**Why it matters.** Nothing but the name is left to choose by, and a model often takes the first.

**Instead.** Say in each what differs: what it changes, what it returns, when to prefer it.

**Who refuses.** Nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from echolot_lsp.model import Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.rules._whole_list import read_twice
from echolot_lsp.rules.no_description import is_blank
from echolot_lsp.words import listed, quoted

MOST_NAMED = 5


def check(server: Server, context: Context) -> Iterator[Hit]:
    same: dict[str, list[int]] = {}
    again = read_twice(server)
    for index, tool in enumerate(server.tools):
        text = folded(tool.wire.get("description"))
        if text is not None and index not in again:
            same.setdefault(text, []).append(index)
    for group in same.values():
        if len(group) > 1:
            for index in group:
                yield _hit(server, index, [other for other in group if other != index])


def _hit(server: Server, index: int, others: list[int]) -> Hit:
    names = [quoted(server.tools[other].name or "a tool without a name") for other in others[:MOST_NAMED]]
    if len(others) > MOST_NAMED:
        names.append(f"{len(others) - MOST_NAMED} more")
    related = tuple(Mark(other, ("description",), "the same description") for other in others[:50])
    return Hit(
        index,
        ("description",),
        f"{listed(names)} {'has' if len(others) == 1 else 'have'} the same description, so only the name is left to choose by.",
        related,
    )


def folded(description: object) -> str | None:
    """A description with its white space folded; ``None`` where there is none, or nothing to see."""
    return _folded(description) if isinstance(description, str) else None


@lru_cache(maxsize=16384)
def _folded(description: str) -> str | None:
    return None if is_blank(description) else " ".join(description.split())


RULE = Rule(
    id="descriptions-same",
    severity=Severity.PROBLEM,
    title="Two tools with one description",
    advice="Say in each what differs.",
    bad=(
        Example(
            ({"name": "raise_flag", "description": "Moves the flag."}, {"name": "lower_flag", "description": "Moves  the\nflag."}),
            ((0, "/description"), (1, "/description")),
        ),
        Example(
            ({"name": "raise_flag", "description": "旗を動かす。"}, {"name": "lower_flag", "description": "旗を動かす。\n"}),
            ((0, "/description"), (1, "/description")),
            "Japanese",
        ),
    ),
    good=(
        Example(
            (
                {"name": "raise_flag", "description": "Raises the flag."},
                {"name": "lower_flag", "description": "Lowers the flag."},
                {"name": "a", "description": ""},
                {"name": "b", "description": ""},
            )
        ),
        Example(
            ({"name": "raise_flag", "description": "旗を揚げる。"}, {"name": "lower_flag", "description": "旗を降ろす。"}),
            title="Japanese",
        ),
    ),
    list=check,
)
