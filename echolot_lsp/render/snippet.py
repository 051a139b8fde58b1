"""A source line with a marker under a place, fitted to a width; wide characters keep the marker where it belongs."""

from __future__ import annotations

from typing import NamedTuple

from echolot_lsp.render.cells import cells, cut
from echolot_lsp.render.clean import clean
from echolot_lsp.text import LineIndex, Position

TAB = 4
BEFORE = 0.4
"""The share of the width that a long line may show before the place."""


class Snippet(NamedTuple):
    """A line number (from 1), the line as it is shown, and the marker's line below it."""

    number: int
    line: str
    marker: str


def snippet(lines: LineIndex, start: Position, end: Position, width: int) -> Snippet:
    """The line of ``start`` (characters are code points) in at most ``width`` columns; a place that goes on is marked to its end.

    Indentation is left out, tabs are four columns, long lines are cut around the place.
    """
    line = lines.line(start.line)
    first = min(start.character, len(line))
    last = min(end.character, len(line)) if end.line == start.line else len(line.rstrip())
    indent = min(len(line) - len(line.lstrip()), first)
    before, marked, after = (
        _shown(part) for part in (line[indent:first], line[first : max(first, last)], line[max(first, last) :])
    )
    after = after.rstrip()
    if cells(before + marked + after) > width:
        before = _cut_left(before, int(width * BEFORE)) if cells(before + marked) > width * 0.75 else before
        marked = cut(marked, width - cells(before))
        after = cut(after, width - cells(before + marked))
    marker = " " * cells(before) + "^" * max(1, cells(before + marked) - cells(before))
    return Snippet(start.line + 1, before + marked + after, marker)


def _shown(text: str) -> str:
    return clean(text.replace("\t", " " * TAB))


def _cut_left(text: str, width: int) -> str:
    """The end of ``text`` in at most ``width`` columns."""
    if cells(text) <= width:
        return text
    start = len(text)
    while start > 0 and cells(text[start - 1 :]) <= width - 1:
        start -= 1
    return "…" + text[start:]
