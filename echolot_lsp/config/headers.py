"""Which lines of a tool's declaration speak for the whole tool: its decorators and its ``def``."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DEF = re.compile(r"[ \t]*(?:async[ \t]+)?def\b")
_LINE_END = re.compile(r"\r\n|\n|\r")


def header_lines(declaration: str) -> Iterable[int]:
    """Numbers from 0: the decorators' lines and the ``def`` line of a decorated function, else the first line."""
    lines = _LINE_END.split(declaration)
    if not lines[0].lstrip().startswith(("@", "def ", "async ")):
        return range(1)
    for number, line in enumerate(lines):
        if _DEF.match(line):
            return range(number + 1)
    return range(1)
