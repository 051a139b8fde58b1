"""Ignore comments are read from comments only, in whole and half-typed code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.config.comments import read_comments


def rules(text: str) -> list[tuple[bool, list[str] | None]]:
    """(whole file, rules) of each ignore comment."""
    return [
        (ignore.whole_file, None if ignore.rules is None else [named.rule for named in ignore.rules])
        for ignore in read_comments(text).ignores
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1  # echolot: ignore[no-description]", [(False, ["no-description"])]),
        ("#echolot:ignore[a,b , c]", [(False, ["a", "b", "c"])]),
        ("# echolot: ignore-file[a]\n", [(True, ["a"])]),
        ("# echolot: ignore", [(False, None)]),
        ("# echolot: ignore-file", [(True, None)]),
        ("# echolot: ignore[]", [(False, [])]),
        ("x  # type: ignore  # echolot: ignore[a]  # noqa", [(False, ["a"])]),
        ("# echolot: ignore[a] because the client needs it", [(False, ["a"])]),
        ("s = '# echolot: ignore[a]'", []),
        ('"""\n# echolot: ignore[a]\n"""', []),
        ('"""half\n# echolot: ignore[a]', []),
        ("s = 'half # echolot: ignore[a]\n# echolot: ignore[b]", [(False, ["b"])]),
        (r"s = '\' # echolot: ignore[a]'", []),
        ("f'{x!r} # echolot: ignore[a]'  # echolot: ignore[b]", [(False, ["b"])]),
        ("# echolot", []),
        ("# see https://example.org/echolot: ignore", []),
    ],
)
def test_comments(text: str, expected: object) -> None:
    assert rules(text) == expected


def test_a_comment_that_begins_like_one_is_told_apart() -> None:
    text = "x = 1  # echolot: ignroe[a]"
    (place,) = read_comments(text).misspelt
    assert text[slice(*place)] == "# echolot: ignroe[a]"


def test_places_hold_the_rules() -> None:
    text = "é = '⛺'  # echolot: ignore[one, two]\r\n"
    (ignore,) = read_comments(text).ignores
    assert ignore.rules is not None
    assert [text[named.start : named.end] for named in ignore.rules] == ["one", "two"]


@given(st.text(alphabet="#'\"\\\n[] ,abcdefghilnor:etg-", max_size=80))
def test_any_text_is_read(text: str) -> None:
    text += "# echolot: ignore[a]"
    for ignore in read_comments(text).ignores:
        assert text[ignore.start] == "#"
