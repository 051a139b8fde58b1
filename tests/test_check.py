"""The whole check on a list with one planted fault for each rule of part A, and what holds for every report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp import tokens
from echolot_lsp.check import check
from echolot_lsp.model import Default, Severity
from echolot_lsp.rules import Context, Hit, Rule, all_rules
from tests.rules.lists import raise_it, report_of, server_of
from tests.rules.test_table import PART_A

HERE = Path(__file__).parent
TOOLS: list[dict[str, Any]] = json.loads((HERE / "bad-tools.json").read_text(encoding="utf-8"))["tools"]
EXPECTED: dict[str, Any] = json.loads((HERE / "bad-tools.expect.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("size", "slice_name"), [(23, "first 23"), (41, "first 41"), (144, "all 144")])
def test_each_planted_fault_is_found_and_nothing_else(size: int, slice_name: str) -> None:
    tools = TOOLS[:size]
    findings = [finding for finding in report_of(server_of(tools)).findings if finding.rule in PART_A]
    found = {tool["name"]: sorted(f.rule for f in findings if f.index == index) for index, tool in enumerate(tools)}
    assert found == {tool["name"]: sorted(EXPECTED[tool["name"]]) for tool in tools}
    assert sorted(f.rule for f in findings if f.index is None) == sorted(EXPECTED["_list"][slice_name]["list"])


@pytest.mark.parametrize("slice_name", ["first 23", "first 41", "all 144"])
def test_a_finding_about_a_pair_names_the_other_tool(slice_name: str) -> None:
    expected = EXPECTED["_list"][slice_name]
    findings = report_of(server_of(TOOLS[: expected["tools"]])).findings
    for rule, (first, second) in expected["pairs"]:
        pair = {finding.tool: [place.tool for place in finding.related] for finding in findings if finding.rule == rule}
        assert pair == {first: [second], second: [first]}


def test_findings_come_worst_first() -> None:
    findings = report_of(server_of(TOOLS[:41])).findings
    ranks = [finding.severity.rank for finding in findings]
    assert ranks == sorted(ranks)
    assert {Severity.PROBLEM, Severity.WARNING, Severity.NOTE} == {finding.severity for finding in findings}


def test_a_rule_that_raises_is_skipped_and_the_others_are_heard(caplog: pytest.LogCaptureFixture) -> None:
    def fail(index: int, tool: object, context: Context) -> list[Hit]:
        raise ValueError("broken")

    rules = all_rules()
    broken = Rule(id="broken", severity=Severity.NOTE, title="", advice="", bad=(), good=(), tool=fail)
    report = check(server_of([{"name": "x"}]), rules=[broken, rules["no-description"]])
    assert [finding.rule for finding in report.findings] == ["no-description"]
    assert "rule broken failed" in caplog.text


def test_rules_that_need_costs_are_silent_while_there_are_none() -> None:
    heavy = server_of([{**tool, "description": "deep water " * 100} for tool in TOOLS])
    cost_rules = {rule.id for rule in all_rules().values() if rule.needs_costs}
    assert cost_rules == {"schema-large", "list-over-20000-tokens"}
    assert not cost_rules & {finding.rule for finding in check(heavy, on_error=raise_it).findings}
    counted = check(heavy, costs=tokens.costs([tool.wire for tool in heavy.tools]), on_error=raise_it)
    assert cost_rules <= {finding.rule for finding in counted.findings}


def test_a_finding_carries_its_rules_default_and_who_refuses() -> None:
    tools = [{"name": "tide.report", "description": "Reports."}, {"name": "9_tides", "description": "Tides."}]
    findings = {finding.rule: finding for finding in report_of(server_of(tools)).findings}
    assert findings["name-not-accepted"].refused_by == ("anthropic", "openai")
    assert findings["name-not-accepted"].default is Default.ON
