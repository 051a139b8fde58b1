"""From an offset in a docstring's value to the characters of the literal that wrote it."""

from __future__ import annotations

import re

from echolot_lsp.extract.python.values import Text
from echolot_lsp.model import Span

_OPENING = re.compile(r"[uUrRbBfF]{0,2}(?:\"\"\"|'''|\"|')")
_LINE = re.compile(r"\r\n|\n|\r")


def in_docstring(doc: Text, start: int, end: int) -> Span | None:
    """The place of ``doc[start:end]`` in the source; the whole literal where it cannot be told apart."""
    where = doc.where
    if where is None or not where.unit.file:
        return None
    unit, node = where
    first, last = unit.start(node), unit.end(node)
    source = unit.text[first:last]
    whole = Span(unit.file, unit.key, first, last)
    opening = _OPENING.match(source)
    if opening is None or not doc[start:end].strip():
        return whole
    lines = _lines(source)
    begin = _locate(lines, doc, start, doc[start:end].split("\n")[0].strip(), opening.end())
    finish = _locate(lines, doc, end - len(doc[start:end].split("\n")[-1]), doc[start:end].split("\n")[-1].strip(), opening.end())
    if begin is None or finish is None:
        return whole
    return Span(unit.file, unit.key, first + begin[0], first + max(finish[1], begin[1]))


def _lines(source: str) -> list[tuple[int, str]]:
    starts = [0, *(match.end() for match in _LINE.finditer(source))]
    ends = [*(match.start() for match in _LINE.finditer(source)), len(source)]
    return [(start, source[start:end]) for start, end in zip(starts, ends, strict=True)]


def _locate(lines: list[tuple[int, str]], doc: str, offset: int, text: str, after: int) -> tuple[int, int] | None:
    """Where ``text`` stands on the source line that belongs to the docstring's line at ``offset``."""
    number = doc.count("\n", 0, max(0, offset))
    column = offset - (doc.rfind("\n", 0, max(0, offset)) + 1)
    if number >= len(lines):
        return None
    start, line = lines[number]
    if number == 0:
        column += after
    found = line.find(text, max(0, column - 1)) if text else column
    if found < 0:
        found = line.find(text)
    if found < 0:
        return None
    return start + found, start + found + len(text)
