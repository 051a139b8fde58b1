"""Two tools whose names are equal once case, `_`, `-`, `.` and `/` are left out; exact duplicates too.

**Why it matters.** A model that means one calls the other. Clients replace dots and slashes by `_`, so that two names become one.

**Instead.** Name each by what tells them apart: `get_reviewer_profile` and `get_employee_record`.

**Who refuses.** Exact duplicates: Anthropic ("Tool names must be unique", danny-avila/LibreChat#13162, 2026-05) and Gemini ("Duplicate
function declaration found", rikkahub/rikkahub#1311, 2026-06) refuse the whole request. MCP says that names should be unique.
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.rules._whole_list import read_twice
from echolot_lsp.words import listed, quoted

_LEFT_OUT = str.maketrans("", "", "_-./")


def check(server: Server, context: Context) -> Iterator[Hit]:
    alike: dict[str, list[tuple[int, str]]] = {}
    again = read_twice(server)
    for index, tool in enumerate(server.tools):
        if tool.name is not None and index not in again:
            alike.setdefault(tool.name.casefold().translate(_LEFT_OUT), []).append((index, tool.name))
    for group in alike.values():
        if len(group) > 1:
            for index, name in group:
                yield _hit(index, name, [member for member in group if member[0] != index])


def _hit(index: int, name: str, others: list[tuple[int, str]]) -> Hit:
    same = sum(other == name for _, other in others)
    different = list(dict.fromkeys(quoted(other) for _, other in others if other != name))
    related = tuple(Mark(position, ("name",), f"{quoted(other)} is here") for position, other in others)
    if same:
        how_many = "another tool is" if same == 1 else f"{same} other tools are"
        also = f", and {listed(different)} differs only in case or separators" if different else ""
        message = f"{how_many[0].upper()}{how_many[1:]} called {quoted(name)} as well{also}; Anthropic and Gemini refuse a list with two tools of one name."
        return Hit(index, ("name",), message, related, refused_by=("anthropic", "gemini"))
    message = f"{quoted(name)} differs from {listed(different)} only in case or separators, so a model takes one for the other."
    return Hit(index, ("name",), message, related)


RULE = Rule(
    id="names-confusable",
    severity=Severity.PROBLEM,
    title="Names that are taken for one another",
    advice="Name them by what tells them apart.",
    bad=(
        Example(({"name": "get_tide"}, {"name": "getTide"}, {"name": "get_depth"}), ((0, "/name"), (1, "/name"))),
        Example(({"name": "moor"}, {"name": "moor"}), ((0, "/name"), (1, "/name")), "One name twice"),
        Example(({"name": "潮_汐"}, {"name": "潮汐"}), ((0, "/name"), (1, "/name")), "Japanese"),
    ),
    good=(Example(({"name": "get_tide"}, {"name": "get_tides"}, {"name": "潮汐"}, {"name": "潮流"})),),
    list=check,
)
