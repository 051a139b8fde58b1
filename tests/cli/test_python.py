"""Python sources on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import EXAMPLE, run

SHOP = EXAMPLE.with_suffix(".py")

SERVER = '''\
"""Huts."""

from fastmcp import FastMCP

mcp = FastMCP("huts")


@mcp.tool{comment}
def find_hut(place: str):
    return place
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rules(*words: str) -> list[str]:
    """The rules of the findings, the report-only ones aside."""
    findings = run("mcp", "check", "--format", "json", *words).json["servers"][0]["findings"]
    return [finding["rule"] for finding in findings if finding["default"] == "on"]


def test_the_example_shows_findings_of_each_severity() -> None:
    result = run("mcp", "check", "--format", "json", SHOP)
    assert (result.code, result.err) == (0, "")
    assert result.json["servers"][0]["name"] == "outdoor-shop"
    assert all(result.json["summary"].values())


def test_the_example_is_the_same_shop_in_both_languages() -> None:
    python, written = (run("mcp", "list", "--names", file).out for file in (SHOP, EXAMPLE))
    assert python == written


def test_ignore_comments_hold_on_the_command_line(folder: Path) -> None:
    (folder / "app.py").write_text(SERVER.format(comment=""), encoding="utf-8")
    assert rules("app.py") == ["no-description", "param-no-description", "gemini-drops-keyword"]
    (folder / "app.py").write_text(SERVER.format(comment="  # echolot: ignore[no-description]"), encoding="utf-8")
    assert rules("app.py") == ["param-no-description", "gemini-drops-keyword"]
    (folder / "app.py").write_text(SERVER.format(comment="  # echolot: ignore[uses-ref, no-such]"), encoding="utf-8")
    assert {"unused-ignore", "unknown-rule"} <= set(rules("app.py"))


def test_a_folder_shows_all_servers_below_it(folder: Path) -> None:
    for name in ("a.py", "b/c.py", "node_modules/d.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(SERVER.format(comment=""), encoding="utf-8")
    (folder / "other.py").write_text("import os\n", encoding="utf-8")
    assert [server["path"] for server in run("mcp", "list").json["servers"]] == ["a.py", "b/c.py"]


def test_a_python_file_that_does_not_parse_exits_with_2(folder: Path) -> None:
    (folder / "app.py").write_text(SERVER.format(comment="") + "\n\ndef broken(:\n    pass\n", encoding="utf-8")
    result = run("mcp", "check", "app.py")
    assert result.code == 2
    assert result.err.startswith("app.py:13:12: This is no Python")
    assert "find_hut" in result.out


def test_options_choose_framework_and_python(folder: Path) -> None:
    (folder / "app.py").write_text(SERVER.format(comment=""), encoding="utf-8")
    (server,) = run("mcp", "list", "app.py", "--framework", "fastmcp==3.4.11").json["servers"]
    assert (server["framework"], server["framework_version"]) == ("fastmcp", "3.4.11")
    assert run("mcp", "check", "--format", "json", "app.py", "--python", "3.13").json["servers"][0]["python"] == "3.13"


def test_a_setting_chooses_the_framework_and_an_option_wins(folder: Path) -> None:
    (folder / "app.py").write_text(SERVER.format(comment=""), encoding="utf-8")
    (folder / "echolot.toml").write_text('framework = "fastmcp==2.14.7"\n', encoding="utf-8")
    assert run("mcp", "list", "app.py").json["servers"][0]["framework_version"] == "2.14.7"
    (server,) = run("mcp", "list", "app.py", "--framework", "fastmcp==4.2.3").json["servers"]
    assert server["framework_version"] == "4.2.3"


@pytest.mark.parametrize("words", [["--framework", "flask"], ["--python", "three"], ["--environment", "absent"]])
def test_options_that_are_not_understood_exit_with_2(folder: Path, words: list[str]) -> None:
    (folder / "app.py").write_text(SERVER.format(comment=""), encoding="utf-8")
    result = run("mcp", "check", "app.py", *words)
    assert result.code == 2
    assert words[1] in result.err


def test_nothing_of_the_workspace_is_run(folder: Path) -> None:
    trace = "open('trace', 'w').close()\n"
    (folder / "app.py").write_text(trace + SERVER.format(comment="") + trace, encoding="utf-8")
    (folder / "fastmcp.py").write_text(trace, encoding="utf-8")
    (folder / "sitecustomize.py").write_text(trace, encoding="utf-8")
    run("mcp", "check", "--quality", ".")
    assert not (folder / "trace").exists()
