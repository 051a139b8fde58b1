"""The text that is read while the one on the screen is half typed."""

from __future__ import annotations

import random

from echolot_lsp.lsp.mending import Mended, mend, whole


def flaws_of(text: str) -> int:
    """Each line with an unclosed bracket is a flaw."""
    return sum(line.count("(") != line.count(")") for line in text.split("\n"))


def typed(*texts: str) -> Mended:
    state: Mended | None = None
    for text in texts:
        state = mend(state, text, flaws_of)
    assert state is not None
    return state


def test_a_whole_text_is_read_as_it_is() -> None:
    assert typed("a()\nb()", "a()\nbc()") == whole("a()\nbc()")


def test_a_broken_line_is_read_as_it_was() -> None:
    state = typed("a(x)\nb(y)\nc(z)", "a(x)\nb(y\nc(z)", "a(x)\nb(y,\nc(z)")
    assert state.text == "a(x)\nb(y)\nc(z)"
    assert state.span(10, 14) == (10, 14)
    assert state.span(5, 6) == (5, 6)


def test_an_edit_elsewhere_is_read_while_a_line_is_broken() -> None:
    state = typed("a(x)\nb(y)\nc(z)", "a(x)\nb(y\nc(z)", "a(x)\nb(y\nc(zebra)", "aa(x)\nb(y\nc(zebra)")
    assert state.text == "aa(x)\nb(y)\nc(zebra)"
    start = state.text.index("zebra")
    assert state.span(start, start + 5) == (state.shown.index("zebra"), state.shown.index("zebra") + 5)


def test_two_broken_lines_are_both_read_as_they_were() -> None:
    state = typed("a(x)\nb(y)\nc(z)", "a(x\nb(y)\nc(z)", "a(x\nb(y)\nc(z", "a(x\nb(yes)\nc(z")
    assert state.text == "a(x)\nb(yes)\nc(z)"
    state = mend(state, "a(x)\nb(yes)\nc(z", flaws_of)
    assert state.text == "a(x)\nb(yes)\nc(z)"
    assert len(state.hunks) == 1
    assert mend(state, "a(x)\nb(yes)\nc(z)", flaws_of) == whole("a(x)\nb(yes)\nc(z)")


def test_a_text_that_was_never_whole_is_read_as_it_is() -> None:
    assert typed("a(", "a(b") == whole("a(b", 1)


def test_a_text_that_is_replaced_is_read_as_it_is() -> None:
    assert typed("a(x)\n" * 2000, "b(y\n" * 2000).hunks == ()


def test_whatever_is_typed_the_text_that_is_read_is_never_worse_and_places_keep_their_characters() -> None:
    random.seed(7)
    for _ in range(300):
        state = whole("ab(c)\nd(e)\nf(gh)\ni(j)")
        for _ in range(12):
            shown = state.shown
            start = random.randint(0, len(shown))
            end = min(len(shown), start + random.choice([0, 0, 1, 2, 5]))
            shown = shown[:start] + random.choice(["", "(", ")", "x", "\n", "y(z)\n"]) + shown[end:]
            state = mend(state, shown, flaws_of)
            assert flaws_of(state.text) == state.flaws
            at = there = 0
            for hunk in (*state.hunks, None):
                stop, shown_stop = (len(state.text), len(shown)) if hunk is None else (hunk.start, hunk.shown_start)
                assert state.text[at:stop] == shown[there:shown_stop]
                if hunk is not None:
                    at, there = hunk.end, hunk.shown_end
            for offset in range(len(state.text)):
                moved = state.span(offset, offset + 1)
                if moved is not None and not any(hunk.start <= offset < hunk.end for hunk in state.hunks):
                    assert shown[moved[0]] == state.text[offset]
