"""Every setting through the language server: from the settings file, from the editor, and the editor where both speak."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.config.settings import Settings, keys
from tests.cli.commands import run as command
from tests.lsp.desk import LIST, Desk, json_text, run

LONG = {**LIST["tools"][0], "name": "find_parcel_by_its_number_or_by_the_name_on_it"}
TEXT = json_text({"tools": [LONG, LIST["tools"][1], {**LIST["tools"][0], "name": "call courier", "description": "Rings."}]})
LOUD = 'default.name-long-for-prefix = "on"\n'

TOML = {
    "select": 'select = ["name-*"]',
    "ignore": 'ignore = ["no-description"]',
    "severity": 'severity.no-description = "note"',
    "default": 'default.name-not-accepted = "off"',
    "overrides": 'overrides = [{ paths = ["*.json"], ignore = ["name-*"] }]',
    "ignored": 'ignored = [{ tool = "close*", rules = ["no-*"] }]',
    "server-name": f'{LOUD}server-name = "{"a" * 30}"',
    "client-prefixes": f'{LOUD}client-prefixes = ["{"a" * 60}"]',
    "context-window": "context-window = 1000",
    "budget": "budget = 10",
    "framework": 'framework = "fastmcp==2.14.7"',
    "python": 'python = "3.12"',
    "environment": 'environment = ".venv"',
    "providers": 'providers = ["openai"]',
    "models": 'models.openai = "gpt-4o"',
    "trial-model": 'trial-model = "openai/gpt-4o"',
    "prompts": 'prompts = [{ text = "Where is it?", expect = "find_parcel" }]',
    "servers": 'servers.depot.command = "depot"',
    "live-check": 'live-check = "saved"',
}
SPEAKING = ("select", "ignore", "severity", "default", "overrides", "ignored", "server-name", "client-prefixes", "budget")
"""Settings that change what is found in a list."""
SEVERITIES = {"problem": 1, "warning": 2, "note": 3}


def camel(key: str) -> str:
    """A key as editors spell it."""
    first, *rest = key.split("-")
    return first + "".join(word.capitalize() for word in rest)


def by_editor(toml: str) -> dict[str, Any]:
    """The same settings as an editor sends them."""
    return {camel(key): value for key, value in tomllib.loads(toml).items()}


def on_the_command_line(folder: Path, toml: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """(rule, LSP severity) of what the command line finds, as far as an editor shows it."""
    monkeypatch.chdir(folder)
    Path("tools.json").write_text(TEXT, encoding="utf-8")
    Path("echolot.toml").write_text(toml, encoding="utf-8")
    (server,) = command("mcp", "check", "--format", "json", "tools.json").json["servers"]
    return sorted((each["rule"], SEVERITIES[each["severity"]]) for each in server["findings"] if each["default"] == "on")


def of(items: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return sorted((item["code"], item["severity"]) for item in items)


def test_every_setting_has_a_value_here() -> None:
    assert set(TOML) == set(keys(Settings))


@pytest.mark.parametrize("key", SPEAKING)
def test_the_editor_and_the_command_line_show_the_same(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = on_the_command_line(tmp_path, TOML[key], monkeypatch)
    assert expected != on_the_command_line(tmp_path, "", monkeypatch)

    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("tools.json", TEXT)
        await desk.open("echolot.toml", TOML[key], language="toml")
        assert of(await desk.shown("tools.json")) == expected
        await desk.change("echolot.toml", "", 2)
        assert of(await desk.shown("tools.json")) != expected
        desk.session.set_settings(by_editor(TOML[key]))
        assert of(await desk.shown("tools.json")) == expected

    run(work())


@pytest.mark.parametrize("key", TOML)
def test_a_setting_is_in_force_from_the_file_and_from_the_editor_which_wins(tmp_path: Path, key: str) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        field, uri = keys(Settings)[key], desk.uri("tools.json")
        await desk.open("tools.json", TEXT)
        default = getattr(desk.session.settings_of(uri), field)
        await desk.open("echolot.toml", TOML[key], language="toml")
        assert desk.told("echolot.toml") == []
        told = getattr(desk.session.settings_of(uri), field)
        assert told != default
        await desk.change("echolot.toml", "", 2)
        assert getattr(desk.session.settings_of(uri), field) == default
        desk.session.set_settings(by_editor(TOML[key]))
        await desk.session.at_rest()
        assert str(getattr(desk.session.settings_of(uri), field)).endswith(str(told).rsplit("/", 1)[-1])

    run(work())


@pytest.mark.parametrize(("toml", "field"), [("python = '3.11'", "python"), ("framework = 'fastmcp==3.4.11'", "framework")])
def test_the_editor_wins_where_both_speak(tmp_path: Path, toml: str, field: str) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("echolot.toml", toml, language="toml")
        desk.session.set_settings({field: "3.13" if field == "python" else "fastmcp==2.14.7"})
        await desk.open("server.py", "from fastmcp import FastMCP\n\nmcp = FastMCP('depot')\n\n\n@mcp.tool\ndef ping(): ...\n")
        (shown,) = desk.session.servers(desk.uri("server.py"))
        assert (shown.server.python if field == "python" else shown.server.framework_version) in ("3.13", "2.14.7")

    run(work())


@pytest.mark.parametrize("key", TOML)
def test_a_value_of_the_wrong_type_is_shown_where_it_stands(tmp_path: Path, key: str) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("tools.json", TEXT)
        text = f'# 荷物 📦\n{key} = 2026-11-30\nignore = ["no-description"]\n' if key != "ignore" else f"\n{key} = 2026-11-30\n"
        found = await desk.open("echolot.toml", text, language="toml")
        assert [item["range"]["start"]["line"] for item in found] == [1]
        assert key in found[0]["message"]
        if key != "ignore":
            assert "no-description" not in {item["code"] for item in await desk.shown("tools.json")}

    run(work())
