"""The conformance suite through the dialects alone: signatures as Python sees them, answers as the servers gave them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.extract.python.declaration import Profile
from tests.extract.python.dialects import oracle

VERSIONS = {
    "mcp-1.30.0": ("sdk", "1.30.0"),
    "mcp-2.3.0": ("sdk", "2.3.0"),
    "fastmcp-2.14.7": ("fastmcp", "2.14.7"),
    "fastmcp-3.4.11": ("fastmcp", "3.4.11"),
    "fastmcp-4.2.3": ("fastmcp", "4.2.3"),
}

ABOUT_THE_LIST = {
    "146-returns-tool-result": "a module that FastMCP 4 no longer has",
    "151-include-exclude-tags": "tools left out by tag",
    "153-version-timeout-task": "two versions of one name",
    "167-sdk-list-override": "a subclass answers the list itself",
    "185-low-pages": "a list in pages",
}
"""Forms whose answer is not made of single declarations, and why."""

NEWER_PYTHON = sys.version_info >= (3, 13)


def answers(version: str) -> list[tuple[Path, Path]]:
    """Each form of a version that this Python can run, with its answer (of Python 3.13 where that runs us and has its own)."""
    found = []
    for path in sorted(oracle.FORMS.glob(f"*/*/expected.{version}.json")):
        newer = path.with_name(f"expected.{version}-py3.13.json")
        if oracle.runs_here(path.parent):
            found.append((path.parent, newer if NEWER_PYTHON and newer.exists() else path))
    return found


def compare(form: Path, answer: Path, profile: Profile) -> str | None:
    """What is wrong; ``None``: exact, and ``"list"`` for what is not recorded."""
    expected = oracle.expectation(answer)
    try:
        outcomes = oracle.outcomes(form, profile)
    except oracle.NotRecorded:
        return "list"
    except (oracle.Failed, TypeError) as error:
        exception = error.failure.exception if isinstance(error, oracle.Failed) else "TypeError"
        return None if expected.get("error", {}).get("type") == exception else f"raises {exception}"
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    if failures:
        return None if expected.get("error", {}).get("type") == failures[0].exception else f"fails: {failures[0]}"
    wires: list[Any] = [outcome.wire for outcome in outcomes if outcome.wire is not None]
    if wires == expected.get("tools"):
        return None
    return f"expected {expected}, got {wires}"


@pytest.mark.parametrize("version", VERSIONS)
def test_every_form_is_answered_as_the_running_server_does(version: str) -> None:
    framework, number = VERSIONS[version]
    forms = answers(version)
    wrong, elsewhere = {}, []
    for form, answer in forms:
        name = form.parent.name
        family = "low" if form.name.startswith("low") else framework
        problem = compare(form, answer, Profile(family, number, "3.13" if NEWER_PYTHON else "3.12"))  # type: ignore[arg-type]
        if problem == "list" or (problem and name in ABOUT_THE_LIST):
            elsewhere.append(name)
        elif problem:
            wrong[name] = problem
    assert wrong == {}
    assert len(forms) - len(elsewhere) >= 0.9 * len(forms)


@pytest.mark.parametrize("version", ["mcp-1.30.0", "mcp-2.3.0"])
def test_docstrings_as_python_3_13_compiles_them(version: str) -> None:
    framework, number = VERSIONS[version]
    newer = sorted(oracle.FORMS.glob(f"*/*/expected.{version}-py3.13.json"))
    problems = {
        path.parent.parent.name: compare(path.parent, path, Profile(framework, number, "3.13"))  # type: ignore[arg-type]
        for path in newer
    }
    assert problems == dict.fromkeys(problems)
    assert len(problems) == 6
