"""For each set of words the one most like it, exactly, without comparing every pair.

A whole list is counted at once: each word has a mask with one bit for each tool that uses it, and the masks of a tool's words are added up
in binary, one mask for each binary digit. What every other tool shares with this one then stands in a handful of integers, and the
largest share is read off them. When one text of a list changed since the last answer, only that one is compared with the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

LEAST_SHARE = 0.6
MOST_CHANGED = 3

Sets = Mapping[int, frozenset[str]]
Nearest = dict[int, tuple[int, float]]


class _Answer(NamedTuple):
    sets: Sets
    texts: Mapping[int, str]
    nearest: Nearest


_last: deque[_Answer] = deque(maxlen=4)
"""The last answers, so that a keystroke in one description does not count the whole list again."""


def nearest_of_each(sets: Sets, texts: Mapping[int, str]) -> Nearest:
    """For each index the nearest other one (the earlier at a tie) with the share of common words, where that is at least 60 %.

    Pairs with equal ``texts`` are no pairs.
    """
    nearest: Nearest | None = None
    for answer in tuple(_last):
        if answer.sets.keys() == sets.keys():
            changed = [index for index, text in texts.items() if answer.texts[index] != text or answer.sets[index] != sets[index]]
            if len(changed) <= MOST_CHANGED:
                nearest = _after_changes(answer, sets, texts, changed) if changed else answer.nearest
                break
    if nearest is None:
        nearest = count_all(sets, texts)
    _last.appendleft(_Answer(dict(sets), dict(texts), nearest))
    return nearest


def _after_changes(answer: _Answer, sets: Sets, texts: Mapping[int, str], changed: list[int]) -> Nearest:
    again = {*changed, *(index for index, (other, _) in answer.nearest.items() if other in changed)}
    nearest: Nearest = {}
    for index in sets:
        best = None if index in again else answer.nearest.get(index)
        for other in sets if index in again else changed:
            if other != index and texts[other] != texts[index]:
                common = len(sets[index] & sets[other])
                share = common / (len(sets[index]) + len(sets[other]) - common)
                if share >= LEAST_SHARE and (best is None or (-share, other) < (-best[1], best[0])):
                    best = other, share
        if best is not None:
            nearest[index] = best
    return nearest


def count_all(sets: Sets, texts: Mapping[int, str]) -> Nearest:
    """The same, from nothing."""
    order = sorted(sets)
    users: dict[str, int] = {}
    sizes: dict[int, int] = {}
    same_text: dict[str, int] = {}
    for position, index in enumerate(order):
        bit = 1 << position
        sizes[len(sets[index])] = sizes.get(len(sets[index]), 0) | bit
        same_text[texts[index]] = same_text.get(texts[index], 0) | bit
        for word in sets[index]:
            users[word] = users.get(word, 0) | bit
    everyone = (1 << len(order)) - 1
    nearest: Nearest = {}
    for index in order:
        digits = _sum(users[word] for word in sets[index])
        found = _largest(len(sets[index]), digits, sizes, everyone & ~same_text[texts[index]])
        if found is not None:
            nearest[index] = order[found[0]], found[1]
    return nearest


def _sum(masks: Iterable[int]) -> list[int]:
    """How many of ``masks`` have each bit, in binary: the first integer holds the ones, the second the twos, …"""
    digits: list[int] = []
    for carry in masks:
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    return digits


def _largest(size: int, digits: Sequence[int], sizes: Mapping[int, int], allowed: int) -> tuple[int, float] | None:
    """The position with the largest share of at least 60 %, and that share."""
    best, best_share = -1, 0.0
    for other_size, members in sizes.items():
        candidates = members & allowed
        if not candidates or min(size, other_size) < LEAST_SHARE * max(size, other_size):
            continue
        common = 0
        for place in range(len(digits) - 1, -1, -1):
            higher = candidates & digits[place]
            if higher:
                candidates, common = higher, common | 1 << place
        share = common / (size + other_size - common)
        first = (candidates & -candidates).bit_length() - 1
        if share > best_share or (share == best_share and first < best):
            best, best_share = first, share
    return (best, best_share) if best_share >= LEAST_SHARE else None
