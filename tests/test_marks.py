"""The marks that other tests rest on."""

from __future__ import annotations

import pytest

from tests.marks import Mark, assert_marks, read, write

PYTHON = """\
mcp = FastMCP()
#^^ py-dynamic
def find(limit, 数):
#   ^^^^ no-description
#        ^^^^^ param-no-type
#               ^ param-no-type
"""


def test_a_mark_may_begin_under_the_comment_sign() -> None:
    marked = " mcp = FastMCP()\n #^^ py-dynamic\n"
    assert read(marked)[1] == [Mark(1, 4, "py-dynamic")]
    assert write(*read(marked)) == marked


def test_a_mark_names_the_characters_above_it() -> None:
    text, marks = read(PYTHON)
    assert text == "mcp = FastMCP()\ndef find(limit, 数):\n"
    assert [(text[mark.start : mark.end], mark.id) for mark in marks] == [
        ("mcp", "py-dynamic"),
        ("find", "no-description"),
        ("limit", "param-no-type"),
        ("数", "param-no-type"),
    ]


def test_marks_survive_writing_and_reading() -> None:
    assert write(*read(PYTHON)) == PYTHON


def test_json_marks_are_written_with_two_slashes() -> None:
    text, marks = read('{"name": "a b"}\n//       ^^^^^ name-not-accepted\n', "//")
    assert [text[mark.start : mark.end] for mark in marks] == ['"a b"']


@pytest.mark.parametrize("found", [[], [Mark(0, 3, "py-dynamic")], [Mark(0, 2, "py-dynamic"), Mark(20, 25, "x")]])
def test_a_missing_or_additional_finding_fails(found: list[Mark]) -> None:
    with pytest.raises(AssertionError):
        assert_marks(PYTHON, found)
