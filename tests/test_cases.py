"""Failures that public reports describe, rebuilt small: what must be found is found, what must not be is not.

A finding matches when rule, severity and tool are the same and its pointer equals the expected one or is an ancestor of it or below it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.model import Finding
from echolot_lsp.schema import pointer
from tests.rules.lists import report_of, server_of

CASES = sorted(path.parent for path in (Path(__file__).parent / "cases").glob("*/tools.json"))


@pytest.mark.parametrize("folder", CASES, ids=[folder.name for folder in CASES])
def test_a_reported_failure_is_found_and_nothing_forbidden_is(folder: Path) -> None:
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    tools = json.loads((folder / "tools.json").read_text(encoding="utf-8"))["tools"]
    findings = report_of(server_of(tools)).findings
    for expected in case["expect"]:
        assert any(matches(finding, expected) for finding in findings), expected
    assert not {finding.rule for finding in findings} & set(case["forbid"])


def matches(finding: Finding, expected: dict[str, Any]) -> bool:
    """Whether a finding is the expected one."""
    tool = None if expected["tool"] == "*" else expected["tool"]
    if (finding.rule, finding.severity.value, finding.tool) != (expected["rule"], expected["severity"], tool):
        return False
    found, wanted = pointer(finding.path) + "/", expected["field"] + "/"
    return found.startswith(wanted) or wanted.startswith(found)


def test_there_are_cases() -> None:
    assert len(CASES) > 40
