"""One cause, one finding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from echolot_lsp.model import Fact, Finding, Tool
from echolot_lsp.schema import pointer
from tests.rules.lists import report_of, server_of

CTX = ("inputSchema", "properties", "ctx")


def found(*tools: Tool, **members: Any) -> dict[str, list[str]]:
    """Pointers of the findings by rule."""
    result: dict[str, list[str]] = {}
    for finding in findings(*tools, **members):
        result.setdefault(finding.rule, []).append(pointer(finding.path))
    return result


def findings(*tools: Tool, **members: Any) -> tuple[Finding, ...]:
    """What is found in a Python server."""
    return report_of(replace(server_of(()), tools=tools, origin="python", **members)).findings


@pytest.mark.parametrize("rule", ["context-leak", "self-leak", "varargs", "py-param-reserved"])
def test_a_parameter_that_should_not_be_there_has_one_finding(rule: str) -> None:
    schema = {
        "type": "object",
        "properties": {"ctx": {"default": None, "type": "string"}, "berth": {"type": "string"}},
        "required": ["berth", "ctx"],
    }
    tool = Tool(
        {"name": "moor", "description": "Moors a ship at once.", "inputSchema": schema},
        facts=(Fact(rule, CTX, {"parameter": "ctx"}),),
    )
    assert found(tool) == {rule: [pointer(CTX)], "param-no-description": ["/inputSchema/properties/berth"]}


def test_a_reserved_parameter_that_the_wire_lacks_is_not_also_required_undefined() -> None:
    schema = {"type": "object", "properties": {}, "required": ["model_config", "other"]}
    fact = Fact("py-param-reserved", ("inputSchema",), {"parameter": "model_config"})
    result = found(Tool({"name": "train", "description": "Trains a model at sea.", "inputSchema": schema}, facts=(fact,)))
    assert result == {"py-param-reserved": ["/inputSchema"], "required-undefined": ["/inputSchema/required/1"]}


def test_of_a_tool_whose_signature_is_lost_nothing_else_is_said() -> None:
    schema = {"type": "object", "properties": {"args": {"type": "string"}}, "required": ["args"]}
    tool = Tool({"name": "inner", "description": "", "inputSchema": schema}, facts=(Fact("wrapped-signature-lost", ("name",)),))
    assert found(tool) == {"wrapped-signature-lost": ["/name"]}


def test_two_functions_of_one_name_are_one_finding() -> None:
    wire = {"name": "find", "description": "Finds berths by name.", "inputSchema": {"type": "object", "properties": {}}}
    twice = Fact("py-duplicate-name", ("name",), {"kept": "first"})
    result = found(Tool(wire, facts=(twice,)), Tool({**wire, "description": "Finds ships by their length."}, facts=(twice,)))
    assert result == {"py-duplicate-name": ["/name", "/name"]}


def test_a_fact_brings_its_own_place() -> None:
    from echolot_lsp.model import Span

    span = Span("app.py", "", 3, 7)
    fact = Fact("py-unannotated", CTX, {"parameter": "ctx"}, span)
    assert [f.span for f in findings(Tool({"name": "a"}, facts=(fact,))) if f.rule == "py-unannotated"] == [span]


def test_an_underscore_is_a_problem_under_the_sdk_and_a_warning_under_fastmcp() -> None:
    tool = Tool({"name": "a"}, facts=(Fact("py-param-underscore", ("inputSchema", "properties", "_a"), {"parameter": "_a"}),))
    for framework, severity in (("mcp", "problem"), ("fastmcp", "warning")):
        assert [f.severity.value for f in findings(tool, framework=framework) if f.rule == "py-param-underscore"] == [severity]


def test_each_part_that_is_not_known_is_said_once_to_be_built_at_run_time() -> None:
    from echolot_lsp.model import Unresolved

    parts = (Unresolved(None, (), "a loop"), Unresolved(0, ("description",), "a call"))
    tool = Tool({"name": "a"}, facts=(Fact("py-dynamic", ("description",), {"why": "a call"}),))
    assert found(tool, unresolved=parts)["py-dynamic"] == ["", "/description"]


def test_a_tool_that_is_never_made_is_not_also_built_at_run_time() -> None:
    from echolot_lsp.model import Unknown, Unresolved

    schema = Unknown("the framework fails on this declaration")
    fact = Fact("py-list-fails", ("inputSchema",), {"exception": "NameError", "scope": "server"})
    tool = Tool({"name": "a", "description": "Answers at any time of day.", "inputSchema": schema}, facts=(fact,))
    assert found(tool, unresolved=(Unresolved(0, ("inputSchema",), schema.why),)) == {"py-list-fails": ["/inputSchema"]}
