"""Where the header of a function ends: cutting decorators, signature and docstring off a text without parsing it."""

from __future__ import annotations

import re

DEFINITION = re.compile(r"[ \t]*(?:async[ \t]+)?(?:def|class)\b")
_LITERAL = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*)*(?=[uUrR]{0,2}[\"'])")
_STRING = (
    r"\"\"\"(?:[^\"\\]|\\(?:.|\n)|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\(?:.|\n)|'(?!''))*'''"
    r"|\"(?:[^\"\\\r\n]|\\(?:\r\n|.|\n))*\"|'(?:[^'\\\r\n]|\\(?:\r\n|.|\n))*'"
)
_HEAD_TOKEN = re.compile(rf"#[^\r\n]*|{_STRING}|[(\[{{]|[)\]}}]|:(?!=)|\blambda\b")
_DOC = re.compile(rf"(?:[uUrR]{{0,2}}(?:{_STRING})(?:[ \t]|\\\r?\n)*)+(?=$|[\r\n;#])", re.M)
BODY = " pass"
"""What stands for a body that is cut off."""


def header_of(text: str) -> str | None:
    """The text of a function block up to its docstring, or with ``pass`` for a body; ``None`` where it is no function."""
    position = 0
    while True:
        gap = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*").match(text, position)
        position = gap.end() if gap else position
        if text.startswith("@", position):
            position = _logical_end(text, position)
            continue
        break
    match = DEFINITION.match(text, position)
    if match is None or match.group().split()[-1] != "def":
        return None
    colon = _colon(text, match.end())
    if colon is None:
        return None
    literal = _LITERAL.match(text, colon + 1)
    if literal is not None:
        doc = _DOC.match(text, literal.end())
        if doc is not None:
            return text[: doc.end()]
    return text[: colon + 1] + BODY


def _logical_end(text: str, position: int) -> int:
    depth = 0
    token = re.compile(rf"#[^\r\n]*|{_STRING}|[(\[{{]|[)\]}}]|\\\r?\n|\r\n|\r|\n")
    while match := token.search(text, position):
        position = match.end()
        found = match.group()
        if found in "([{":
            depth += 1
        elif found in ")]}":
            depth -= 1
        elif found[0] in "\r\n" and depth <= 0:
            return position
    return len(text)


def _colon(text: str, position: int) -> int | None:
    depth = lambdas = 0
    while match := _HEAD_TOKEN.search(text, position):
        position = match.end()
        token = match.group()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif token == "lambda":
            lambdas += 1
        elif token == ":" and depth == 0:
            if lambdas == 0:
                return match.start()
            lambdas -= 1
    return None
