"""The nearest description is the one that comparing every pair finds, from nothing and after an edit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.rules._similar import LEAST_SHARE, count_all, nearest_of_each

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), min_size=2), max_size=12)


def by_pairs(sets: dict[int, frozenset[str]], texts: dict[int, str]) -> dict[int, tuple[int, float]]:
    """Every pair compared."""
    nearest = {}
    for index, words in sets.items():
        shares = [(-len(words & sets[other]) / len(words | sets[other]), other) for other in sets if texts[other] != texts[index]]
        if shares and -min(shares)[0] >= LEAST_SHARE:
            nearest[index] = (min(shares)[1], -min(shares)[0])
    return nearest


@given(SETS, st.data())
def test_counting_at_once_equals_comparing_every_pair(words: list[frozenset[str]], data: st.DataObject) -> None:
    sets = dict(enumerate(words))
    texts = {index: data.draw(st.sampled_from("xyz")) + "".join(sorted(sets[index])) for index in sets}
    assert count_all(sets, texts) == by_pairs(sets, texts)
    assert nearest_of_each(sets, texts) == by_pairs(sets, texts)


@settings(max_examples=40)
@given(SETS, st.data())
def test_an_edit_gives_the_answer_that_counting_anew_gives(words: list[frozenset[str]], data: st.DataObject) -> None:
    sets = dict(enumerate(words))
    texts = {index: f"{index % 3}" + "".join(sorted(sets[index])) for index in sets}
    nearest_of_each(sets, texts)
    for _ in range(3):
        for index in data.draw(st.sets(st.sampled_from(range(len(words))), max_size=4)) if words else ():
            sets = {**sets, index: data.draw(st.frozensets(st.sampled_from("abcdefghij"), min_size=2))}
            texts = {**texts, index: data.draw(st.sampled_from("012")) + "".join(sorted(sets[index]))}
        assert nearest_of_each(sets, texts) == by_pairs(sets, texts)
