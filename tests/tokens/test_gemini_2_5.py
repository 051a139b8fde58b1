"""Gemini 2.5's cost is a sum of parts: each part adds what it is measured to add."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from echolot_lsp import tokens
from echolot_lsp.tokens import gemini_2_5, gemma
from tests import schemas

MODEL = "gemini-2.5-flash"
CRATE: dict[str, Any] = {"type": "string"}


def cost(properties: dict[str, Any], required: list[str] | None = None) -> int:
    schema = {"type": "object", "properties": properties, "required": list(properties) if required is None else required}
    return tokens.count("gemini", [{"name": "weigh", "inputSchema": schema}], MODEL)


def test_a_tool_without_parameters_costs_its_frame_and_its_name() -> None:
    assert cost({}) == gemini_2_5.TOOL + gemma.counter()("weigh")


def test_a_property_costs_the_same_whatever_its_type_and_title() -> None:
    one = cost({"id": CRATE})
    assert one == cost({}) + gemini_2_5.PROPERTY + gemma.counter()("id")
    assert one == cost({"id": {"type": "integer", "title": "Id"}})


def test_a_property_that_may_be_left_out_costs_more() -> None:
    assert cost({"id": CRATE}, []) == cost({"id": CRATE}) + gemini_2_5.OPTIONAL


def test_enums_arrays_and_objects_add_their_own() -> None:
    assert cost({"id": {"enum": ["kg", "lb"]}}) > cost({"id": CRATE})
    assert cost({"id": {"type": "array", "items": CRATE}}) == cost({"id": CRATE}) + gemini_2_5.ARRAY
    inner = {"type": "object", "properties": {"floor": CRATE}, "required": ["floor"]}
    assert cost({"id": inner}) == cost({"id": CRATE}) + gemini_2_5.OBJECT + gemini_2_5.PROPERTY + gemma.counter()("floor")


@settings(max_examples=40)
@given(schemas.tool_lists(schemas.schemas() | schemas.broken_schemas(), most=2))
def test_any_list_has_a_cost(tools: list[dict[str, Any]]) -> None:
    for model in (MODEL, "gemini-2.0-flash"):
        assert tokens.count("gemini", tools, model) >= len(tools)
