"""Gemini's ``parameters``, keyword by keyword: what is sent, what is noted, and where in the MCP tool."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from echolot_lsp.providers import gemini, wire_form
from echolot_lsp.providers.conversion import Change
from echolot_lsp.providers.gemini_flatten import MOST_NODES
from tests import schemas


def parameter(schema: Any, **root: Any) -> tuple[Any, list[Change]]:
    """``schema`` as a parameter called ``a``: what Gemini receives of it, and the changes in the schema."""
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": schema}, **root}}
    conversion = wire_form("gemini", [tool])
    return conversion.value[0]["functionDeclarations"][0]["parameters"]["properties"]["a"], list(conversion.changes)


def noted(changes: list[Change]) -> set[tuple[str, str, bool]]:
    return {(change.keyword, change.kind, change.lossy) for change in changes}


SENT_AS_IT_IS: list[tuple[Any, Any]] = [
    (
        {"type": "string", "minLength": 2, "maxLength": 9, "format": "uri"},
        {"type": "STRING", "format": "uri", "minLength": 2, "maxLength": 9},
    ),
    (
        {"type": "integer", "minimum": 1, "maximum": 9.5, "default": 3},
        {"type": "INTEGER", "minimum": 1, "maximum": 9.5, "default": 3},
    ),
    (
        {"type": "array", "items": {"type": "boolean"}, "minItems": 1},
        {"type": "ARRAY", "items": {"type": "BOOLEAN"}, "minItems": 1},
    ),
    ({"enum": ["kg", "lb"], "title": "Unit"}, {"type": "STRING", "title": "Unit", "enum": ["kg", "lb"]}),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}),
    ({"description": "anything"}, {"description": "anything"}),
    ({"type": "object", "properties": {}}, {"type": "OBJECT", "properties": {}}),
]


@pytest.mark.parametrize(("schema", "sent"), SENT_AS_IT_IS)
def test_what_schema_has_a_field_for_is_sent_without_a_note(schema: Any, sent: Any) -> None:
    assert parameter(schema) == (sent, [])


REWRITTEN: list[tuple[Any, Any, str]] = [
    (
        {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "d"},
        {"type": "STRING", "description": "d", "nullable": True},
        "anyOf",
    ),
    ({"type": ["integer", "null"], "minimum": 1}, {"type": "INTEGER", "nullable": True, "minimum": 1}, "type"),
    (
        {"type": ["string", "integer"], "minLength": 2, "minimum": 1, "description": "d"},
        {"description": "d", "anyOf": [{"type": "STRING", "minLength": 2}, {"type": "INTEGER", "minimum": 1}]},
        "type",
    ),
    ({"const": "kg"}, {"type": "STRING", "enum": ["kg"]}, "const"),
    ({"properties": {"b": {"type": "null"}}}, {"type": "OBJECT", "properties": {"b": {"type": "NULL"}}}, "properties"),
    (
        {
            "allOf": [
                {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
                {"properties": {"c": {}}, "required": ["c"]},
            ]
        },
        {"type": "OBJECT", "properties": {"b": {"type": "STRING"}, "c": {}}, "required": ["b", "c"]},
        "allOf",
    ),
]


@pytest.mark.parametrize(("schema", "sent", "keyword"), REWRITTEN)
def test_what_can_be_said_in_another_way_is_rewritten_and_nothing_is_lost(schema: Any, sent: Any, keyword: str) -> None:
    value, changes = parameter(schema)
    assert value == sent
    assert noted(changes) == {(keyword, "rewritten", False)}


LOST: list[tuple[Any, Any, str]] = [
    ({"type": "integer", "exclusiveMinimum": 0}, {"type": "INTEGER"}, "exclusiveMinimum"),
    ({"type": "object", "additionalProperties": {"type": "string"}}, {"type": "OBJECT"}, "additionalProperties"),
    ({"enum": [1, 2], "description": "Floor"}, {"description": "Floor Allowed values: 1, 2."}, "enum"),
    ({"type": "integer", "const": 3}, {"type": "INTEGER", "description": "Always 3."}, "const"),
    (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}]},
        {"type": "ARRAY", "items": {"type": "STRING"}},
        "prefixItems",
    ),
    (
        {"type": "object", "properties": {"b": {}}, "required": ["b", "c"]},
        {"type": "OBJECT", "properties": {"b": {}}, "required": ["b"]},
        "required",
    ),
    ({"type": "string", "minLength": "two"}, {"type": "STRING"}, "minLength"),
    ({"type": "string", "anyOf": [{"minLength": 2}, {"maxLength": 1}]}, {"type": "STRING"}, "anyOf"),
    (False, {}, "schema"),
    ({"$ref": "#/nowhere", "description": "d"}, {"description": "d"}, "$ref"),
    ({"$ref": "https://example.org/schema"}, {}, "$ref"),
]


@pytest.mark.parametrize(("schema", "sent", "keyword"), LOST)
def test_a_constraint_without_a_field_is_dropped_and_noted_as_a_loss(schema: Any, sent: Any, keyword: str) -> None:
    value, changes = parameter(schema)
    assert value == sent
    assert noted(changes) == {(keyword, "dropped", True)}


@pytest.mark.parametrize(
    "keyword", sorted(set(gemini.DROPPED_CONSTRAINTS) - {"const", "oneOf", "allOf", "prefixItems", "additionalProperties"})
)
def test_every_constraint_of_the_table_is_dropped_at_its_place(keyword: str) -> None:
    value, changes = parameter({"type": "object", "properties": {}, keyword: {"a": []}})
    assert value == {"type": "OBJECT", "properties": {}}
    assert [(change.path, change.kind, change.lossy) for change in changes] == [
        (("inputSchema", "properties", "a", keyword), "dropped", True)
    ]


@pytest.mark.parametrize("keyword", [*gemini.ANNOTATIONS, "x-order"])
def test_a_keyword_that_constrains_nothing_is_dropped_without_a_loss(keyword: str) -> None:
    value, changes = parameter({"type": "string", keyword: {}})
    assert value == {"type": "STRING"}
    assert noted(changes) == {(keyword, "dropped", False)}


@pytest.mark.parametrize("keyword", gemini.NOT_EVERY_CLIENT)
def test_a_field_that_some_clients_lack_is_sent_and_noted(keyword: str) -> None:
    value, changes = parameter({"type": "string", keyword: "^C-"})
    assert value == {"type": "STRING", keyword: "^C-"}
    assert noted(changes) == {(keyword, "kept", False)}


def test_what_the_api_refuses_is_sent_and_noted() -> None:
    assert noted(parameter({"type": "array"})[1]) == {("items", "refused", False)}
    value, changes = parameter({"enum": ["", "kg"]})
    assert value == {"type": "STRING", "enum": ["", "kg"]}
    assert noted(changes) == {("enum", "refused", False)}


def test_one_of_becomes_any_of_and_that_exactly_one_holds_is_lost() -> None:
    value, changes = parameter({"oneOf": [{"type": "string"}, {"type": "integer"}]})
    assert value == {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}
    assert noted(changes) == {("oneOf", "rewritten", True)}


@pytest.mark.parametrize("where", ["$defs", "definitions"])
def test_a_local_reference_is_written_out_and_its_siblings_win(where: str) -> None:
    crate = {"type": "object", "description": "A crate", "properties": {"id": {"type": "string", "not": {}}}}
    value, changes = parameter({"$ref": f"#/{where}/Crate", "description": "Which one"}, **{where: {"Crate": crate}})
    assert value == {"type": "OBJECT", "description": "Which one", "properties": {"id": {"type": "STRING"}}}
    lost = [change for change in changes if change.lossy]
    assert [change.path for change in lost] == [("inputSchema", where, "Crate", "properties", "id", "not")]


def test_a_cycle_of_references_ends_as_an_object() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node", "description": "The next"}}}
    value, changes = parameter({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node}})
    assert value == {"type": "OBJECT", "properties": {"next": {"type": "OBJECT", "description": "The next"}}}
    assert ("$ref", "dropped", True) in noted(changes)


def test_references_that_fan_out_are_cut_and_the_cut_is_noted() -> None:
    definitions: dict[str, Any] = {
        f"D{level}": {"type": "object", "properties": {f"p{at}": {"$ref": f"#/$defs/D{level + 1}"} for at in range(10)}}
        for level in range(20)
    }
    definitions["D20"] = {"type": "string"}
    value, changes = parameter({"$ref": "#/$defs/D0"}, **{"$defs": definitions})
    assert json.dumps(value).count('"type"') < 3 * MOST_NODES
    assert ("schema", "dropped", True) in noted(changes)


def test_a_large_schema_without_references_is_never_cut() -> None:
    members = {f"p{number}": {"type": "string"} for number in range(2 * MOST_NODES)}
    value, changes = parameter({"type": "object", "properties": members})
    assert len(value["properties"]) == 2 * MOST_NODES
    assert changes == []


def test_the_alternatives_of_an_object_are_offered_together() -> None:
    tool = {
        "name": "t",
        "inputSchema": {
            "type": "object",
            "properties": {"unit": {"type": "string"}},
            "required": ["unit"],
            "oneOf": [
                {"properties": {"id": {"type": "string"}, "floor": {"type": "integer"}}, "required": ["id", "floor"]},
                {"properties": {"name": {"type": "string"}, "floor": {"type": "integer"}}, "required": ["name", "floor"]},
            ],
        },
    }
    conversion = wire_form("gemini", [tool])
    sent = conversion.value[0]["functionDeclarations"][0]["parameters"]
    assert list(sent["properties"]) == ["unit", "id", "floor", "name"]
    assert sent["required"] == ["unit", "floor"]
    assert all(change.lossy for change in conversion.changes)


def test_a_property_that_is_called_like_a_keyword_is_a_property() -> None:
    schema = {
        "type": "object",
        "properties": {"$ref": {"type": "string"}, "not": {"type": "string"}, "properties": {"type": "object"}},
    }
    value, changes = parameter(schema)
    assert list(value["properties"]) == ["$ref", "not", "properties"]
    assert changes == []


@settings(max_examples=200)
@given(schemas.tools(schemas.schemas() | schemas.broken_schemas()))
def test_only_fields_of_schema_are_ever_sent(tool: dict[str, Any]) -> None:
    pending = [wire_form("gemini", [tool]).value[0]["functionDeclarations"][0]["parameters"]]
    while pending:
        schema = pending.pop()
        assert set(schema) <= set(gemini.SCHEMA_FIELDS)
        assert schema.get("type", "STRING") in {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}
        assert all(isinstance(value, str) for value in schema.get("enum", []))
        assert set(schema.get("required", [])) <= set(schema.get("properties", {}))
        pending += [
            *schema.get("properties", {}).values(),
            *schema.get("anyOf", []),
            *([schema["items"]] if "items" in schema else []),
        ]
