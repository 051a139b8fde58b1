"""Lines and positions as LSP counts them, and places carried across an edit.

LSP ends lines at ``\\n``, ``\\r\\n`` and ``\\r`` only (``str.splitlines`` knows seven more), and counts characters in UTF-8,
UTF-16 or UTF-32 units, as client and server agree. Offsets here are code points, Python's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
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

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset at which each line starts; found when first asked for. A text has at least one line."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def position(self, offset: int, encoding: Encoding = "utf-16") -> Position:
        """The position of an offset (code points). Offsets outside the text are clamped to it."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, _units(self.text[self.starts[line] : offset], encoding))

    def positions(self, offsets: Mapping[str, int], encoding: Encoding = "utf-16") -> dict[str, Position]:
        """The positions of many offsets of the text, in one go."""
        found: dict[str, Position] = {}
        at, position = 0, Position(0, 0)
        for key, offset in sorted(offsets.items(), key=lambda item: item[1]):
            position = self.onward(at, position, offset, encoding)
            at = offset
            found[key] = position
        return found

    def onward(self, base: int, position: Position, offset: int, encoding: Encoding = "utf-16") -> Position:
        """The position of an offset that is not before ``base``, whose position is known: only what lies between is looked at."""
        if not self._ends_in_feeds:
            return self.position(offset, encoding)
        feeds = self.text.count("\n", base, offset)
        start = self.text.rfind("\n", base, offset) + 1 if feeds else base
        units = _units(self.text[start:offset], encoding)
        return Position(position.line + feeds, units if feeds else position.character + units)

    @cached_property
    def _ends_in_feeds(self) -> bool:
        """Whether each line end has a line feed."""
        return self.text.count("\r") == self.text.count("\r\n")

    def offset(self, position: Position, encoding: Encoding = "utf-16") -> int:
        """The offset (code points) of a position. One beyond its line or the text is clamped to its end, as LSP asks; one inside
        a character (between the two units of an emoji) to the character's start."""
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
            units += _width(character, encoding)
            if units > position.character:
                return start + index
        return start + len(line)

    def line(self, number: int) -> str:
        """The text of a line, without its line end. Raises ``IndexError`` where there is no such line."""
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        if end > start and self.text[end - 1] in "\r\n":
            end -= 2 if self.text.endswith("\r\n", start, end) else 1
        return self.text[start:end]


def reanchor(old: str, new: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a place of ``old`` (offsets in code points) stands in ``new``, one edit later.

    What the two texts share at both ends is taken as untouched. A place before the edit stays, one behind it moves along, one
    round it grows or shrinks with it; ``None`` where the edit cuts into the place or removed it.
    """
    if not 0 <= start <= end <= len(old):
        return None
    shortest = min(len(old), len(new))
    shift = len(new) - len(old)
    prefix = _longest(shortest, lambda size: old[:size] == new[:size])
    if end <= prefix:
        return start, end
    suffix = _longest(shortest, lambda size: old[len(old) - size :] == new[len(new) - size :])
    if start >= len(old) - suffix:
        return start + shift, end + shift
    changed_end = len(old) - min(suffix, shortest - prefix)
    if start <= prefix and end >= changed_end and start < end + shift:
        return start, end + shift
    return None


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The largest size up to ``most`` that fits, where every smaller one does; by halving, so that C does the comparing."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _width(character: str, encoding: Encoding) -> int:
    code = ord(character)
    if encoding == "utf-8":
        return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    return 2 if code > 0xFFFF and encoding == "utf-16" else 1
