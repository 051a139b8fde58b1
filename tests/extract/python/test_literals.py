"""Texts as fixes write them are read as the texts that they were."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.extract.python.literals import docstring, is_text, like, literal

HARD = ["", 'a"', "a\\", "岸壁\u3000🚢", "\x00\x1f\u2028", "\ud800", 'it\'s "so"\n\tb\r', '"""', "'''"]


@pytest.mark.parametrize("text", HARD)
@pytest.mark.parametrize("before", ['"x"', "'x'", '"""x"""', "'''x'''"])
def test_a_text_in_the_quotes_of_another_is_that_text(before: str, text: str) -> None:
    assert ast.literal_eval(like(before, text)) == text
    assert is_text(before)


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert ast.literal_eval(docstring(text)) == text
