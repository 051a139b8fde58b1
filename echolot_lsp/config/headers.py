"""Which lines of a tool's declaration speak for the whole tool: its decorators and its ``def``."""

from __future__ import annotations

import re

from echolot_lsp.text import LineIndex

_DEF = re.compile(r"[ \t]*(?:async[ \t]+)?def\b")


def header_lines(lines: LineIndex, first: int, last: int) -> range:
    """Numbers from 0: the decorators and the ``def`` line of the function on the lines ``first`` to ``last`` (which may begin at
    either), else the first line."""
    if not lines.line(first).lstrip().startswith(("@", "def ", "async ")):
        return range(first, first + 1)
    end = next((number for number in range(first, last + 1) if _DEF.match(lines.line(number))), first)
    return range(_first_decorator(lines, first), end + 1)


def _first_decorator(lines: LineIndex, first: int) -> int:
    """The line of the topmost decorator right above a line: between decorators stand only their own, deeper lines."""
    indent = _indent(lines.line(first))
    top = number = first
    while number > 0:
        number -= 1
        line = lines.line(number)
        words = line.strip()
        if not words or (_indent(line) <= indent and words[0] not in "@)]}"):
            break
        if words[0] == "@" and _indent(line) == indent:
            top = number
    return top


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
