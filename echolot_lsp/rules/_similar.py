"""For each set of words the one most like it, without comparing every pair.

Two sets that share 60 % of their union must share one of the rarest words of each (the prefix filter of set-similarity joins), so
only sets with a rare word in common are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from math import ceil

LEAST_SHARE = 0.6
MOST_COMPARED = 200
"""Sets that one set is compared with at most, those with most rare words in common first."""


def nearest_of_each(sets: Mapping[int, frozenset[str]], texts: Mapping[int, str]) -> dict[int, tuple[int, float]]:
    """For each index the nearest other one (the earlier at a tie) with its share, where that is at least 60 %.

    Pairs with equal ``texts`` are no pairs.
    """
    frequency = Counter(chain.from_iterable(sets.values()))
    rarity = {word: position for position, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], word)))}
    prefixes = {
        index: sorted(words, key=rarity.__getitem__)[: len(words) - ceil(LEAST_SHARE * len(words)) + 1]
        for index, words in sets.items()
    }
    holders: dict[str, list[int]] = {}
    for index, prefix in prefixes.items():
        for word in prefix:
            holders.setdefault(word, []).append(index)
    nearest: dict[int, tuple[int, float]] = {}
    for index, words in sets.items():
        best, best_share = -1, 0.0
        for other in _candidates(index, prefixes[index], holders):
            theirs = sets[other]
            smaller, larger = sorted((len(words), len(theirs)))
            if smaller < LEAST_SHARE * larger or smaller < best_share * larger or texts[other] == texts[index]:
                continue
            common = len(words & theirs)
            share = common / (len(words) + len(theirs) - common)
            if share > best_share or (share == best_share and other < best):
                best, best_share = other, share
        if best_share >= LEAST_SHARE:
            nearest[index] = best, best_share
    return nearest


def _candidates(index: int, prefix: list[str], holders: Mapping[str, list[int]]) -> list[int]:
    common: Counter[int] = Counter()
    for word in prefix:
        if len(holders[word]) > 1:
            common.update(holders[word])
    common.pop(index, None)
    if len(common) <= MOST_COMPARED:
        return list(common)
    return [other for other, _ in common.most_common(MOST_COMPARED)]
