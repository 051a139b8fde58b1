"""Places carried over an edit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.lsp.shift import Shift

short = st.text(alphabet="ab\n", max_size=8)


@given(short, short, short, short)
def test_a_place_outside_the_edit_keeps_its_text(head: str, old: str, new: str, tail: str) -> None:
    before, after = head + old + tail, head + new + tail
    shift = Shift(before, after)
    for start in range(len(before) + 1):
        for end in range(start, len(before) + 1):
            moved = shift.span(start, end)
            if end <= shift.start or start >= shift.end:
                assert moved is not None
                assert after[moved[0] : moved[1]] == before[start:end]
            elif moved is not None:
                assert after[moved[0] : moved[1]].startswith(before[start : shift.start])


def test_a_place_that_the_edit_cuts_into_is_lost() -> None:
    shift = Shift("one two three", "one 2 three")
    assert shift.span(5, 9) is None
    assert shift.span(8, 13) == (6, 11)
    assert shift.span(0, 13) == (0, 11)
