"""Whether a text is shallow enough for libcst, whose native parser ends the whole process where it runs out of stack.

Measured with libcst 1.9 (2026-11-30): 2,000 nested brackets, or as many unary operators, are a segmentation fault; 1,000 subscripts one
after another take seconds. No source that people write comes near the bounds here.
"""

from __future__ import annotations

import re

DEEPEST = 100
"""Brackets inside one another."""
MOST_OPERATORS = 300
"""Operators, attributes, calls and subscripts between two commas or line ends."""

_TOKEN = re.compile(
    r"#[^\r\n]*"
    r"|\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r"|\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<end>[,\r\n])"
    r"|(?P<operator>\*\*|//|<<|>>|[-+*/%@&|^~<>=!.]|\b(?:not|and|or|if|else|lambda|await|in|is)\b)",
    re.S,
)


def is_shallow(text: str) -> bool:
    """Whether brackets and operators stay within the bounds. Linear."""
    depth = operators = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            depth += 1
            operators += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "end":
            operators = 0
        elif kind == "operator":
            operators += 1
        if depth > DEEPEST or operators > MOST_OPERATORS:
            return False
    return True
