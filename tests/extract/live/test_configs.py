"""Configuration files of MCP clients."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from echolot_lsp.extract.live.configs import Entries, entries_of, read_entries
from echolot_lsp.files import Disk


def read(path: str, document: object, environment: dict[str, str] | None = None, answers: dict[str, str] | None = None) -> Entries:
    text = document if isinstance(document, str) else json.dumps(document, indent=2)
    found = entries_of(path, text, environment=environment or {}, workspace="/ws", answers=answers)
    assert found is not None
    return found


def test_a_command_an_address_and_their_places_are_read() -> None:
    document = {
        "mcpServers": {"日本": {"command": "uvx", "args": ["depot"], "env": {"A": "1"}}, "web": {"url": "http://127.0.0.1/mcp"}}
    }
    found = read("/ws/.mcp.json", document)
    first, second = found.entries
    assert first.target is not None
    assert second.target is not None
    assert (first.target.command, dict(first.target.environment), first.target.folder) == (("uvx", "depot"), {"A": "1"}, "/ws")
    assert (second.target.transport, second.target.url) == ("http", "http://127.0.0.1/mcp")
    for entry in found.entries:
        assert json.loads(found.source.text[entry.place.start : entry.place.end]) == entry.name


def test_claude_code_expands_the_environment_with_defaults() -> None:
    entry = {"command": "${HOME_BIN}/depot", "args": ["--port=${PORT:-8080}"]}
    found = read("/ws/.mcp.json", {"mcpServers": {"d": entry}}, {"HOME_BIN": "/b"}).entries[0]
    assert found.target is not None
    assert found.target.command == ("/b/depot", "--port=8080")


def test_vs_code_asks_for_its_inputs_and_never_guesses() -> None:
    document = {
        "inputs": [{"type": "promptString", "id": "key", "description": "The depot's key", "password": True}],
        "servers": {"d": {"command": "depot", "env": {"KEY": "${input:key}"}, "cwd": "${workspaceFolder}/x"}},
    }
    entry = read("/ws/.vscode/mcp.json", document).entries[0]
    assert entry.target is None
    assert [(missing.variable, missing.prompt, missing.secret) for missing in entry.missing] == [
        ("input:key", "The depot's key", True)
    ]
    answered = read("/ws/.vscode/mcp.json", document, answers={"input:key": "s3"}).entries[0]
    assert answered.target is not None
    assert (dict(answered.target.environment), answered.target.folder) == ({"KEY": "s3"}, "/ws/x")


def test_claude_desktop_expands_nothing() -> None:
    entry = read("/c/claude_desktop_config.json", {"mcpServers": {"d": {"command": "${X}"}}}, {"X": "y"}).entries[0]
    assert entry.target is not None
    assert entry.target.command == ("${X}",)


def test_an_unset_variable_is_missing_for_cursor_and_claude_code() -> None:
    for path, text in (("/ws/.cursor/mcp.json", "${env:TOKEN}"), ("/ws/.mcp.json", "${TOKEN}")):
        entry = read(path, {"mcpServers": {"d": {"url": "http://h/", "headers": {"Authorization": f"Bearer {text}"}}}}).entries[0]
        assert entry.target is None
        assert entry.problem is not None
        assert "TOKEN" in entry.problem


def test_comments_and_half_typed_files_keep_the_whole_entries() -> None:
    found = read(
        "/ws/.vscode/mcp.json", '{ // mine\n "servers": { "a": {"command": "x"}, "b": {"command": "y", } , "c": {"command" } } }'
    )
    assert [entry.name for entry in found.entries][:2] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"mcpServers": 3}',
        '{"servers": ["a"]}',
        '{"servers": {"web": "http://x"}}',
        '{"servers": {"web": {"port": 3}}}',
    ],
)
def test_what_is_no_client_configuration_is_left_alone(text: str) -> None:
    assert entries_of("/ws/mcp.json", text, environment={}) is None


def test_an_entry_without_command_and_url_says_so() -> None:
    entry = read("/ws/.mcp.json", {"mcpServers": {"d": {"type": "stdio"}}}).entries[0]
    assert entry.problem == "d names neither a command nor a URL."


def test_an_input_may_come_from_the_environment_and_else_says_which_variable_to_set() -> None:
    document = {
        "inputs": [
            {"type": "promptString", "id": "api-key", "description": "The key", "password": True},
            {
                "type": "pickString",
                "id": "quay",
                "description": "Which quay",
                "options": ["north", {"label": "S", "value": "south"}],
            },
            {"type": "promptString", "id": "port", "description": "Port", "default": "80"},
        ],
        "servers": {"d": {"command": "depot", "args": ["${input:quay}", "${input:port}"], "env": {"KEY": "${input:api-key}"}}},
    }
    entry = read("/ws/.vscode/mcp.json", document).entries[0]
    assert entry.target is None  # a default is offered, and not taken
    assert [(missing.default, missing.options) for missing in entry.missing] == [(None, ("north", "south")), ("80", ()), (None, ())]
    assert entry.problem == (
        "d needs a value for input:quay, input:port, input:api-key: "
        "set ECHOLOT_INPUT_QUAY, ECHOLOT_INPUT_PORT, ECHOLOT_INPUT_API_KEY in the environment."
    )
    given = {"ECHOLOT_INPUT_QUAY": "south", "ECHOLOT_INPUT_PORT": "1", "ECHOLOT_INPUT_API_KEY": "k"}
    found = read("/ws/.vscode/mcp.json", document, given).entries[0]
    assert found.target is not None
    assert (found.target.command, dict(found.target.environment)) == (("depot", "south", "1"), {"KEY": "k"})


def test_an_environment_file_is_read_and_what_the_entry_says_stands_above_it(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "# keys\r\nexport KEY='a # b'\r\nPORT=80 # plain\r\n\r\nNAME=\"日本\"\r\nno line\r\n", encoding="utf-8"
    )
    (tmp_path / ".vscode").mkdir()
    config = tmp_path / ".vscode" / "mcp.json"
    entry = {"command": "depot", "envFile": "${workspaceFolder}/.env", "env": {"PORT": "81"}}
    document = {"servers": {"d": entry, "gone": {**entry, "envFile": "none.env"}}}
    config.write_text(json.dumps(document), encoding="utf-8")
    found = read_entries(str(config), Disk(), environment={})
    assert found is not None
    first, gone = found.entries
    assert first.target is not None
    assert dict(first.target.environment) == {"KEY": "a # b", "PORT": "81", "NAME": "日本"}
    assert (gone.target, gone.problem) == (None, "gone: its envFile none.env cannot be read.")


@pytest.mark.parametrize(
    ("kind", "transport"),
    [("http", "http"), ("streamable-http", "http"), ("streamableHttp", "http"), ("sse", "sse"), (None, "http")],
)
def test_every_spelling_of_a_transport_is_known(kind: str | None, transport: str) -> None:
    entry = {"url": "http://127.0.0.1/mcp"} | ({"type": kind} if kind else {})
    found = read("/ws/.mcp.json", {"mcpServers": {"d": entry}}).entries[0]
    assert found.target is not None
    assert found.target.transport == transport
