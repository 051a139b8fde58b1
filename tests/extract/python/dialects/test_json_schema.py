"""What FastMCP does to schemas: pruned, inlined, and never changed in place."""

from __future__ import annotations

import copy
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.extract.python.dialects import json_schema
from echolot_lsp.extract.python.dialects.json_schema import CannotInline
from echolot_lsp.extract.python.dialects.unread import UNKNOWN_KEY
from echolot_lsp.model import Unknown

names = st.sampled_from(["A", "B", "title", "default", "type"])


def nodes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "string"]),
            "title": st.just("T"),
            "description": st.just("d"),
            "properties": st.dictionaries(names, inner, max_size=3),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "default": st.just({"title": "data", "type": "x"}),
            "additionalProperties": st.just(False),
        },
    )


references = st.fixed_dictionaries(
    {"$ref": st.sampled_from(["#/$defs/A", "#/$defs/B"])}, optional={"description": st.just("d"), "default": st.just(1)}
)
leaves = st.just({}) | references


schemas = st.builds(
    lambda root, defs: {**root, "$defs": defs},
    st.recursive(leaves, nodes, max_leaves=5),
    st.fixed_dictionaries({"A": st.recursive(leaves, nodes, max_leaves=3), "B": st.just({"type": "integer", "title": "B"})}),
)


@given(schemas)
def test_nothing_is_changed_in_place(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    json_schema.prune(schema)
    json_schema.prune_all(schema)
    json_schema.without_discriminators(schema)
    json_schema.resolve_root(schema)
    assert schema == before


@given(schemas)
def test_only_definitions_that_something_refers_to_are_kept(schema: dict[str, Any]) -> None:
    pruned = json_schema.prune(schema)
    assert set(pruned.get("$defs", {})) <= set(json_schema.references(pruned))
    assert set(json_schema.references({**pruned, "$defs": {}})) <= set(pruned.get("$defs", {}))


@given(schemas)
def test_what_is_inlined_has_no_references_left(schema: dict[str, Any]) -> None:
    try:
        inlined = json_schema.inline(schema)
    except CannotInline:
        return
    assert "$defs" not in inlined
    assert json_schema.references(inlined) == []


def test_data_keeps_its_titles() -> None:
    schema = {
        "type": "object",
        "title": "T",
        "properties": {"title": {"type": "string", "title": "Title", "default": {"title": "x", "type": "y"}}},
    }
    assert json_schema.prune(schema) == {
        "type": "object",
        "properties": {"title": {"type": "string", "default": {"title": "x", "type": "y"}}},
    }


def test_what_stands_beside_a_reference_wins() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A", "description": "mine"}},
        "$defs": {"A": {"type": "string", "description": "its"}},
    }
    assert json_schema.inline(schema) == {"properties": {"a": {"type": "string", "description": "mine"}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/A", "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}},
        {"properties": {"a": {"$ref": "#/$defs/Nowhere"}}},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
    ],
)
def test_circles_and_missing_targets_are_not_inlined(schema: dict[str, Any]) -> None:
    with pytest.raises(CannotInline):
        json_schema.inline(schema)


def test_a_schema_that_would_grow_without_bounds_is_not_inlined() -> None:
    definitions = {f"D{i}": {"anyOf": [{"$ref": f"#/$defs/D{i + 1}"}] * 4} for i in range(30)}
    with pytest.raises(CannotInline):
        json_schema.inline({"$ref": "#/$defs/D0", "$defs": {**definitions, "D30": {}}})


def test_the_json_that_is_sent() -> None:
    class Colour(Enum):
        RED = "red"

    value = {"a": float("nan"), "b": (1, Colour.RED), 3: {UNKNOWN_KEY: "why", "title": "T"}, "c": Unknown("other")}
    assert json_schema.jsonable(value) == {"a": None, "b": [1, "red"], "3": Unknown("why"), "c": Unknown("other")}
