"""The source line with its marker."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.render.cells import cells, cut
from echolot_lsp.render.clean import clean
from echolot_lsp.render.snippet import snippet
from echolot_lsp.text import LineIndex


def shown(text: str, words: str, width: int = 60) -> list[str]:
    """The two lines for the place of ``words`` in ``text``."""
    index, start = LineIndex(text), text.index(words)
    place = index.position(start, "utf-32"), index.position(start + len(words), "utf-32")
    return list(snippet(index, *place, width)[1:])


def test_the_marker_stands_under_the_place() -> None:
    assert shown("x\n    name = 'a b'\n", "'a b'") == ["name = 'a b'", "       ^^^^^"]


def test_wide_characters_take_two_columns() -> None:
    assert shown('"⛺店頭": "数",', '"数"') == ['"⛺店頭": "数",', "          ^^^^"]


def test_tabs_take_four_columns() -> None:
    assert shown("\tx =\t1", "1") == ["x =    1", "       ^"]


def test_a_place_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert shown('    """One.\n\n    Two."""', '"""One.\n\n    Two."""') == ['"""One.', "^^^^^^^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    line, marker = shown("a" * 200 + " here " + "b" * 200, "here", 40)
    assert line.startswith("…aaa")
    assert line.endswith("bbb…")
    assert line[marker.index("^") : marker.rindex("^") + 1] == "here"


def test_an_empty_place_has_a_marker() -> None:
    index = LineIndex("")
    assert snippet(index, index.position(0), index.position(0), 40) == (1, "", "^")


TEXT = st.text(st.sampled_from("ab\t 店⛺é\u0301\u200d\x1b\u202e\r\n"), max_size=80)


@given(TEXT, st.integers(0, 80), st.integers(0, 80), st.integers(16, 60))
def test_line_and_marker_fit_any_width(text: str, start: int, length: int, width: int) -> None:
    index = LineIndex(text)
    first, last = index.position(start, "utf-32"), index.position(start + length, "utf-32")
    line, marker = snippet(index, first, last, width)[1:]
    assert cells(line) <= width
    assert len(marker) <= width
    assert marker.strip(" ").strip("^") == ""
    assert "^" in marker


@given(TEXT, st.integers(1, 40))
def test_cutting_keeps_to_the_width(text: str, width: int) -> None:
    assert cells(cut(clean(text), width)) <= width


@given(st.text())
def test_cleaned_text_is_one_line_without_controls(text: str) -> None:
    cleaned = clean(text)
    assert len(cleaned.splitlines()) <= 1
    assert not any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 or 0x202A <= ord(sign) <= 0x202E for sign in cleaned)
