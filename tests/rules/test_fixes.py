"""A fix mends its finding; a safe one breaks nothing else."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from echolot_lsp.model import Finding, Fix, Operation, Server, Tool
from echolot_lsp.rules import Rule, all_rules
from echolot_lsp.schema import pointer
from tests.rules.lists import report_of, server_of, server_of_example


def applied(server: Server, fix: Fix) -> Server:
    """The server after the fix: removals from the end, as all paths speak of the tool before it."""
    wires: list[Any] = [copy.deepcopy(dict(tool.wire)) for tool in server.tools]
    for operation in sorted(
        fix.operations, key=lambda each: (each.kind == "remove", [-step if isinstance(step, int) else 0 for step in each.path])
    ):
        apply_one(wires[operation.index], operation)
    return replace(
        server, tools=tuple(Tool(wire, facts=tool.facts, hints=tool.hints) for wire, tool in zip(wires, server.tools, strict=True))
    )


def apply_one(wire: Any, operation: Operation) -> None:
    """Set or remove one part in place."""
    *way, last = operation.path
    for step in way:
        wire = wire[step]
    if operation.kind == "remove":
        del wire[last]
    else:
        wire[last] = copy.deepcopy(operation.value)


def fixable() -> Iterator[Any]:
    """Every bad example's findings with a fix, read as JSON and as Python."""
    for rule in all_rules().values():
        for position, example in enumerate(rule.bad):
            for origin in ("json", "python"):
                server = replace(server_of_example(rule, example), origin=origin)
                for finding in report_of(server, [rule]).findings:
                    if finding.fix is not None:
                        yield pytest.param(rule, server, finding, id=f"{rule.id}-{position}-{origin}{pointer(finding.path)}")


@pytest.mark.parametrize(("rule", "server", "finding"), list(fixable()))
def test_a_fix_mends_its_finding_and_a_safe_one_makes_no_other(rule: Rule, server: Server, finding: Finding) -> None:
    assert finding.fix is not None
    after = applied(server, finding.fix)
    key = (finding.rule, finding.index, finding.path)
    assert key not in {(each.rule, each.index, each.path) for each in report_of(after, [rule]).findings}
    if finding.fix.safe:
        before = {(each.rule, each.index, each.path) for each in report_of(server).findings}
        assert {(each.rule, each.index) for each in report_of(after).findings} <= {(rule_id, index) for rule_id, index, _ in before}


def test_the_rules_that_promise_a_fix_have_one() -> None:
    promised = {rule.id for rule in all_rules().values() if rule.fix}
    assert promised == {each.values[0].id for each in fixable()}
    assert {
        "name-not-accepted",
        "no-description",
        "schema-no-properties",
        "required-undefined",
        "param-no-type",
        "param-no-description",
        "uses-ref",
    } == promised


def test_the_text_of_an_args_section_is_sent_safely_and_a_placeholder_is_not() -> None:
    schema = {"type": "object", "properties": {"boat": {"type": "string"}, "crew": {"type": "integer"}}}
    rule = all_rules()["param-no-description"]
    for texts, safe in (({"boat": "The boat.", "crew": "How many."}, True), ({"boat": "The boat."}, False)):
        tool = Tool({"name": "hire", "inputSchema": schema}, hints={"unsent_descriptions": texts})
        (finding,) = report_of(replace(server_of(()), tools=(tool,), origin="python", framework="mcp"), [rule]).findings
        assert finding.fix is not None
        assert finding.fix.safe is safe
        assert finding.fix.operations[0].value == "The boat."
        assert "does not send the text that Annotated holds for" in finding.message


def test_references_are_written_out_with_what_is_beside_them_unless_they_are_recursive() -> None:
    schema = {
        "type": "object",
        "properties": {
            "sail": {"$ref": "#/$defs/Sail", "description": "The sail"},
            "spare": {"type": "array", "items": {"$ref": "#/$defs/Sail"}},
        },
        "$defs": {"Sail": {"type": "object", "properties": {"cloth": {"$ref": "#/$defs/Cloth"}}}, "Cloth": {"enum": ["cotton"]}},
    }
    rule = all_rules()["uses-ref"]
    (finding,) = report_of(server_of([{"name": "rig", "inputSchema": schema}]), [rule]).findings
    assert finding.fix is not None
    assert finding.fix.safe
    sail = {"type": "object", "properties": {"cloth": {"enum": ["cotton"]}}}
    after = applied(server_of([{"name": "rig", "inputSchema": schema}]), finding.fix).tools[0].wire["inputSchema"]
    assert after == {
        "type": "object",
        "properties": {"sail": {**sail, "description": "The sail"}, "spare": {"type": "array", "items": sail}},
    }
    cycle = {
        "type": "object",
        "properties": {"sail": {"$ref": "#/$defs/Sail"}},
        "$defs": {"Sail": {"type": "array", "items": {"$ref": "#/$defs/Sail"}}},
    }
    (finding,) = report_of(server_of([{"name": "rig", "inputSchema": cycle}]), [rule]).findings
    assert finding.fix is None
