"""The three providers' forms: equal to what their own SDKs send, complete in what they note, and never in the way of bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from echolot_lsp.model import PROVIDERS, ProviderName, Unknown
from echolot_lsp.providers import wire_form
from tests import schemas

GOLDENS = json.loads((Path(__file__).parent / "golden-conversions.json").read_text(encoding="utf-8"))
"""Bodies that the official SDKs sent for these tools (anthropic 2.14.0; openai 3.57.0 with openai-agents 0.24.0; 2026-11-30)."""
ANY_TOOLS = schemas.tool_lists(schemas.schemas() | schemas.broken_schemas(), most=3)


@pytest.mark.parametrize("golden", GOLDENS, ids=[golden["case"] for golden in GOLDENS])
def test_the_forms_of_anthropic_and_openai_are_those_that_the_sdks_send(golden: dict[str, Any]) -> None:
    assert wire_form("anthropic", [golden["tool"]]).value == [golden["anthropic"]]
    assert wire_form("openai", [golden["tool"]]).value == [golden["openai"]]
    assert wire_form("openai", [golden["tool"]], openai_api="chat").value == [golden["openai_chat"]]


def test_the_keys_of_a_form_come_in_the_providers_own_order() -> None:
    tool = {"inputSchema": {"type": "object", "properties": {}}, "description": "Weighs.", "name": "weigh"}
    assert list(wire_form("anthropic", [tool]).value[0]) == ["name", "description", "input_schema"]
    assert list(wire_form("openai", [tool]).value[0]) == ["type", "name", "description", "parameters", "strict"]
    assert list(wire_form("openai", [tool], openai_api="chat").value[0]) == ["type", "function"]
    assert list(wire_form("gemini", [tool]).value[0]["functionDeclarations"][0]) == ["name", "description", "parameters"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_empty_list_stays_empty(provider: ProviderName) -> None:
    assert wire_form(provider, []).value == []


def test_geminis_json_schema_form_is_the_schema_as_it_is() -> None:
    schema = {"type": "object", "properties": {"a": {"const": 3}}, "additionalProperties": False}
    conversion = wire_form("gemini", [{"name": "a", "inputSchema": schema}], gemini_form="json-schema")
    assert conversion.value == [{"functionDeclarations": [{"name": "a", "parametersJsonSchema": schema}]}]
    assert conversion.changes == ()


def test_geminis_json_schema_form_notes_the_references_that_it_refuses() -> None:
    references = {
        "good": {"$ref": "#/$defs/A", "description": "d"},
        "titled": {"$ref": "#/$defs/A", "title": "A"},
        "lost": {"$ref": "#/$defs/B"},
    }
    schema = {"type": "object", "properties": references, "$defs": {"A": {"type": "string"}}}
    changes = wire_form("gemini", [{"name": "a", "inputSchema": schema}], gemini_form="json-schema").changes
    assert [(change.path[2], change.kind, change.lossy) for change in changes] == [
        ("titled", "refused", False),
        ("lost", "refused", False),
    ]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_no_form_has_a_place_for_is_noted_as_dropped_and_no_loss(provider: ProviderName) -> None:
    tool = {"name": "a", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": True}, "_meta": {}}
    changes = wire_form(provider, [{"name": "b", "inputSchema": {"type": "object", "properties": {}}}, tool]).changes
    assert [(change.index, change.path, change.keyword, change.kind, change.lossy) for change in changes] == [
        (1, ("annotations",), "annotations", "dropped", False),
        (1, ("_meta",), "_meta", "dropped", False),
    ]


def test_openai_notes_the_properties_that_it_adds() -> None:
    (change,) = wire_form("openai", [{"name": "a", "inputSchema": {"type": "object"}}]).changes
    assert (change.path, change.keyword, change.kind) == (("inputSchema",), "properties", "rewritten")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_unknown_parts_are_left_out_and_listed(provider: ProviderName) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "default": Unknown("computed")}, "b": Unknown("no package")}}
    tools: list[dict[str, Any]] = [
        {"name": Unknown("computed"), "description": "x", "inputSchema": schema},
        {"name": "b", "inputSchema": Unknown("computed")},
        {"name": "c", "inputSchema": {"type": "object", "properties": Unknown("computed")}},
    ]
    conversion = wire_form(provider, tools)
    assert [(part.index, part.path) for part in conversion.unknown] == [
        (0, ("name",)),
        (0, ("inputSchema", "properties", "a", "default")),
        (0, ("inputSchema", "properties", "b")),
        (1, ("inputSchema",)),
        (2, ("inputSchema", "properties")),
    ]
    assert conversion.unknown[0].why == "computed"
    text = json.dumps(conversion.value)
    assert '"b"' in text
    assert "default" not in text


@settings(max_examples=150)
@given(ANY_TOOLS)
def test_any_list_is_converted_to_json_without_touching_it(tools: list[dict[str, Any]]) -> None:
    before = json.dumps(tools)
    for provider in PROVIDERS:
        conversion = wire_form(provider, tools, gemini_form="parameters" if len(tools) % 2 else "json-schema")
        json.dumps(conversion.value)
        assert all(0 <= change.index < len(tools) for change in conversion.changes)
        assert all(change.text.endswith(".") for change in conversion.changes)
    assert json.dumps(tools) == before


@pytest.mark.parametrize(
    "tool",
    [
        {},
        {"name": 7, "description": ["x"], "inputSchema": "object"},
        {"name": None, "description": None, "inputSchema": None},
        {"name": "a", "inputSchema": {"type": "object", "properties": [1], "required": True, "anyOf": {}, "enum": 5, "items": 3}},
        {"name": "a", "inputSchema": True},
        {"name": "a", "inputSchema": {"$ref": "#"}},
        {"name": "a", "inputSchema": {"allOf": [{"$ref": "#"}, {"$ref": "#/allOf/0"}]}},
        {"name": "a", "inputSchema": {"anyOf": [{"$ref": "#"}]}},
        {
            "name": "a",
            "inputSchema": {"properties": {"a": {"minimum": float("nan"), "minLength": 10**400, "default": float("inf")}}},
        },
    ],
)
def test_a_tool_of_the_wrong_shape_is_converted_all_the_same(tool: dict[str, Any]) -> None:
    for provider in PROVIDERS:
        assert wire_form(provider, [tool]).value


def test_a_schema_that_is_nested_without_end_is_cut_and_the_cut_is_named() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(5_000):
        schema = {"type": "object", "properties": {"a": schema}}
    for provider in PROVIDERS:
        conversion = wire_form(provider, [{"name": "deep", "inputSchema": schema}])
        json.dumps(conversion.value)
        (cut,) = conversion.unknown
        assert "levels deep" in cut.why
