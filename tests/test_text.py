"""Positions in three encodings, and places carried across an edit."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.text import Encoding, LineIndex, Position, reanchor

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
pieces = st.sampled_from(
    ["a", "é", "商品", "🦊", "👩‍🚒", "\r", "\n", "\r\n", "\f", "\v", "\x85", "\u2028", "\u2029", "\t", " ", "\ud800"]
)
texts = st.lists(pieces, max_size=30).map("".join)


def lsp_lines(text: str) -> list[str]:
    return re.split(r"\r\n|\n|\r", text)


@given(texts, st.sampled_from(ENCODINGS))
def test_every_offset_comes_back_from_its_position(text: str, encoding: Encoding) -> None:
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            continue  # between the two characters of one line end there is no position
        assert lines.offset(lines.position(offset, encoding), encoding) == offset


@given(texts, st.sampled_from(ENCODINGS))
def test_positions_count_lines_and_units_as_lsp_does(text: str, encoding: Encoding) -> None:
    lines = LineIndex(text)
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    for number, line in enumerate(lsp_lines(text)):
        assert lines.line(number) == line
        end = lines.starts[number] + len(line)
        assert lines.position(end, encoding) == (number, len(line.encode(codec, "surrogatepass")) // size)
    assert len(lines.starts) == len(lsp_lines(text))


@given(texts, st.sampled_from(ENCODINGS))
def test_positions_are_the_same_one_by_one_together_and_onward(text: str, encoding: Encoding) -> None:
    lines = LineIndex(text)
    offsets = range(len(text) + 1)
    single = [lines.position(offset, encoding) for offset in offsets]
    together = LineIndex(text).positions({str(offset): offset for offset in reversed(offsets)}, encoding)
    assert [together[str(offset)] for offset in offsets] == single
    for base in offsets:
        assert [lines.onward(base, single[base], offset, encoding) for offset in offsets[base:]] == single[base:]


@given(texts, st.sampled_from(ENCODINGS), st.integers(-2, 12), st.integers(-2, 40))
def test_any_position_is_clamped_to_an_offset_of_its_line(text: str, encoding: Encoding, line: int, character: int) -> None:
    lines = LineIndex(text)
    offset = lines.offset(Position(line, character), encoding)
    assert 0 <= offset <= len(text)
    if 0 <= line < len(lines.starts):
        assert lines.starts[line] <= offset <= lines.starts[line] + len(lines.line(line))


def test_a_position_inside_a_character_is_its_start() -> None:
    lines = LineIndex("a🦊b")
    assert lines.offset(Position(0, 2), "utf-16") == 1
    assert lines.offset(Position(0, 3), "utf-16") == 2
    assert [lines.offset(Position(0, unit), "utf-8") for unit in (2, 3, 4, 5)] == [1, 1, 1, 2]


def test_form_feeds_and_line_separators_end_no_line() -> None:
    assert LineIndex("a\fb\u2028c\x85d\nz").position(8) == (1, 0)


def test_an_offset_outside_the_text_is_clamped() -> None:
    lines = LineIndex("ab\ncd")
    assert lines.position(-3) == (0, 0)
    assert lines.position(99) == (1, 2)


@pytest.mark.parametrize(
    ("old", "new", "place", "expected"),
    [
        ("one two three", "one two two three", "three", "three"),
        ("one two three", "one twofold three", "one", "one"),
        ("one two three", "zero one two three", "two", "two"),
        ("one (two) three", "one (two four) three", "(two)", "(two four)"),
        ("one two three", "one three", "two", None),
        ("one two three", "one txx three", "two three", "txx three"),
        ("one two three", "one txxhree", "two", None),
    ],
)
def test_a_place_is_carried_across_an_edit(old: str, new: str, place: str, expected: str | None) -> None:
    start = old.index(place)
    moved = reanchor(old, new, start, start + len(place))
    assert (None if moved is None else new[slice(*moved)]) == expected


@given(
    st.text("ab\n", max_size=12), st.text("ab\n", max_size=5), st.text("ab\n", max_size=12), st.text("ab\n", max_size=5), st.data()
)
def test_a_place_away_from_the_edit_keeps_its_text(head: str, cut: str, tail: str, added: str, data: st.DataObject) -> None:
    old, new = head + cut + tail, head + added + tail
    side = data.draw(st.booleans())
    start = data.draw(st.integers(0, len(head)) if side else st.integers(len(head + cut), len(old)))
    end = data.draw(st.integers(start, len(head) if side else len(old)))
    moved = reanchor(old, new, start, end)
    assert moved is not None
    assert new[slice(*moved)] == old[start:end]


def test_a_place_outside_the_old_text_is_nowhere() -> None:
    assert reanchor("abc", "abcd", 2, 9) is None
    assert reanchor("abc", "abcd", 2, 1) is None
