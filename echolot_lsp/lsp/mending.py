"""Half-typed code: the text to read is the one on the screen with what is broken in it as it was when it last was whole.

So a function that is being typed keeps its last good result, and whatever is edited elsewhere meanwhile is read as it is. The places
of the text that was read are carried over to the one on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from echolot_lsp.lsp.shift import Shift

LARGEST = 4_000
"""Characters. A broken stretch that is longer is no half-typed function: the text is then read as it is."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch that differs: offsets in the text that is read (``start``, ``end``) and in the one on the screen."""

    start: int
    end: int
    shown_start: int
    shown_end: int


@dataclass(frozen=True, slots=True)
class Mended:
    """The text to read, the text on the screen, where they differ (in order), and how broken the former is (0: not at all)."""

    text: str
    shown: str
    hunks: tuple[Hunk, ...] = ()
    flaws: int = 0

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a place of ``text`` stands in ``shown``; ``None`` where a hunk cuts into it."""
        move = grow = 0
        for hunk in self.hunks:
            by = (hunk.shown_end - hunk.shown_start) - (hunk.end - hunk.start)
            if hunk.end <= start:
                move += by
            elif hunk.start >= end:
                break
            elif start <= hunk.start and hunk.end <= end:
                grow += by
            else:
                return None
        if end > start and end + grow <= start:
            return None
        return start + move, end + move + grow


def whole(text: str, flaws: int = 0) -> Mended:
    """A text that is read as it is."""
    return Mended(text, text, (), flaws)


def mend(before: Mended | None, shown: str, flaws_of: Callable[[str], int]) -> Mended:
    """The next text to read, after ``shown`` has taken the place of ``before.shown``. ``flaws_of`` counts what is broken."""
    if before is not None and before.shown == shown:
        return before
    flaws = flaws_of(shown)
    if before is None or flaws <= before.flaws:
        return whole(shown, flaws)
    hunk, others = _hunk(before, shown)
    if max(hunk.end - hunk.start, hunk.shown_end - hunk.shown_start) > LARGEST:
        return whole(shown, flaws)
    tried = before.text[: hunk.start] + shown[hunk.shown_start : hunk.shown_end] + before.text[hunk.end :]
    if others and flaws_of(tried) <= before.flaws:
        by = (hunk.shown_end - hunk.shown_start) - (hunk.end - hunk.start)
        moved = [replace(each, start=each.start + by, end=each.end + by) if each.start >= hunk.end else each for each in others]
        return Mended(tried, shown, tuple(moved), before.flaws)
    hunks = sorted([*others, hunk], key=lambda each: (each.start, each.end))
    return Mended(before.text, shown, tuple(hunks), before.flaws)


def _hunk(before: Mended, shown: str) -> tuple[Hunk, Sequence[Hunk]]:
    """The stretch that the newest edit makes, joined with the hunks that it touches, and the other hunks; all as ``shown`` has them."""
    edit = Shift(before.shown, shown)
    touched = [each for each in before.hunks if each.shown_start <= edit.end and edit.start <= each.shown_end]
    first = min([edit.start, *(each.shown_start for each in touched)])
    last = max([edit.end, *(each.shown_end for each in touched)])
    others: list[Hunk] = []
    offset = 0
    for each in before.hunks:
        if each in touched:
            continue
        if each.shown_end <= first:
            offset = each.end - each.shown_end
            others.append(each)
        else:
            others.append(replace(each, shown_start=each.shown_start + edit.by, shown_end=each.shown_end + edit.by))
    growth = sum((each.end - each.start) - (each.shown_end - each.shown_start) for each in touched)
    start = first + offset
    return Hunk(start, last + offset + growth, first, last + edit.by), others
