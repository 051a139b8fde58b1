"""The objects of a document's lists, each read once: one item is one block, and an item that did not change is not read again.

A plain item is read by Python's own C parser; comments, trailing commas and mistakes by ``scan``. The text of a whole JSON
object ends where it ends, whatever follows: so an item of the last reading stands where its text stands now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from json import JSONDecoder
from math import isfinite
from typing import Any

from echolot_lsp.extract.json.nodes import Flaw, Flawed, Node
from echolot_lsp.extract.json.scan import MAX_DEPTH, Scanner
from echolot_lsp.extract.json.tokens import GAP

_INDENT = re.compile(r"[ \t]*+")
_LONGEST_LINE = 10_000
"""A broken item further into its line than this is not aligned with anything."""
_FAILURES = 50
"""How often one reading may search the rest of the text for the end of a broken item, so that it stays linear."""
_AHEAD = 3
"""How many items of the last reading are tried at one place: the next one, or one after a change or a removal."""


class Item:
    """One object of a list: its text, its value, and what is wrong in it (offsets in the item)."""

    __slots__ = ("_digest", "_tree", "flaws", "lost", "text", "tools", "value", "whole")

    def __init__(self, text: str, value: Any, *, whole: bool = True, lost: bool = False, flaws: Sequence[Flaw] = ()) -> None:
        self.text = text
        self.value = value
        self.whole = whole
        """The text is one JSON object from end to end (with comments and commas as editors allow)."""
        self.lost = lost
        """Members of the object itself could not be read."""
        self.flaws = tuple(flaws)
        self.tools: dict[Any, Any] = {}
        """What was made of it, kept by its maker."""
        self._tree: Node | None = None
        self._digest: str | None = None

    @property
    def digest(self) -> str:
        """A short name of the text."""
        if self._digest is None:
            self._digest = blake2b(self.text.encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()
        return self._digest

    def tree(self) -> Node:
        """The places of all parts, in offsets of the item; found when first asked for."""
        if self._tree is None:
            node = Scanner(self.text, tree=True).run().node
            self._tree = node or Node(0, len(self.text), None)
        return self._tree


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(digits)
    return number


_parse: Callable[[str, int], tuple[Any, int]] = JSONDecoder(parse_constant=_no_constant, parse_float=_finite).scan_once  # type: ignore[attr-defined]


class Reading:
    """One reading of one text. ``items`` are the items found, in order; ``previous`` those of the last reading."""

    def __init__(self, text: str, previous: Sequence[Item] = ()) -> None:
        self.text = text
        self.items: list[Item] = []
        self._previous = previous
        self._next = 0
        self._by_text: dict[str, Item] | None = None
        self._failures = 0
        self._not_plain = 0
        self._in_vain = 0

    def item(self, pos: int) -> tuple[Item, int]:
        """The item that starts at ``pos``, and where it ends."""
        known = self._known(pos)
        if known is None:
            value, end, scanner = self.value(pos)
            known = self._same(Item(self.text[pos:end], value)) if scanner is None else _flawed(self.text, pos, end, scanner)
        self.items.append(known)
        return known, pos + len(known.text)

    def _known(self, pos: int) -> Item | None:
        for index in range(self._next, min(self._next + _AHEAD, len(self._previous))):
            item = self._previous[index]
            if item.whole and self.text.startswith(item.text, pos):
                self._next = index + 1
                return item
        return None

    def _same(self, item: Item) -> Item:
        """The item of the last reading with the same text, wherever it stood."""
        if self._by_text is None:
            self._by_text = {known.text: known for known in self._previous if known.whole}
        return self._by_text.get(item.text, item)

    def value(self, pos: int) -> tuple[Any, int, Scanner | None]:
        """The value at ``pos``, its end, and the scan where it is not right (or cut for its depth)."""
        plain = self._plain(pos)
        if plain is not None:
            return *plain, None
        limit = self._limit(pos)
        if limit is not None:
            strict = _strictly(self.text, pos, limit)
            if strict is not None:
                return strict.value, strict.pos, strict if strict.flaws else None
        if self._failures < _FAILURES:
            strict = _strictly(self.text, pos, None)
            if strict is not None:
                return strict.value, strict.pos, strict if strict.flaws else None
            self._failures += 1
        scanner = Scanner(self.text, pos, limit).run()
        end = scanner.pos
        if limit is not None and end < limit:
            gap = GAP.match(self.text, end, limit)
            if gap is not None and gap.end() < limit:
                early = Flaw("This does not belong here: a bracket before it closes too early.", gap.end(), gap.end() + 1)
                scanner.flaws = scanner.flaws or [early]
                scanner.lost = True
            end = limit
        return scanner.value, end, scanner

    def record_end(self, start: int, line_end: int) -> int | None:
        """How far a record that starts at ``start`` may be read: over several lines when it is plain JSON, else to the end of
        its line; ``None`` when it is not to be read, after too many that were not right."""
        try:
            _, end = _parse(self.text[start:line_end], 0)
            return start + end
        except (ValueError, StopIteration, RecursionError):
            plain = self._plain(start)
        if plain is None:
            self._failures += 1
            return line_end if self._failures <= _FAILURES else None
        return plain[1]

    def _plain(self, pos: int) -> tuple[Any, int] | None:
        if self._not_plain >= _FAILURES:
            return None
        try:
            value, end = _parse(self.text, pos)
            return None if _too_deep(self.text, pos, end, value) else (value, end)
        except (ValueError, StopIteration, RecursionError):
            self._not_plain += 1  # an error of the C parser counts the lines before it: not to be had for every item
            return None

    def search(self, pattern: re.Pattern[str], pos: int) -> re.Match[str] | None:
        """A search to the end of the text, for what should be near; given up after too many in vain."""
        match = pattern.search(self.text, pos) if self._in_vain < _FAILURES else None
        self._in_vain += match is None
        return match

    def _limit(self, pos: int) -> int | None:
        """Where a broken value ends by the look of it: at the line that closes it, or before the next one, both as far in as
        the line on which it starts. ``None``: cannot be seen."""
        text = self.text
        indent = indentation(text, pos)
        if indent is None:
            return None
        match = self.search(re.compile(rf'[\r\n]{re.escape(indent)}(?:([}}\]])|["{{])'), pos)
        if match is None:
            return None
        closes = match[1] == ("}" if text[pos] == "{" else "]")
        return match.end() if closes else pos + len(text[pos : match.start()].rstrip(" \t\r\n,"))


def indentation(text: str, pos: int) -> str | None:
    """The white space that begins the line of ``pos``; ``None`` on a line too long to have been laid out."""
    first = max(0, pos - _LONGEST_LINE)
    line = max(text.rfind("\n", first, pos), text.rfind("\r", first, pos))
    if line < 0 and first > 0:
        return None
    match = _INDENT.match(text, line + 1)
    return match[0] if match else ""


def _strictly(text: str, pos: int, end: int | None) -> Scanner | None:
    try:
        return Scanner(text, pos, end, strict=True).run()
    except Flawed:
        return None


def _flawed(text: str, pos: int, end: int, scanner: Scanner) -> Item:
    flaws = [Flaw(flaw.message, flaw.start - pos, flaw.end - pos) for flaw in scanner.flaws]
    value = scanner.value if isinstance(scanner.value, dict) else {}
    return Item(text[pos:end], value, whole=False, lost=scanner.lost, flaws=flaws)


def _too_deep(text: str, start: int, end: int, value: Any) -> bool:
    if text.count("{", start, end) + text.count("[", start, end) <= MAX_DEPTH:
        return False
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        parts = [part.values() if isinstance(part, dict) else part for part in level]
        level = [child for part in parts for child in part if isinstance(child, (dict, list))]
        if not level:
            return False
    return True
