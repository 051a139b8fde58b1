"""What stops a tool from the strict modes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from echolot_lsp.providers.strict import StrictProvider, list_obstacles, obstacles
from echolot_lsp.schema import pointer
from tests.schemas import any_json, broken_schemas


def tool(**schema: Any) -> dict[str, Any]:
    """A tool with a closed object schema of one required property, and what is given beside it."""
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    return {"name": "t", "inputSchema": {**closed, **schema}}


def of(**parameter: Any) -> dict[str, Any]:
    """A tool whose only parameter is this schema."""
    return tool(properties={"a": parameter})


CASES: list[tuple[dict[str, Any], str, bool, bool]] = [
    (tool(), "", False, False),
    (tool(required=[]), "/required", True, False),
    (tool(additionalProperties=True), "/additionalProperties", True, True),
    (tool(anyOf=[{"type": "object"}]), "/anyOf", True, True),
    (of(type="string", minLength=1), "/properties/a/minLength", True, True),
    (of(type="integer", minimum=1), "/properties/a/minimum", False, True),
    (of(type="string", default="x"), "/properties/a/default", True, False),
    (of(type="string", format="uri"), "/properties/a/format", True, False),
    (of(type="string", format="date"), "", False, False),
    (of(type="string", pattern="^(?=a)"), "/properties/a/pattern", True, True),
    (of(type="array"), "/properties/a", True, True),
    (of(type="array", items={"type": "string"}, minItems=2), "/properties/a/minItems", False, True),
    (of(description="x"), "/properties/a", True, True),
    (of(oneOf=[{"type": "string"}]), "/properties/a/oneOf", True, True),
    ({"name": "t"}, "", True, True),
]


@pytest.mark.parametrize(("given_tool", "where", "openai", "anthropic"), CASES)
def test_a_strict_mode_refuses_what_its_guide_says(given_tool: dict[str, Any], where: str, openai: bool, anthropic: bool) -> None:
    stops: dict[StrictProvider, bool] = {"openai": openai, "anthropic": anthropic}
    for provider, stopped in stops.items():
        found = [pointer(each.path).removeprefix("/inputSchema") for each in obstacles(provider, given_tool)]
        assert (where in found) if stopped else (found == [])


def test_references_are_judged_by_their_targets() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}, "required": ["next"], "additionalProperties": False}
    recursive = tool(properties={"a": {"$ref": "#/$defs/n"}}, **{"$defs": {"n": node}})
    assert obstacles("openai", recursive) == []
    assert {each.text for each in obstacles("anthropic", recursive)} == {"a schema that holds itself is not taken"}
    assert [each.text for each in obstacles("openai", of(**{"$ref": "#/$defs/x"}))] == ["a reference without a target here"]


def test_limits_over_the_whole_request_are_told_once() -> None:
    texts = [each.text for each in list_obstacles("anthropic", [tool(required=[])] * 25)]
    assert [text.split(",")[0] for text in texts] == ["25 strict tools", "25 optional parameters"]
    assert list_obstacles("anthropic", [tool()] * 20) == []


@given(any_json() | broken_schemas())
def test_any_schema_is_judged(schema: Any) -> None:
    for each in obstacles("openai", {"inputSchema": schema}) + obstacles("anthropic", {"inputSchema": schema}):
        assert each.path[0] == "inputSchema"
