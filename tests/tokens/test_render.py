"""The text that each provider is taken to make of a tool, spelt out."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.providers import wire_form
from echolot_lsp.tokens import render
from tests import schemas

WEIGH: dict[str, Any] = {
    "name": "weigh",
    "description": "Weighs a crate.",
    "inputSchema": {
        "type": "object",
        "title": "WeighArguments",
        "properties": {
            "crate": {"$ref": "#/$defs/Crate"},
            "unit": {"enum": ["kg", "lb"], "default": "kg", "description": "Unit of the answer", "title": "Unit"},
            "spots": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
        },
        "required": ["crate"],
        "additionalProperties": False,
        "$defs": {"Crate": {"type": "object", "properties": {"id": {"type": "string"}}}},
    },
}


def test_claude_reads_json_between_function_tags() -> None:
    form = {"name": "ping", "description": "Größe", "input_schema": {"type": "object"}}
    assert (
        render.claude(form) == '<function>{"description": "Größe", "name": "ping", "parameters": {"type": "object"}}</function>\n'
    )
    assert render.claude({**form, "description": ""}) == '<function>{"name": "ping", "parameters": {"type": "object"}}</function>\n'


def test_openai_reads_typescript() -> None:
    form = wire_form("openai", [WEIGH]).value[0]
    assert render.typescript(form, titles=False) == (
        "// Weighs a crate.\n"
        "type weigh = (_: {\n"
        "crate: {\nid?: string,\n},\n"
        "// Unit of the answer\n"
        'unit?: "kg" | "lb", // default: kg\n'
        "spots?: (number | null)[],\n"
        "}) => any"
    )


def test_a_reference_brings_the_texts_of_its_target_along() -> None:
    crate = {"type": "string", "description": "Number on the lid", "title": "Crate"}
    schema = {
        "type": "object",
        "properties": {"id": {"$ref": "#/$defs/Crate"}, "to": {"$ref": "#/$defs/Crate", "description": "Goal"}},
        "$defs": {"Crate": crate},
    }
    form = wire_form("openai", [{"name": "move", "inputSchema": schema}]).value[0]
    assert (
        render.typescript(form, titles=False)
        == "type move = (_: {\n// Number on the lid\nid?: string,\n// Goal\nto?: string,\n}) => any"
    )
    assert render.typescript(form, titles=True).count("// Crate\n") == 2


def test_gpt_4o_reads_titles_as_well() -> None:
    form = wire_form("openai", [WEIGH]).value[0]
    text = render.typescript(form, titles=True)
    assert "(_: {\n// WeighArguments\ncrate" in text
    assert "// Unit\n// Unit of the answer\nunit?" in text


def test_openai_reads_a_tool_without_parameters_as_a_bare_function() -> None:
    form = wire_form("openai", [{"name": "ping", "inputSchema": {"type": "object"}}]).value[0]
    assert render.typescript(form, titles=False) == "type ping = () => any"


def test_gemini_3_reads_a_declaration_with_sorted_keywords() -> None:
    form = wire_form("gemini", [WEIGH]).value[0]["functionDeclarations"][0]
    assert render.gemma(form).replace(render.QUOTE, "|") == (
        "declaration:weigh{description:|Weighs a crate.|,parameters:{"
        "properties:{"
        "crate:{properties:{id:{type:|STRING|}},type:|OBJECT|},"
        "unit:{default:|kg|,description:|Unit of the answer|,enum:[|kg|,|lb|],format:|enum|,title:|Unit|,type:|STRING|},"
        "spots:{items:{nullable:true,type:|INTEGER|},type:|ARRAY|}},"
        "required:[|crate|],title:|WeighArguments|,type:|OBJECT|}}"
    )


def test_gemini_3_writes_no_format_beside_an_enum_without_titles() -> None:
    schema = {"type": "object", "properties": {"unit": {"enum": ["kg"]}}}
    form = wire_form("gemini", [{"name": "x", "inputSchema": schema}]).value[0]["functionDeclarations"][0]
    assert "format" not in render.gemma(form)


@settings(max_examples=60)
@given(schemas.tools(schemas.schemas() | schemas.broken_schemas()), st.booleans())
def test_any_tool_can_be_rendered(tool: dict[str, Any], titles: bool) -> None:
    assert render.typescript(wire_form("openai", [tool]).value[0], titles)
    assert render.claude(wire_form("anthropic", [tool]).value[0])
    declaration = wire_form("gemini", [tool]).value[0]["functionDeclarations"][0]
    assert render.gemma(declaration)
    assert list(render.texts(declaration))
