"""Gemma 3's vocabulary, which the Gemini API counts with: a small counter of our own.

A text's spaces become U+2581. Some strings (line breaks, tabs, HTML tags) are tokens wherever they stand. What lies between is cut
before every space, and in each word the adjacent pair whose join has the lowest id is merged until no join is a piece. A
character that no piece covers costs one token a UTF-8 byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush

from echolot_lsp.tokens import data

_WORD = re.compile("▁*[^▁]+(?:(?<=>)▁(?=</)[^▁]+)*|▁+")
"""A word with the spaces before it. One piece alone has a space inside, ``> </``, so nothing is cut there."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_REMEMBERED = 50_000
"""Words whose count is kept; the store is emptied when it is full."""
_SHORT_TEXT = 400
"""Code points of the longest whole text whose count is kept: what stands between the strings of a schema recurs all the time."""
_LONG = 4_096
"""A longer word (there are no spaces in a megabyte of base64) is counted in parts of this length: a token more or less a part."""


@cache
def counter() -> Callable[[str], int]:
    """A function from a text to its tokens. The first call reads the pieces (a quarter of a second, 40 MB)."""
    content = json.loads(data.read("gemma3.gz"))
    ids: dict[str, int] = {piece: number for number, piece in enumerate(content["pieces"])}
    ids.update({"▁" * length: -length for length in range(2, 32)})  # runs of spaces grow first, and the longest before the rest
    return _Gemma(ids, content["added"]).count


class _Gemma:
    def __init__(self, ids: Mapping[str, int], added: Iterable[str]) -> None:
        self._ids = ids
        tags = sorted((token for token in added if token[0] in "<["), key=len, reverse=True)
        self._added = re.compile("\n{1,31}|\t{1,31}|▁{2,31}|(?=[<[])(?:" + "|".join(map(re.escape, tags)) + r"|<unused\d+>)")
        self._texts: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._part = lru_cache(64)(self._merge)

    def count(self, text: str) -> int:
        """Tokens of a text."""
        known = self._texts.get(text)
        if known is None:
            known = self._count(text)
            if len(text) <= _SHORT_TEXT:
                if len(self._texts) >= _REMEMBERED:
                    self._texts.clear()
                self._texts[text] = known
        return known

    def _count(self, text: str) -> int:
        text = _SURROGATE.sub("\ufffd", text)  # half a character cannot be sent; clients put this in its place
        words = [word for part in self._added.split(text) for word in _WORD.findall(part.replace(" ", "▁"))]
        added = sum(1 for _ in self._added.finditer(text))
        return added + sum(map(self._word, words))

    def _word(self, word: str) -> int:
        known = self._words.get(word)
        if known is not None:
            return known
        if word in self._ids:
            return 1
        if len(word) > 200:
            return sum(self._part(word[at : at + _LONG]) for at in range(0, len(word), _LONG))
        if len(self._words) >= _REMEMBERED:
            self._words.clear()
        found = self._words[word] = self._merge(word)
        return found

    def _merge(self, word: str) -> int:
        """Merges the adjacent pair with the lowest id, the leftmost of equals, until none is left. O(n log n)."""
        ids = self._ids
        parts: list[str | None] = list(word)
        size = len(parts)
        after, before = list(range(1, size + 1)), list(range(-1, size - 1))
        queue = [(ids[pair], at, pair) for at in range(size - 1) if (pair := word[at : at + 2]) in ids]
        heapify(queue)
        while queue:
            _, at, joined = heappop(queue)
            right = after[at]
            left_part = parts[at]
            if left_part is None or right >= size:
                continue
            right_part = parts[right]
            if right_part is None or left_part + right_part != joined:
                continue
            parts[at], parts[right] = joined, None
            after[at] = after[right]
            if after[at] < size:
                before[after[at]] = at
                following = parts[after[at]]
                if following is not None and (pair := joined + following) in ids:
                    heappush(queue, (ids[pair], at, pair))
            if before[at] >= 0:
                preceding = parts[before[at]]
                if preceding is not None and (pair := preceding + joined) in ids:
                    heappush(queue, (ids[pair], before[at], pair))
        return sum(1 if part in ids else len(part.encode()) for part in parts if part is not None)
