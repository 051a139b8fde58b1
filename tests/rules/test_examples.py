"""Every example of every rule says what the rule must find, and that is what it finds."""

from __future__ import annotations

import pytest

from echolot_lsp.rules import Example, Rule, all_rules
from echolot_lsp.schema import pointer
from tests.rules.lists import places, report_of, server_of_example

EXAMPLES = [
    (rule, example, f"{rule.id}-{kind}-{position}")
    for rule in all_rules().values()
    for kind in ("bad", "good")
    for position, example in enumerate(getattr(rule, kind))
]


@pytest.mark.parametrize(
    ("rule", "example"), [(rule, example) for rule, example, _ in EXAMPLES], ids=[name for *_, name in EXAMPLES]
)
def test_an_example_has_exactly_the_findings_that_it_names(rule: Rule, example: Example) -> None:
    findings = report_of(server_of_example(rule, example), [rule]).findings
    assert places(findings) == list(example.expect)
    for finding in findings:
        assert finding.message.endswith((".", "…")), finding.message
        assert "\n" not in finding.message
        assert finding.advice.endswith(".")


@pytest.mark.parametrize("rule", all_rules().values(), ids=all_rules())
def test_a_rule_has_a_page_and_examples_on_both_sides(rule: Rule) -> None:
    check_complete(rule)


def check_complete(rule: Rule) -> None:
    """What every rule must bring."""
    assert len(rule.page) > 200
    assert "**Why it matters.**" in rule.page
    assert "**Instead.**" in rule.page
    assert "**Who refuses.**" in rule.page or "**Where it comes from.**" in rule.page
    assert rule.bad
    assert rule.good
    assert all(example.expect for example in rule.bad)
    assert not any(example.expect for example in rule.good)
    assert rule.tool or rule.list
    assert rule.title
    assert rule.advice.endswith(".")


@pytest.mark.parametrize("lack", ["page", "bad", "good"])
def test_a_rule_without_a_page_or_an_example_would_fail(lack: str) -> None:
    from dataclasses import replace

    rule = replace(all_rules()["no-description"], **{lack: "" if lack == "page" else ()})
    with pytest.raises(AssertionError):
        check_complete(rule)


def test_a_grouped_finding_names_every_place() -> None:
    rule = all_rules()["param-no-description"]
    (finding,) = report_of(server_of_example(rule, rule.bad[1]), [rule]).findings
    assert [pointer(place.path) for place in finding.related] == ["/inputSchema/properties/boat", "/inputSchema/properties/crew"]
    assert '"boat" and "crew"' in finding.message
