"""The providers' forms against the providers' own types: ``pytest tests/sdk``, with the extra ``sdk`` (240 MB, so not by default).

Google's proto takes a declaration exactly where the API does; the two SDKs' parameter types check which keys there must be.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import ToolParam
from google.ai import generativelanguage_v1beta
from google.protobuf import json_format
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter, ValidationError

from echolot_lsp.providers import wire_form
from tests import schemas

GOLDENS = json.loads((Path(__file__).parent.parent / "providers" / "golden-conversions.json").read_text(encoding="utf-8"))
GOLDEN_TOOLS = [pytest.param(golden["tool"], id=golden["case"]) for golden in GOLDENS]
ANTHROPIC, RESPONSES, CHAT = TypeAdapter(ToolParam), TypeAdapter(FunctionToolParam), TypeAdapter(ChatCompletionFunctionToolParam)


def parse(tools: list[dict[str, Any]]) -> None:
    """Raises ``ParseError`` for what the Gemini API would refuse as no declaration."""
    for tool in wire_form("gemini", tools).value:
        json_format.ParseDict(tool, generativelanguage_v1beta.Tool.pb()())


@pytest.mark.parametrize("tool", GOLDEN_TOOLS)
def test_geminis_parameters_parse_into_googles_own_proto(tool: dict[str, Any]) -> None:
    parse([tool])


@settings(max_examples=300)
@given(schemas.tool_lists(schemas.schemas(), most=2))
def test_valid_schemas_parse_into_googles_own_proto(tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        Draft202012Validator.check_schema(tool["inputSchema"])
    parse(tools)


@settings(max_examples=300)
@given(schemas.tool_lists(schemas.broken_schemas(), most=2))
def test_broken_schemas_parse_into_googles_own_proto(tools: list[dict[str, Any]]) -> None:
    parse(tools)


def test_the_deepest_schema_that_is_written_still_parses() -> None:
    schema: dict[str, Any] = {"type": "string", "default": {"a": [{"b": [[[[[]]]]]}]}}
    for _ in range(90):
        schema = {"type": "array", "items": {"type": "object", "properties": {"a": schema}}}
    parse([{"name": "deep", "inputSchema": {"type": "object", "properties": {"a": schema}}}])


def test_the_proto_refuses_what_is_no_declaration() -> None:
    with pytest.raises(json_format.ParseError):
        json_format.ParseDict({"functionDeclarations": [{"parameters": {"const": 3}}]}, generativelanguage_v1beta.Tool.pb()())


@pytest.mark.parametrize("tool", GOLDEN_TOOLS)
def test_the_forms_of_anthropic_and_openai_fit_their_sdks_types(tool: dict[str, Any]) -> None:
    ANTHROPIC.validate_python(wire_form("anthropic", [tool]).value[0])
    RESPONSES.validate_python(wire_form("openai", [tool]).value[0])
    CHAT.validate_python(wire_form("openai", [tool], openai_api="chat").value[0])


@settings(max_examples=200)
@given(schemas.tools(schemas.schemas()))
def test_the_forms_of_random_tools_fit_the_sdks_types(tool: dict[str, Any]) -> None:
    ANTHROPIC.validate_python(wire_form("anthropic", [tool]).value[0])
    RESPONSES.validate_python(wire_form("openai", [tool]).value[0])
    CHAT.validate_python(wire_form("openai", [tool], openai_api="chat").value[0])


def test_the_sdks_types_refuse_what_is_no_tool() -> None:
    for adapter in (ANTHROPIC, RESPONSES, CHAT):
        with pytest.raises(ValidationError):
            adapter.validate_python({"description": "no name"})
