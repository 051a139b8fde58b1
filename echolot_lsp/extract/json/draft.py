"""A text under change: edits made one after the other, told as edits of the text as it was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Edit: TypeAlias = tuple[int, int, str]
"""Start and end (offsets in code points), and the text that takes their place."""


class Draft:
    """The text as it is by now, and the edits (in order, apart from one another) that lead to it from where it started."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[Edit] = []

    def apply(self, changes: Iterable[Edit]) -> None:
        """Make changes, all given in offsets of the text as it is now; they do not overlap."""
        for change in sorted(changes, reverse=True):
            self._apply(*change)

    def _apply(self, start: int, end: int, new: str) -> None:
        before: list[Edit] = []
        after: list[Edit] = []
        shift = 0
        first = last = None
        for old_start, old_end, text in self.edits:
            now = old_start + shift
            if now + len(text) < start:
                before.append((old_start, old_end, text))
            elif now > end:
                after.append((old_start, old_end, text))
                continue
            else:
                if first is None:
                    first = (now, old_start, shift)
                last = (now + len(text), old_end)
            shift += len(text) - (old_end - old_start)
        from_here, to_here, from_old, to_old = start, end, start - shift, end - shift
        if first is not None and last is not None:
            from_old = start - first[2]
            if first[0] <= start:
                from_here, from_old = first[0], first[1]
            if last[0] >= end:
                to_here, to_old = last
        merged = self.text[from_here:start] + new + self.text[end:to_here]
        self.edits = [*before, (from_old, to_old, merged), *after]
        self.text = self.text[:start] + new + self.text[end:]
