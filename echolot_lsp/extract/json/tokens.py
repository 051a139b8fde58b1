"""The words of JSON as editors allow it: what each looks like, and what is said of one that is wrong."""

from __future__ import annotations

import re
from math import isfinite

from echolot_lsp.model import Unknown

GAP = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")
"""White space and comments."""
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?(?![\w.+-])")
WORD = re.compile(r"'[^'\r\n]*+'?|[^\s{}\[\],:\"'/]++|.", re.DOTALL)
LOOSE_STRING = re.compile(r'"(?:[^"\\\r\n]|\\[^\r\n])*+"?')
STRING_START = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
STRING = re.compile(STRING_START.pattern + '"')
BRACKET = re.compile(r'"(?:[^"\\\r\n]++|\\.)*+"?|//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|([{\[])|([}\]])', re.DOTALL)
LITERALS = {"true": True, "false": False, "null": None}
NO_JSON = ("NaN", "Infinity", "-Infinity")
CLOSER = {"{": "}", "[": "]"}


def number_of(match: re.Match[str]) -> int | float | Unknown:
    """The number that ``NUMBER`` matched; unknown when it is beyond what Python reads."""
    if match[1] or match[2]:
        number = float(match[0])
        return number if isfinite(number) else Unknown("a number too large to read")
    try:
        return int(match[0])
    except ValueError:
        return Unknown(f"a whole number of {len(match[0])} digits")


def about(word: str) -> str:
    """What is wrong with a word that is no JSON."""
    if word in NO_JSON:
        return f"JSON has no {word}."
    if word.startswith("'"):
        return "JSON wants double quotes around a text."
    shown = word if len(word) <= 40 else word[:40] + "…"
    return f"`{shown}` is no JSON value."
