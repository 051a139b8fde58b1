"""Carrying many places of one text over an edit (``text.reanchor`` does one)."""

from __future__ import annotations


class Shift:
    """Where places of an old text stand in a new one, one edit later."""

    def __init__(self, old: str, new: str) -> None:
        self.start = _common(old, new)
        tail = min(len(old), len(new)) - self.start
        self.end = len(old) - _common(old[len(old) - tail :][::-1], new[len(new) - tail :][::-1])
        """``old[start:end]`` is what the edit replaced."""
        self.by = len(new) - len(old)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The new offsets of a place: before the edit it stays, behind it moves along, round it grows or shrinks with it;
        ``None`` where the edit cuts into it."""
        if end <= self.start:
            return start, end
        if start >= self.end:
            return start + self.by, end + self.by
        if start <= self.start and end >= self.end and start < end + self.by:
            return start, end + self.by
        return None


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
