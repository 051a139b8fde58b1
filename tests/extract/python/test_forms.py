"""The conformance suite: what is read from each form's source against what the running server answered.

``tests/forms/NNN-slug/<family>/`` holds a small server and ``expected.<framework>-<version>.json``, its ``tools/list`` answer (or the
error that stops it), measured under Python 3.12 with an empty environment.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Server

FORMS = Path(__file__).parents[2] / "forms"
FRAMEWORK = {"sdk1": "sdk", "sdk2": "sdk", "low1": "low", "low2": "low", "fastmcp": "fastmcp"}
FAMILIES = {
    "mcp-1.9.4": ("sdk1", "low1"),
    "mcp-1.30.0": ("sdk1", "low1"),
    "mcp-2.3.0": ("sdk2", "low2"),
    "fastmcp-2.14.7": ("fastmcp",),
    "fastmcp-3.4.11": ("fastmcp",),
    "fastmcp-4.2.3": ("fastmcp",),
}
LEAST_EXACT = {
    "mcp-1.9.4": 0.95,
    "mcp-1.30.0": 0.98,
    "mcp-2.3.0": 0.98,
    "fastmcp-2.14.7": 0.98,
    "fastmcp-3.4.11": 0.98,
    "fastmcp-4.2.3": 0.98,
}


class Answer(NamedTuple):
    """One form under one release: how what was read compares with what was answered."""

    form: str
    release: str
    verdict: str


def stops(server: Server) -> bool:
    """Whether the source is said to fail: a fact names the exception."""
    return any("exception" in fact.details for fact in (*server.facts, *(fact for tool in server.tools for fact in tool.facts)))


def canonical(value: Any) -> str:
    """JSON in one spelling; key order means nothing."""
    return json.dumps(value, sort_keys=True, default=str)


def verdict_on(source: Path, framework: str, expected: dict[str, Any]) -> str:
    """``exact``, ``unresolved`` (said to be unknown) or ``wrong``."""
    extraction = extract_python(str(source), Disk(), framework=framework, python="3.12")
    server = extraction.servers[0] if extraction.servers else None
    if "error" in expected:
        return "exact" if server is None or not server.tools or stops(server) else "unresolved" if server.unresolved else "wrong"
    if server is None:
        return "unresolved"
    if stops(server):
        return "wrong"
    if server.unresolved:
        return "unresolved"
    return "exact" if canonical([tool.wire for tool in server.tools]) == canonical(expected["tools"]) else "wrong"


def cases(release: str) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """The sources of a release, and what its server answered."""
    for path in sorted(FORMS.glob(f"*/*/expected.{release}.json")):
        if path.parent.name in FAMILIES[release]:
            yield path.parent.name, path.parent / "server.py", json.loads(path.read_text(encoding="utf-8"))


@cache
def answers(release: str) -> tuple[Answer, ...]:
    """Every form under one release."""
    version = release.partition("-")[2]
    found = []
    for family, source, expected in cases(release):
        verdict = verdict_on(source, f"{FRAMEWORK[family]}=={version}", expected)
        found.append(Answer(source.parents[1].name, release, verdict))
    return tuple(found)


@pytest.mark.parametrize("release", FAMILIES)
def test_the_forms_are_read_exactly(release: str) -> None:
    count = Counter(answer.verdict for answer in answers(release))
    missed = [answer for answer in answers(release) if answer.verdict != "exact"]
    assert count["exact"] / count.total() >= LEAST_EXACT[release], missed


@pytest.mark.parametrize("release", [release for release in FAMILIES if release != "mcp-1.9.4"])
def test_nothing_is_silently_wrong(release: str) -> None:
    assert [answer for answer in answers(release) if answer.verdict == "wrong"] == []


def test_only_what_an_older_pydantic_writes_otherwise_differs_under_the_oldest_release() -> None:
    # its answers were measured with pydantic 2.11, whose schemas of Fraction and of undocumented dataclasses differ from ours
    wrong = [answer.form for answer in answers("mcp-1.9.4") if answer.verdict == "wrong"]
    assert all(form.startswith(("077-", "098-", "120-")) for form in wrong)
