"""Claude's vocabularies, as ctok reconstructed them by measuring: unofficial. The text model is ctok's, the tiling is ours.

A text becomes a *marked stream* (word borders and case written in as markers); its tokens are the fewest pieces that cover it. No
piece holds most of the pairs of neighbours that a stream has, so the stream is cut at every pair that no piece holds, and each part
is covered once and remembered: exact, and in linear time for anything that repeats.

A word of ASCII letters is marked on both sides whatever stands beside it, and no piece crosses such a mark. So a text is first
cut into such words and the stretches between them, and each of both is looked up: ten times faster, and exact as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

from echolot_lsp.tokens import data
from echolot_lsp.tokens._ctok.constants import (
    BOW_G,
    CAPS_G,
    CONTRACTION_SUFFIXES,
    EOW_G,
    ESCAPED_MARKER_LITERALS,
    MARKER_GLYPHS,
    SHIFT_G,
)
from echolot_lsp.tokens._ctok.normalize import mark_case, nfc, stream_norm
from echolot_lsp.tokens._ctok.notation import parse_marked

Version: TypeAlias = Literal["v3", "v4"]
"""``v3``: Claude 3 to Opus 4.6. ``v4``: Opus 4.7 and later."""

_REMEMBERED = 50_000
"""Parts of each kind whose count is kept; a store is emptied when it is full."""
_SHORT = 200
"""Code points of the longest part that is kept."""
_LONG = 4_096
"""A longer part (a megabyte of one letter) is covered in stretches of this length: a token more or less a stretch."""


_WORDS = re.compile(r"((?<![A-Za-z\x80-\U0010ffff])[A-Za-z]++(?![\x80-\U0010ffff]))")
"""Words of ASCII letters with nothing beside them that might belong to the word."""
_UNSAFE = re.compile(r"[\x01-\x08\x0b-\x1f\x7f]")
"""Control characters: they vanish, and what stands on both sides becomes one word."""


@cache
def counter(version: Version) -> Callable[[str], int]:
    """A function from a text to its tokens. The first call reads the pieces. Raises ``FileNotFoundError`` without its file."""
    return _Claude(json.loads(data.read(f"claude_{version}.gz"))).count


@dataclass(frozen=True)
class _Frame:
    """What ctok's text model asks of a vocabulary: the shortest word in capitals that is marked as such, and whether a word
    border opens the message (it does in ``v3``)."""

    allcaps_min: int | None
    frame_bow: bool


class _Claude:
    def __init__(self, document: Mapping[str, Any]) -> None:
        tokens, meta = document["tokens"], document["meta"]
        pieces = [parse_marked(piece) for group, members in tokens.items() if group != "bytes_fallback" for piece in members]
        pieces += [parse_marked(suffix + "⟨eow⟩") for suffix in tokens["contractions"]]
        self._fold_quotes: bool = meta["fold_quotes"]
        self._frame = _Frame(meta["allcaps_min"], frame_bow=meta["family"] == "v3")
        self._units = {piece for piece in pieces if len(piece) == 1}
        characters = {piece.encode() for piece in self._units if piece not in MARKER_GLYPHS}
        self._bytes = {bytes.fromhex(prefix) for prefix in tokens["bytes_fallback"]} | characters
        self._pieces = frozenset(pieces)
        self._starts = _prefixes(pieces)
        self._pairs = {piece[at : at + 2] for piece in self._pieces for at in range(len(piece) - 1)}
        self._parts: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._inner: dict[str, int] = {}
        self._stretches: dict[tuple[str, str], dict[str, int]] = {
            ("x", "x"): self._inner,
            ("", "x"): {},
            ("x", ""): {},
            ("", ""): {},
        }
        self._cover_long = lru_cache(64)(self._cover)
        self._characters: dict[str, int] = {}

    def count(self, text: str) -> int:
        """Tokens of a text as the content of one message, without what a message itself costs."""
        parts = [text] if _UNSAFE.search(text) else _WORDS.split(text)
        if len(parts) < 3:
            return self._whole(text)
        total = self._between(parts[0], "", "x") + self._between(parts[-1], "x", "")
        for before in parts[2:-1:2]:
            known = self._inner.get(before)
            total += self._between(before, "x", "x") if known is None else known
        for at in range(1, len(parts), 2):
            word, before = parts[at], parts[at - 1]
            if before[-1:] == "'" and word in CONTRACTION_SUFFIXES:
                # The apostrophe is the word's border then, so both are counted together.
                left = "x" if at > 1 else ""
                total += self._between(before + word, left, "") - self._between(before, left, "x")
            else:
                known = self._words.get(word)
                total += self._word(word) if known is None else known
        return total

    def _word(self, word: str) -> int:
        marked = mark_case(word, self._frame.allcaps_min)
        case = marked[:1] if marked[:1] in (SHIFT_G, CAPS_G) else ""
        found = sum(map(self._part, self._cut(case + BOW_G + marked[len(case) :] + EOW_G)))
        self._remember(self._words, word, found)
        return found

    def _between(self, stretch: str, left: str, right: str) -> int:
        """Tokens of what stands between two words: those of the stretch with a word on each side, less those of the words."""
        store = self._stretches[left, right]
        known = store.get(stretch)
        if known is None:
            known = self._whole(left + stretch + right) - (len(left) + len(right)) * self._word("x")
            self._remember(store, stretch, known)
        return known

    def _whole(self, text: str) -> int:
        body = nfc(text, fold_quotes=self._fold_quotes)
        marked = stream_norm(body, self._frame, raw_head_space=text.startswith(" "))
        breaks = len(body) - len(body.rstrip("\n"))
        tail = self._part("\n" * (breaks + 2)) - 1 if breaks else 0
        return sum(map(self._part, self._cut(marked))) + tail

    @staticmethod
    def _remember(store: dict[str, int], key: str, count: int) -> None:
        if len(key) <= _SHORT:
            if len(store) >= _REMEMBERED:
                store.clear()
            store[key] = count

    def _cut(self, marked: str) -> Iterable[str]:
        pairs = self._pairs
        start = 0
        for at in range(1, len(marked)):
            if marked[at - 1 : at + 1] not in pairs:
                yield marked[start:at]
                start = at
        if start < len(marked):
            yield marked[start:]

    def _part(self, part: str) -> int:
        known = self._parts.get(part)
        if known is not None:
            return known
        if part in self._pieces:
            return 1
        if len(part) > _SHORT:
            return sum(self._cover_long(part[at : at + _LONG]) for at in range(0, len(part), _LONG))
        found = self._cover(part)
        self._remember(self._parts, part, found)
        return found

    def _cover(self, part: str) -> int:
        """The fewest pieces that cover ``part``; a character that is no piece costs the tokens of its bytes."""
        size = len(part)
        best = [0] + [1 << 60] * size
        for start in range(size):
            cost = best[start]
            single = cost + self._character(part[start])
            if single < best[start + 1]:
                best[start + 1] = single
            for end in range(start + 2, size + 1):
                piece = part[start:end]
                if piece in self._pieces:
                    if cost + 1 < best[end]:
                        best[end] = cost + 1
                elif piece not in self._starts:
                    break
        return best[size]

    def _character(self, character: str) -> int:
        if character in self._units:
            return 1
        known = self._characters.get(character)
        if known is None:
            raw = ESCAPED_MARKER_LITERALS.get(character, character).encode()
            best = [0] + [len(raw)] * len(raw)
            for end in range(1, len(raw) + 1):
                best[end] = min(best[at] + 1 for at in range(end) if end - at == 1 or raw[at:end] in self._bytes)
            known = self._characters[character] = best[-1]
        return known


def _prefixes(pieces: Iterable[str]) -> frozenset[str]:
    return frozenset(piece[:length] for piece in pieces for length in range(2, len(piece)))
