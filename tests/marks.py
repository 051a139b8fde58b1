"""Marked fixtures: ``# ^^^^ rule-id`` under a line says which rule must point at exactly these characters.

::

    def find(limit):
    #        ^^^^^ param-no-type

Lines that hold nothing but such a mark are taken out before the text is analysed; several marks may stand under one line.
A run of carets that touches the comment sign begins at the comment sign's own column (``#^^ py-dynamic`` covers three columns).
JSON marks are written with ``//``. Columns and offsets are code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Mark(NamedTuple):
    """A range of the text without marks (offsets in code points), and the id that is expected or was found there."""

    start: int
    end: int
    id: str


def read(marked: str, comment: str = "#") -> tuple[str, list[Mark]]:
    """The text without its mark lines, and the marks in the order of their places."""
    pattern = re.compile(rf"(?P<lead>[ \t]*{re.escape(comment)})(?P<gap>[ ]*)(?P<carets>\^+) (?P<id>\S+)[ \t]*(?:\r?\n)?")
    kept: list[str] = []
    marks: list[Mark] = []
    line_start = length = 0
    for line in marked.splitlines(keepends=True):
        match = pattern.fullmatch(line)
        if match is None:
            line_start = length
            kept.append(line)
            length += len(line)
            continue
        end = match.end("carets")
        start = match.start("carets") if match["gap"] else match.end("lead") - len(comment)
        marks.append(Mark(line_start + start, line_start + end, match["id"]))
    return "".join(kept), sorted(marks)


def write(text: str, marks: Iterable[Mark], comment: str = "#") -> str:
    """``text`` with a mark line under each line that one begins in; a range that goes on is cut at the line's end."""
    waiting = sorted(marks)
    lines: list[str] = []
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        bare = line.rstrip("\r\n")
        lines.append(line if line != bare else line + "\n")
        while waiting and waiting[0].start < end:
            mark = waiting.pop(0)
            first, last = mark.start - start, min(mark.end - start, len(bare))
            carets = "^" * max(1, last - first)
            if first <= len(comment):
                lines.append(f"{' ' * first}{comment}{carets[len(comment) :] or '^'} {mark.id}\n")
            else:
                lines.append(f"{comment}{' ' * (first - len(comment))}{carets} {mark.id}\n")
        start = end
    lines += [f"{comment} beyond the text: {mark.id}\n" for mark in waiting]
    return "".join(lines)


def assert_marks(marked: str, found: Iterable[Mark], comment: str = "#") -> None:
    """Hold what was found against the marks, one to one; the difference is shown as two marked texts."""
    text, expected = read(marked, comment)
    assert write(text, found, comment) == write(text, expected, comment)
