"""Settings and ignore comments after ``check``: what they hide, and what they say of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from echolot_lsp.config.apply import apply, apply_all
from echolot_lsp.config.layers import merge, read_layer
from echolot_lsp.config.own_rules import rule_ids
from echolot_lsp.config.settings import Settings
from echolot_lsp.model import Default, Finding, Report, Server, Severity, Source, Span, Tool
from tests.marks import Mark, assert_marks, read

NOTHING = Settings()


def settings(**said: Any) -> Settings:
    """Settings as a file would say them, with underscores for hyphens."""
    layer, faults = read_layer(
        {key.replace("_", "-"): value for key, value in said.items()}, origin="test", rules=rule_ids(), folder="/ws"
    )
    assert faults == ()
    return merge(layer)


def report_on(text: str, findings: Sequence[tuple[str, str]], file: str = "/ws/app.py", name: str = "app") -> Report:
    """A report on a Python source with one tool (all of the text from the first ``@``): a finding (rule, text that it underlines)
    for each pair."""
    source = Source(file, text)
    home = Span(file, "", text.index("@"), len(text.rstrip("\n")))
    tool = Tool({"name": "find"}, home=home)
    server = Server(name, "python", file, (tool,), {file: source})
    return Report(server, tuple(finding(rule, file, text, words) for rule, words in findings))


def finding(rule: str, file: str, text: str, words: str) -> Finding:
    """A problem that underlines ``words``."""
    start = text.index(words)
    return Finding(rule, Severity.PROBLEM, 0, "find", (), "Wrong.", "Mend it.", Span(file, "", start, start + len(words)))


def marks(report: Report) -> list[Mark]:
    """The findings of a report as marks."""
    source = next(iter(report.server.sources.values()))
    return [Mark(*source.resolve(each.span), each.rule) for each in report.findings if each.span is not None]


BOTH = [("no-description", "find"), ("param-no-type", "limit")]


@pytest.mark.parametrize(
    "marked",
    [
        """\
@mcp.tool  # echolot: ignore[no-description]
def find(
    limit,
#   ^^^^^ param-no-type
): ...
""",
        """\
@mcp.tool(
    name="find",  # echolot: ignore[param-no-type]
)
def search(
    limit,
): ...
""",
        """\
@mcp.tool
def find(  # echolot: ignore[param-no-type, no-description]
    limit,
): ...
""",
        """\
@mcp.tool
def find(
#   ^^^^ no-description
    limit,  # echolot: ignore[param-no-type]
): ...
""",
        """\
@mcp.tool  # echolot: ignore
async def find(
    limit,
): ...
""",
        """\
# echolot: ignore-file[param-no-type]
@mcp.tool
def find(
#   ^^^^ no-description
    limit,
): ...
""",
        """\
@mcp.tool
def find(limit): ...  # echolot: ignore[no-description, param-no-type]
# echolot: ignore[no-description]
#                 ^^^^^^^^^^^^^^ unused-ignore
""",
        """\
@mcp.tool  # echolot: ignore[no-descripton]
#                            ^^^^^^^^^^^^^ unknown-rule
def find(
#   ^^^^ no-description
    limit,
#   ^^^^^ param-no-type
): ...
""",
        """\
@mcp.tool
def find(
#   ^^^^ no-description
    limit,  # echolot: ignroe[param-no-type]
#   ^^^^^ param-no-type
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-rule
): ...
""",
    ],
)
def test_ignore_comments(marked: str) -> None:
    text, _ = read(marked)
    assert_marks(marked, marks(apply(report_on(text, BOTH if "def find" in text else BOTH[1:]), NOTHING)))


def test_an_unknown_rule_is_a_warning_with_the_near_miss() -> None:
    report = apply(report_on("@mcp.tool  # echolot: ignore[no-descripton]\ndef find(limit): ...\n", []), NOTHING)
    (told,) = report.findings
    assert (told.rule, told.severity) == ("unknown-rule", Severity.WARNING)
    assert "`no-description`" in told.advice


def test_an_unused_ignore_is_a_note_unless_its_rule_did_not_run() -> None:
    report = report_on("@mcp.tool  # echolot: ignore[no-description, schema-large]\ndef find(limit): ...\n", [])
    (told,) = apply(report, NOTHING).findings
    assert (told.rule, told.severity, told.message) == ("unused-ignore", Severity.NOTE, "`no-description` finds nothing here.")
    assert apply(report, settings(ignore=["no-description"])).findings == ()


def test_a_comment_that_one_of_two_servers_needs_is_used() -> None:
    text = "# echolot: ignore-file[no-description]\n@mcp.tool\ndef find(limit): ...\n"
    reports = [report_on(text, []), report_on(text, BOTH[:1], name="other")]
    assert [each.findings for each in apply_all(reports, lambda server: NOTHING)] == [(), ()]


def test_comments_in_json_sources_are_not_read() -> None:
    report = report_on("@mcp.tool  # echolot: ignore\ndef find(limit): ...\n", BOTH)
    server = Server("app", "json", "/ws/app.json", report.server.tools, report.server.sources)
    assert len(apply(Report(server, report.findings), NOTHING).findings) == 2


FOUND = report_on("@mcp.tool\ndef find(limit): ...\n", BOTH)


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ({}, ["no-description", "param-no-type"]),
        ({"select": ["param-*"]}, ["param-no-type"]),
        ({"select": ["param-*"], "ignore": ["param-no-type"]}, []),
        ({"ignore": ["*"]}, []),
        ({"default": {"no-description": "off"}}, ["param-no-type"]),
        ({"ignored": [{"server": "ap*"}]}, []),
        ({"ignored": [{"server": "other"}]}, ["no-description", "param-no-type"]),
        ({"ignored": [{"tool": "fi*", "rules": ["no-*"]}]}, ["param-no-type"]),
        ({"ignored": [{"path": "src/**"}]}, ["no-description", "param-no-type"]),
        ({"ignored": [{"path": "app.py"}]}, []),
        ({"overrides": [{"paths": ["*.py"], "ignore": ["no-description"]}]}, ["param-no-type"]),
        ({"overrides": [{"paths": ["other/"], "ignore": ["no-description"]}]}, ["no-description", "param-no-type"]),
        ({"ignore": ["*"], "overrides": [{"paths": ["app.py"], "select": ["no-description"]}]}, ["no-description"]),
        ({"overrides": [{"paths": ["*"], "ignore": ["*"]}, {"paths": ["app.py"], "select": ["param-*"]}]}, ["param-no-type"]),
    ],
)
def test_which_findings_settings_leave(said: dict[str, Any], rules: list[str]) -> None:
    assert [each.rule for each in apply(FOUND, settings(**said)).findings] == rules


def test_severity_and_default_are_those_of_the_last_override_that_matches() -> None:
    said = settings(
        severity={"no-description": "note"},
        default={"param-no-type": "report"},
        overrides=[{"paths": ["*.py"], "severity": {"no-description": "warning"}}, {"paths": ["*.js"], "ignore": ["*"]}],
    )
    told = {each.rule: (each.severity, each.default) for each in apply(FOUND, said).findings}
    assert told == {
        "param-no-type": (Severity.PROBLEM, Default.REPORT),
        "no-description": (Severity.WARNING, Default.ON),
    }


def test_findings_stay_worst_first() -> None:
    said = settings(severity={"no-description": "note"})
    assert [each.rule for each in apply(FOUND, said).findings] == ["param-no-type", "no-description"]
