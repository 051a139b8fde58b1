"""Each setting, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from echolot_lsp.config.own_rules import rule_ids
from echolot_lsp.config.settings import Settings, keys
from echolot_lsp.model import Default, Severity
from tests.cli.commands import GOOD, NAMELESS, Result, run, tool_list

BLANK = {**GOOD, "name": "close_hut", "description": ""}
LISTS = {"huts.json": (GOOD, NAMELESS, BLANK), "old/huts.json": (BLANK,)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two tool lists: three findings, all of them problems."""
    for name, tools in LISTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(tool_list(*tools, name=Path(name).parent.name or "huts"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(toml: str) -> list[tuple[str, str, str]]:
    """(server's file, rule, severity) of all findings under these settings."""
    Path("echolot.toml").write_text(toml, encoding="utf-8")
    report = run("mcp", "check", "--format", "json", "huts.json", "old/huts.json")
    assert report.err == ""
    return [
        (server["path"], finding["rule"], finding["severity"])
        for server in report.json["servers"]
        for finding in server["findings"]
    ]


def server(toml: str) -> Any:
    """The first server of the report under these settings."""
    Path("echolot.toml").write_text(toml, encoding="utf-8")
    return run("mcp", "check", "--format", "json", "huts.json").json["servers"][0]


def said(words: str, toml: str) -> bool:
    """Whether --show-settings says so, and that it comes from the file."""
    Path("echolot.toml").write_text(toml, encoding="utf-8")
    lines = run("mcp", "check", "--show-settings").out.splitlines()
    return any(words in line and line.endswith("# echolot.toml:1") for line in lines)


NAME = ("huts.json", "name-not-accepted", "problem")
BLANK_HERE, BLANK_THERE = ("huts.json", "no-description", "problem"), ("old/huts.json", "no-description", "problem")


class Case(NamedTuple):
    """A setting at work: the TOML, and what holds then."""

    toml: str
    holds: Callable[[str], object]


CASES: dict[str, Case] = {
    "select": Case('select = ["name-*"]', lambda toml: found(toml) == [NAME]),
    "ignore": Case('ignore = ["no-description"]', lambda toml: found(toml) == [NAME]),
    "severity": Case(
        'severity.no-description = "note"',
        lambda toml: found(toml) == [NAME, (*BLANK_HERE[:2], "note"), (*BLANK_THERE[:2], "note")],
    ),
    "default": Case('default.name-not-accepted = "off"', lambda toml: found(toml) == [BLANK_HERE, BLANK_THERE]),
    "overrides": Case('overrides = [{ paths = ["old/**"], ignore = ["*"] }]', lambda toml: found(toml) == [NAME, BLANK_HERE]),
    "ignored": Case(
        'ignored = [{ server = "old" }, { tool = "book*", rules = ["name-*"] }]', lambda toml: found(toml) == [BLANK_HERE]
    ),
    "server-name": Case(
        f'server-name = "{"a" * 50}"',
        lambda toml: ("huts.json", "name-long-for-prefix") in [each[:2] for each in found(toml)],
    ),
    "client-prefixes": Case(
        f'client-prefixes = ["{"a" * 60}"]',
        lambda toml: ("huts.json", "name-long-for-prefix") in [each[:2] for each in found(toml)],
    ),
    "context-window": Case("context-window = 1000", lambda toml: server(toml)["context"]["window"] == 1000),
    "budget": Case("budget = 10", lambda toml: ("huts.json", "over-budget", "problem") in found(toml)),
    "framework": Case('framework = "fastmcp==3.4"', lambda toml: said('framework = "fastmcp==3.4"', toml)),
    "python": Case('python = "3.12"', lambda toml: said('python = "3.12"', toml)),
    "environment": Case('environment = ".venv"', lambda toml: said(".venv", toml)),
    "providers": Case('providers = ["openai"]', lambda toml: list(server(toml)["cost"]) == ["openai"]),
    "models": Case('models.openai = "gpt-4o"', lambda toml: server(toml)["cost"]["openai"]["model"] == "gpt-4o"),
    "trial-model": Case('trial-model = "openai/gpt-4o"', lambda toml: said("openai/gpt-4o", toml)),
    "prompts": Case('prompts = [{ text = "a bed?", expect = "find_hut" }]', lambda toml: said("a bed?", toml)),
    "live-check": Case('live-check = "saved"', lambda toml: said('live-check = "saved"', toml)),
    "servers": Case('servers.depot.command = "depot"', lambda toml: said('servers.depot = { command = "depot"', toml)),
}


def test_without_settings_everything_is_found(folder: Path) -> None:
    assert found("") == [NAME, BLANK_HERE, BLANK_THERE]


def test_every_setting_has_a_case() -> None:
    assert set(CASES) == set(keys(Settings))


@pytest.mark.parametrize("key", CASES)
def test_a_setting_does_what_it_says(folder: Path, key: str) -> None:
    assert CASES[key].holds(CASES[key].toml)


@pytest.mark.parametrize("key", CASES)
def test_a_pyproject_file_says_the_same(folder: Path, key: str) -> None:
    (folder / "pyproject.toml").write_text(f"[project]\nname = 'x'\n[tool.echolot]\n{CASES[key].toml}\n", encoding="utf-8")
    result = run("mcp", "check", "--show-settings")
    assert (result.code, result.err) == (0, "")
    assert "pyproject.toml:4" in result.out


def test_the_nearest_file_upwards_speaks(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.echolot]\nignore = ['*']\n", encoding="utf-8")
    (folder / "old" / "echolot.toml").write_text("severity.no-description = 'note'\n", encoding="utf-8")
    report = run("mcp", "check", "--format", "json", ".")
    assert report.json["summary"] == {"problems": 0, "warnings": 0, "notes": 1}


def test_a_pyproject_file_without_our_table_does_not_stop_the_search(folder: Path) -> None:
    (folder / "echolot.toml").write_text("ignore = ['*']\n", encoding="utf-8")
    (folder / "old" / "pyproject.toml").write_text("# echolot\n[tool.other]\n", encoding="utf-8")
    assert run("mcp", "check", "--format", "json", "old").json["summary"]["problems"] == 0


def test_an_option_wins_over_the_file(folder: Path) -> None:
    (folder / "echolot.toml").write_text("python = '3.12'\nframework = 'fastmcp'\n", encoding="utf-8")
    out = run("mcp", "check", "--show-settings", "--python", "3.13").out
    assert [line.split() for line in out.splitlines() if line.startswith(("python", "framework"))] == [
        ["framework", "=", '"fastmcp"', "#", "echolot.toml:2"],
        ["python", "=", '"3.13"', "#", "--python"],
    ]


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("ignroe = []", "echolot.toml:1:1: There is no setting 'ignroe' (did you mean 'ignore'?)."),
        ("budget = 1\nselect = 5", "echolot.toml:2:1: select must be a list of rules."),
        ("budget = 'a'", "echolot.toml:1:1: budget must be a whole number from 1."),
        ("budget = true", "echolot.toml:1:1: budget must be a whole number from 1."),
        (
            "ignore = ['no-descripton']",
            "echolot.toml:1:11: ignore[0] must be the id of a rule, and there is no rule 'no-descripton'",
        ),
        ("[severity]\nno-description = 'nite'", "echolot.toml:2:1: severity.no-description must be 'problem', 'warning' or 'note'"),
        ("[severity]\nno-desc = 'note'", "echolot.toml:2:1: severity.no-desc must be the id of a rule"),
        (
            "[[prompts]]\ntext = 'a'\nexpects = 'b'",
            "echolot.toml:3:1: There is no setting prompts[0].expects (did you mean 'expect'?).",
        ),
        ("budget = [", "echolot.toml:1:11: This is no TOML"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(folder: Path, toml: str, message: str) -> None:
    (folder / "echolot.toml").write_text(toml, encoding="utf-8")
    result = run("mcp", "check", "huts.json")
    assert result.code == 2
    assert result.err.startswith(message)
    assert result.err.count("\n") == 1
    assert "find_hut" in result.out


def test_a_server_of_the_settings_can_be_checked_by_name(folder: Path) -> None:
    (folder / "echolot.toml").write_text(
        "[servers.crash]\ncommand = 'python'\nargs = ['-c', 'raise SystemExit(\"no berth\")']\n[servers.half]\ntype = 'http'\n",
        encoding="utf-8",
    )
    assert "no berth" in run("mcp", "list", "--entry", "crash").err
    assert "only crash, half" in run("mcp", "list", "--entry", "crush").err
    assert "neither a command nor a url" in run("mcp", "list", "--entry", "half").err


def test_a_wrong_key_leaves_the_others_in_force(folder: Path) -> None:
    (folder / "echolot.toml").write_text("ignore = ['no-description', 'no-such-rule']\nbudgt = 5\n", encoding="utf-8")
    result = run("mcp", "check", "--format", "json", "huts.json")
    assert result.code == 2
    assert [finding["rule"] for finding in result.json["servers"][0]["findings"]] == ["name-not-accepted"]


RULES = st.lists(st.sampled_from([*sorted(rule_ids()), "*", "name-*"]), max_size=3)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "select": RULES,
        "ignore": RULES,
        "severity": st.dictionaries(st.sampled_from(sorted(rule_ids())), st.sampled_from([each.value for each in Severity])),
        "default": st.dictionaries(st.sampled_from(sorted(rule_ids())), st.sampled_from([each.value for each in Default])),
        "ignored": st.lists(st.fixed_dictionaries({}, optional={"server": st.just("*"), "tool": st.just("find*")}), max_size=2),
        "providers": st.lists(st.sampled_from(["anthropic", "openai", "gemini"]), max_size=2),
        "server-name": st.text("abc", min_size=1, max_size=5),
        "budget": st.integers(1, 100),
        "context-window": st.integers(1, 10**6),
    },
)


def inline(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {inline(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(inline, value)) + "]" if isinstance(value, list) else json.dumps(value)


@given(chosen=SETTINGS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_settings_never_change_what_list_prints(folder: Path, chosen: dict[str, Any]) -> None:
    (folder / "echolot.toml").unlink(missing_ok=True)
    before = run("mcp", "list", ".")
    (folder / "echolot.toml").write_text("\n".join(f"{key} = {inline(value)}" for key, value in chosen.items()), encoding="utf-8")
    after: Result = run("mcp", "list", ".")
    assert after == before
