"""What does not fit a tool's schema, place by place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.trial.arguments import Fault, faults, unknown_tool
from echolot_lsp.trial.form import Form
from echolot_lsp.trial.reply import Call, call_from_text
from echolot_lsp.trial.run import ToolList, judge
from tests import schemas
from tests.trial.lists import FIND


def said(schema: Any, arguments: Any) -> list[tuple[tuple[str | int, ...], str]]:
    return [(fault.path, fault.text) for fault in faults(Call("x", arguments), schema)]


def of(node: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": node}}


@pytest.mark.parametrize(
    ("node", "value", "text"),
    [
        ({"type": "integer"}, "ten", '"ten" is a string; the schema wants an integer.'),
        ({"type": "integer"}, 1.5, "1.5 is a number; the schema wants an integer."),
        ({"type": "string"}, True, "true is a boolean; the schema wants a string."),
        ({"type": ["integer", "null"]}, [], "[] is an array; the schema wants an integer or null."),
        ({"type": "object"}, '{"b": 1}', "An object sent as text: the schema wants the object itself."),
        ({"type": "array"}, "[1, 2]", "An array sent as text: the schema wants the array itself."),
        ({"type": "array"}, "one, two", '"one, two" is a string; the schema wants an array.'),
        ({"enum": ["red", "green"]}, "blue", '"blue" is none of the values that the schema lists: "red", "green".'),
        ({"enum": list(range(9))}, 11, "11 is none of the values that the schema lists: 0, 1, 2, 3, 4, 5 and 3 more."),
        ({"const": "v1"}, "v2", '"v2" is not "v1".'),
        ({"type": "string", "pattern": "^L-"}, "17", '"17" does not match ^L-.'),
        ({"minimum": 1}, 0, "0 is below the minimum of 1."),
        ({"exclusiveMaximum": 5}, 5, "5 is not below 5."),
        ({"multipleOf": 2}, 3, "3 is not a multiple of 2."),
        ({"maxLength": 2}, "abc", '"abc" is longer than 2 characters.'),
        ({"type": "array", "minItems": 1}, [], "[] has fewer items than 1."),
        ({"uniqueItems": True}, [1, 1], "It holds the same item twice."),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", '"x" is a string; the schema wants an integer.'),
        ({"oneOf": [{"type": "integer"}, {"type": "boolean"}]}, "x", '"x" fits none of the 2 forms that the schema allows.'),
        ({"not": {"type": "string"}}, "x", '"x" does not fit the schema\'s not.'),
    ],
)
def test_each_kind_of_misfit_has_its_own_sentence(node: Any, value: Any, text: str) -> None:
    assert said(of(node), {"a": value}) == [(("a",), text)]


def test_a_parameter_that_the_schema_forbids_is_said_to_be_forbidden() -> None:
    assert [text for _path, text in said(of(False), {"a": "x"})] == ['The schema allows no value where "x" stands.']


def test_places_inside_arrays_and_objects_are_named() -> None:
    schema = of({"type": "array", "items": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}})
    assert said(schema, {"a": [{"b": 1}, {"b": "x"}, {}]}) == [
        (("a", 1, "b"), '"x" is a string; the schema wants an integer.'),
        (("a", 2, "b"), "b is required and missing."),
    ]


def test_what_is_missing_and_what_is_not_allowed_is_named_each() -> None:
    assert said(FIND["inputSchema"], {"colour": "red"}) == [
        (("number",), "number is required and missing."),
        (("colour",), "The schema has no colour and allows nothing else."),
    ]


def test_an_argument_that_the_schema_does_not_name_is_a_note() -> None:
    (fault,) = faults(Call("x", {"b": 1}), of({"type": "integer"}))
    assert fault.note
    assert fault.path == ("b",)
    for free in ({"type": "object"}, {**of({}), "additionalProperties": True}, {**of({}), "patternProperties": {"": {}}}):
        assert faults(Call("x", {"b": 1}), free) == ()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"a": 1}', "The arguments are an object sent as text, not an object."),
        ("a", "The arguments are a string, not an object."),
        ([1], "The arguments are an array, not an object."),
        (None, "The arguments are null, not an object."),
    ],
)
def test_arguments_that_are_no_object_are_one_fault(arguments: Any, text: str) -> None:
    assert said(of({}), arguments) == [((), text)]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}},
        {"type": "object", "properties": {"a": {"$ref": "https://example.invalid/schema.json"}}},
        {"type": "object", "properties": {"a": {"pattern": "(["}}},
        {"type": "object", "properties": {"a": {"type": "text"}}},
        {"type": "object", "properties": [1]},
        {"type": 7},
        {"$schema": "https://example.invalid/own", "properties": {"a": {"minimum": "1"}}},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
    ],
)
def test_a_schema_that_cannot_be_used_is_said_not_to_be_and_nothing_is_fetched(schema: Any) -> None:
    found = faults(Call("x", {"a": "1"}), schema)
    assert all(fault.note and fault.text.startswith("The arguments were not checked") for fault in found) or found
    assert isinstance(found, tuple)


def test_no_schema_is_no_fault() -> None:
    assert faults(Call("x", {"a": 1}), None) == ()


def test_endless_arguments_are_not_checked() -> None:
    assert said(of({"type": "string", "pattern": "^(a+)+$"}), {"a": "a" * 60_000}) == [
        ((), "The arguments are too long to be checked.")
    ]


def test_an_unknown_tool_names_the_nearest() -> None:
    names = ["find_lantern", "light_lantern"]
    assert unknown_tool("find_lanterns", names) == Fault(
        (), "There is no tool find_lanterns in this list. The nearest is find_lantern."
    )
    assert unknown_tool("FIND_LANTERN", names).text.endswith("The nearest is find_lantern.")
    assert unknown_tool("weather", names).text == "There is no tool weather in this list."
    assert unknown_tool("", []).text == "There is no tool (without a name) in this list."
    judged = judge(Call("weather", {}), ToolList("x", (FIND,)), Form([]))
    assert (judged.index, len(judged.faults)) == (None, 1)


def test_a_loss_behind_a_reference_is_found_where_it_is_written() -> None:
    asked: list[tuple[str | int, ...]] = []
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/Even"}}, "$defs": {"Even": {"multipleOf": 2}}}
    faults(Call("x", {"a": 3}), schema, lambda path: asked.append(path) or None)  # type: ignore[func-returns-value]
    assert asked == [("$defs", "Even", "multipleOf")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5) | st.floats(allow_nan=False, width=16),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values)
def test_no_schema_and_no_arguments_make_it_fail(schema: Any, arguments: Any) -> None:
    for fault in faults(Call("x", arguments), {"type": "object", "properties": schema, "anyOf": schema}):
        assert fault.text


@given(schemas.schemas() | schemas.broken_schemas(), json_values)
def test_whatever_the_schema_faults_are_sentences_about_places_in_the_arguments(schema: Any, value: Any) -> None:
    for fault in faults(Call("x", {"a": value}), schema, lambda path: "lost" if "a" in path else None):
        assert fault.text.endswith(".")


@given(st.text(max_size=40))
def test_arguments_as_text_are_read_or_said_to_be_unreadable(text: str) -> None:
    call = call_from_text("x", text)
    assert call.fault is None or call.arguments == text
