"""Lines and positions as LSP counts them.

LSP ends lines at ``\\n``, ``\\r\\n`` and ``\\r`` only (``str.splitlines`` knows seven more), and counts characters in UTF-8,
UTF-16 or UTF-32 units, as client and server agree. Offsets here are code points, Python's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple, TypeAlias

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A line and a character in it, both from 0; the character in the units of the encoding that was asked for."""

    line: int
    character: int


class LineIndex:
    """The line starts of one text, and the way between its offsets and positions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int, encoding: Encoding = "utf-16") -> Position:
        """The position of an offset (code points). Offsets outside the text are clamped to it."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, _units(self.text[self.starts[line] : offset], encoding))

    def offset(self, position: Position, encoding: Encoding = "utf-16") -> int:
        """The offset (code points) of a position; one that lies beyond its line or the text is clamped, as LSP asks."""
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        line = self.line(position.line)
        start = self.starts[position.line]
        if encoding == "utf-32" or line.isascii():
            return start + max(0, min(position.character, len(line)))
        units = 0
        for index, character in enumerate(line):
            units += _units(character, encoding)
            if units > position.character:
                return start + index
        return start + len(line)

    def line(self, number: int) -> str:
        """The text of a line, without its line end."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


class Shift:
    """Where offsets of an old text stand in a new one: what lies before or behind the edited stretch moves with it."""

    def __init__(self, old: str, new: str) -> None:
        self.start = _common(old, new)
        tail = min(len(old), len(new)) - self.start
        self.end = len(old) - _common(old[len(old) - tail :][::-1], new[len(new) - tail :][::-1])
        """``old[start:end]`` is what the edit replaced."""
        self.by = len(new) - len(old)

    def offset(self, offset: int) -> int | None:
        """The new offset (code points); ``None`` inside the edited stretch."""
        if offset <= self.start:
            return offset
        return offset + self.by if offset >= self.end else None


def _common(one: str, two: str) -> int:
    """The length of the longest common start of two texts."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
