"""Docstrings: cleaned as Python cleans them, cut as FastMCP cuts them, every character traced to the source."""

from __future__ import annotations

import inspect
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.extract.python.dialects.docstrings import cleaned, compiled, locate, parameter_texts, sections

pieces = st.lists(st.sampled_from(["a", "b:", " ", "    ", "\n", "\n    ", "\n\t", "\t", "é", "日本", "\n\n", "\r"]), max_size=14)
docs = pieces.map("".join)

GOOGLE = """Find parcels.

    Longer text.

    Args:
        number: The parcel's number,
            as printed.
        limit (int): How many.

    Returns:
        The parcels.
    """
NUMPY = """Find parcels.

    Parameters
    ----------
    number : str
        The parcel's number.
    limit
        How many.
    """
SPHINX = """Find parcels.

    :param number: The parcel's number.
    :param int limit: How many.
    :return: The parcels.
    """


@given(docs)
def test_cleaning_is_that_of_inspect(doc: str) -> None:
    if "\r" not in doc or sys.version_info < (3, 13):
        assert cleaned(doc).text == inspect.cleandoc(doc)


@given(docs)
def test_what_the_compiler_keeps_is_cleaned_to_the_same(doc: str) -> None:
    if "\r" not in doc:
        assert cleaned(compiled(doc).text).text == cleaned(doc).text


@given(docs)
def test_every_character_is_traced_to_the_raw_docstring(doc: str) -> None:
    for clean in (cleaned(doc), compiled(doc)):
        assert len(clean.text) == len(clean.offsets)
        assert list(clean.offsets) == sorted(clean.offsets)
        for character, offset in zip(clean.text, clean.offsets, strict=True):
            assert doc[offset] == character or (doc[offset] == "\t" and character == " ")


def test_from_python_3_13_outer_lines_stay_and_tabs_are_expanded() -> None:
    assert compiled("\n    One.\n\tTwo.\n    ").text == "\nOne.\n    Two.\n"
    assert cleaned("\n    One.\n\tTwo.\n    ").text == "One.\n    Two."


@pytest.mark.parametrize("doc", [GOOGLE, NUMPY, SPHINX])
def test_the_texts_of_parameters_are_found_and_placed(doc: str) -> None:
    clean = cleaned(doc)
    found = sections(clean.text, any_section=False)
    assert found.description is not None
    assert found.description.startswith("Find parcels.")
    assert "umber" in found.parameters["number"]
    for name, text in found.parameters.items():
        place = locate(clean, name, text)
        assert place is not None
        shown = doc[place[0] : place[1]]
        assert [line.strip() for line in shown.split("\n")] == [line.strip() for line in text.split("\n")]


def test_fastmcp_4_cuts_at_any_section_and_3_only_at_parameters() -> None:
    doc = "Find parcels.\n\nReturns:\n    The parcels."
    assert sections(doc, any_section=False).description == doc
    assert sections(doc, any_section=True).description == "Find parcels."


def test_a_heading_of_prose_is_no_section() -> None:
    doc = "Find parcels.\n\nRules:\n    Be quick."
    assert sections(doc, any_section=True).description == doc


def test_a_docstring_without_such_a_section_is_not_parsed_for_parameters() -> None:
    assert parameter_texts("Find parcels in args.\nReturns: nothing") == {}
    assert parameter_texts(cleaned(SPHINX).text) == {"number": "The parcel's number.", "limit": "How many."}


def test_a_text_is_placed_at_its_own_parameter() -> None:
    doc = "a: not here\n\nArgs:\n    a: The text.\n    b: The text.\n"
    clean = cleaned(doc)
    second = locate(clean, "b", "The text.")
    assert second is not None
    assert second[0] > doc.index("    b")
