"""``echolot mcp check``: texts, exit codes and bad input."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from echolot_lsp import __version__
from tests.cli.commands import EXAMPLE, GOOD, NAMELESS, run, tool_list

SCHEMA = json.loads(files("echolot_lsp.render").joinpath("report.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_report_of_the_example_is_a_rich_one() -> None:
    result = run("mcp", "check", "--quality", EXAMPLE)
    assert (result.code, result.err) == (0, "")
    for words in ("Tokens a turn", "Largest tools", "problem  ", "warning  ", "note  ", "→"):
        assert words in result.out


def test_without_quality_the_servers_and_their_tools_are_named(folder: Path) -> None:
    (folder / "huts.json").write_text(tool_list(GOOD, NAMELESS, name="huts"), encoding="utf-8")
    result = run("mcp", "check")
    assert result.out.splitlines()[0] == "huts · JSON · huts.json · 2 tools"
    assert [line.split("  ")[1] for line in result.out.splitlines()[1:]] == ["find_hut", "book bed"]


def test_the_json_report_follows_its_schema() -> None:
    result = run("mcp", "check", "--format", "json", EXAMPLE)
    jsonschema.validate(result.json, SCHEMA)
    (server,) = result.json["servers"]
    assert [tool["name"] for tool in server["tools"]][:2] == ["search_products", "check_stock"]
    assert result.json["summary"]["problems"] > 0
    for cost in server["cost"].values():
        assert cost["total"] - cost["surcharge"] == sum(cost["tools"])


def test_ranges_count_utf16_units(folder: Path) -> None:
    text = '{"tools": [{"description": "⛺𝒳", "name": "a b", "inputSchema": {}}]}'
    (folder / "list.json").write_text(text, encoding="utf-8")
    findings = run("mcp", "check", "--format", "json", "list.json").json["servers"][0]["findings"]
    place = next(finding["range"] for finding in findings if finding["rule"] == "name-not-accepted")
    before = text[: text.index('"a b"')]
    assert place["start"] == {"line": 0, "character": len(before.encode("utf-16-le")) // 2}


def test_no_servers_give_an_empty_report(folder: Path) -> None:
    result = run("mcp", "check", "--format", "json")
    assert result.code == 0
    assert "No MCP server" in result.err
    assert result.json == {"version": 1, "servers": [], "summary": {"problems": 0, "warnings": 0, "notes": 0}}


def test_a_folder_without_a_list_is_fine_unless_tools_are_required(folder: Path) -> None:
    (folder / "package.json").write_text('{"name": "x", "dependencies": {}}', encoding="utf-8")
    assert run("mcp", "check", ".").code == 0
    assert run("mcp", "check", ".", "--require-tools").code == 2


def test_strict_fails_on_a_problem_only(folder: Path) -> None:
    (folder / "bad.json").write_text(tool_list(NAMELESS), encoding="utf-8")
    (folder / "good.json").write_text(tool_list({**GOOD, "description": "Find hut."}), encoding="utf-8")
    assert run("mcp", "check", "bad.json").code == 0
    bad = run("mcp", "check", "--strict", "bad.json")
    assert bad.code == 1
    assert bad.out.startswith("bad.json:1:21: problem: ")
    assert run("mcp", "check", "--strict", "good.json").code == 0


def test_a_clean_list_says_so(folder: Path) -> None:
    (folder / "good.json").write_text(tool_list(GOOD), encoding="utf-8")
    result = run("mcp", "check", "--quality", "good.json")
    assert "Nothing a model would stumble over" in result.out
    assert "Largest tools" not in result.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mcp", "check", "absent.json"], "There is no file or folder absent.json."),
        (["mcp", "check", "notes.txt"], "notes.txt is neither a Python nor a JSON file."),
        (["mcp", "check", "--as", "mistral"], "invalid choice"),
        (["mcp", "check", "--qualty"], "--qualty"),
        (["mcp", "chekc"], "chekc"),
        (["mcp"], "COMMAND"),
        ([], "mcp"),
        (["mcp", "check", "good.json", "--server", "depot"], "There is no server 'depot' here, only good"),
        (["mcp", "explain", "no-descripton"], "Did you mean no-description"),
        (["mcp", "check", "empty.json"], "empty.json"),
        (["mcp", "check", "broken.json"], "broken.json:1:"),
        (["mcp", "check", "latin.json"], "latin.json is no UTF-8 text."),
    ],
)
def test_wrong_words_and_unreadable_sources_exit_with_2(folder: Path, words: list[str], message: str) -> None:
    (folder / "notes.txt").write_text("hello", encoding="utf-8")
    (folder / "good.json").write_text(tool_list(GOOD), encoding="utf-8")
    (folder / "empty.json").write_text("", encoding="utf-8")
    (folder / "broken.json").write_text('{"tools": [{"name": ', encoding="utf-8")
    (folder / "latin.json").write_bytes(tool_list({**GOOD, "name": "f\xe4n"}).encode("latin-1"))
    result = run(*words)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_one_unreadable_source_does_not_hide_the_others(folder: Path) -> None:
    (folder / "good.json").write_text(tool_list(GOOD), encoding="utf-8")
    result = run("mcp", "list", "--names", "absent.json", "good.json")
    assert (result.code, result.out) == (2, "find_hut\n")


ODD = {
    "boolean-schema": {"name": "t", "inputSchema": True},
    "no-object": "t",
    "null": None,
    "name-number": {"name": 5},
    "required-true": {"name": "t", "inputSchema": {"type": "object", "properties": {"a": True}, "required": True}},
    "properties-list": {"name": "t", "inputSchema": {"type": "object", "properties": []}},
    "long-description": {"name": "t", "description": "word " * 400_000},
}


@pytest.mark.parametrize("case", ODD)
def test_odd_tools_are_reported_without_a_traceback(folder: Path, case: str) -> None:
    (folder / "odd.json").write_text(tool_list(GOOD, ODD[case], GOOD), encoding="utf-8")
    result = run("mcp", "check", "--quality", "odd.json")
    assert "Traceback" not in result.err
    assert result.code in (0, 2)
    jsonschema.validate(run("mcp", "check", "--format", "json", "odd.json").json, SCHEMA)


def test_a_thousand_levels_are_reported_without_a_traceback(folder: Path) -> None:
    deep = '{"type": "object", "properties": {"a": ' * 1000 + '{"type": "string"}' + "}}" * 1000
    (folder / "deep.json").write_text(f'{{"tools": [{{"name": "t", "inputSchema": {deep}}}]}}', encoding="utf-8")
    for words in (["check", "--quality"], ["check", "--format", "json"], ["list"], ["check", "--as", "gemini"]):
        result = run("mcp", *words, "deep.json")
        assert "Traceback" not in result.err
        assert result.code in (0, 2)


def test_hostile_text_is_shown_and_not_obeyed(folder: Path) -> None:
    name, text = "[bold]x[/bold]\x1b[31m\u202e", "a\x07b \x9b2J \u2066hidden\u2069 [link=file:///etc/passwd]here[/link]"
    (folder / "bad.json").write_text(
        tool_list({**GOOD, "name": name, "description": text}, name="\x1b]0;title\x07"), encoding="utf-8"
    )
    for words in (["check"], ["check", "--quality"], ["check", "--strict"], ["list", "--names"]):
        result = run("mcp", *words, "bad.json")
        assert not set(result.out + result.err) & set("\x1b\x07\x9b\u202e\u2066\u2069")
        assert "[bold]x[/bold]" in result.out


def test_a_code_page_without_the_signs_gets_others(folder: Path) -> None:
    result = run("mcp", "check", "--quality", EXAMPLE, encoding="cp1252")
    assert result.code == 0
    assert "~ " in result.out
    assert run("mcp", "check", "--format", "json", EXAMPLE, encoding="ascii").json["version"] == 1


def test_standard_input_is_a_source(folder: Path) -> None:
    result = run("mcp", "check", "--format", "json", "-", stdin=tool_list(NAMELESS).encode())
    (server,) = result.json["servers"]
    assert server["path"] is None
    assert server["findings"][0]["range"]["start"]["line"] == 0


def test_colour_is_only_for_terminals_and_whoever_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("mcp", "check", "--quality", EXAMPLE).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("mcp", "check", "--quality", EXAMPLE).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("mcp", "check", "--quality", EXAMPLE).out


@pytest.mark.parametrize("columns", [40, 41, 60, 97])
def test_no_line_of_prose_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    from echolot_lsp.render.cells import cells

    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.chdir(EXAMPLE.parent)
    lines = run("mcp", "check", "--quality", EXAMPLE.name).out.splitlines()
    assert max(cells(line) for line in lines) <= columns


def test_as_prints_the_tools_field_of_a_request(folder: Path) -> None:
    (folder / "a.json").write_text(tool_list(GOOD), encoding="utf-8")
    anthropic = run("mcp", "check", "--as", "anthropic", "a.json").json
    assert [tool["input_schema"] for tool in anthropic] == [GOOD["inputSchema"]]
    assert run("mcp", "check", "--as", "openai", "a.json").json[0]["parameters"] == GOOD["inputSchema"]
    chat = run("mcp", "check", "--as", "openai", "--openai-api", "chat", "a.json").json
    assert chat[0]["function"]["name"] == "find_hut"
    gemini = run("mcp", "check", "--as", "gemini", "--gemini-form", "json-schema", "a.json").json
    assert gemini[0]["functionDeclarations"][0]["parametersJsonSchema"] == GOOD["inputSchema"]


def test_as_is_for_one_server(folder: Path) -> None:
    (folder / "a.json").write_text(tool_list(GOOD), encoding="utf-8")
    (folder / "b.json").write_text(tool_list(GOOD), encoding="utf-8")
    result = run("mcp", "check", "--as", "openai", "a.json", "b.json")
    assert result.code == 2
    assert "--server" in result.err
    assert run("mcp", "check", "--as", "openai", "a.json", "b.json", "--server", "b").code == 0


def test_version() -> None:
    assert run("--version").out == f"echolot {__version__}\n"


def test_explain_prints_a_rules_page() -> None:
    result = run("mcp", "explain", "no-description")
    assert result.code == 0
    assert "Why it matters" in result.out
    assert run("mcp", "explain", "unused-ignore").code == 0


def test_strict_schema_says_what_stops_each_tool(folder: Path) -> None:
    (folder / "huts.json").write_text(tool_list(GOOD, name="huts"), encoding="utf-8")
    lines = run("mcp", "check", "--strict-schema", "huts.json").out.splitlines()
    assert lines[0] == "huts · OpenAI strict · 0 of 1 tool ready"
    assert lines[2] == "    /inputSchema/additionalProperties: an object must say additionalProperties: false"


def test_the_markdown_report_names_every_tool_with_a_finding(folder: Path) -> None:
    result = run("mcp", "check", "--format", "markdown", EXAMPLE)
    assert result.out.startswith("## How a model sees outdoor")
    assert "`cancel_reservation`" in result.out
