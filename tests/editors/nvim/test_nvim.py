"""Our plugin in a real Neovim (``ECHOLOT_NVIM_BINARY``): one session, judged step by step."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.trial.model_servers import ModelServer, answer_with, model_server

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PROGRAMS = Path(sys.executable).parent
SEVERITY = {"problem": 1, "warning": 2, "note": 3}
STEPS = [
    "starts where there is MCP",
    "diagnostics",
    "hints",
    "lenses",
    "two buffers",
    "a module without MCP joins the server of its folder",
    "statusline",
    "hover",
    "hints stay while another function is typed",
    "json follows the source",
    "the virtual document of the server",
    "quick fix",
    "ignore here",
    "completion in a comment",
    "explain",
    "explain what is under the cursor",
    "info",
    "copy",
    "card",
    "try on this machine",
    "settings are taken up without a restart",
    "consent for a cloud model behind a local port",
    "live, in a TypeScript source",
    "live JSON of an entry",
    "live is cancelled",
    "restart keeps the buffers",
    "words are completed",
    "a wrong word is said to be wrong",
    "health",
    "help",
]
SILENT = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(600)"


def with_wide_text(text: str) -> str:
    """Japanese text and an emoji on the lines of marked places, before them."""
    return (
        text.replace(', branch: str = ""', ', 支店="🏕️", branch: str = ""')
        .replace("    note=None,", '    メモ="⛺", note=None,')
        .replace('"branch": {', '"支店🏕️": {"type": "string", "description": "どの店か"}, "branch": {')
    )


def workspace(folder: Path) -> None:
    """An outdoor shop in Python and as a tool list, a module without MCP, and a configuration with two servers to be started."""
    for example, name in (("outdoor_shop.py", "shop.py"), ("outdoor_shop.json", "tools.json")):
        text = (ROOT / "echolot_lsp" / "examples" / example).read_text(encoding="utf-8")
        (folder / name).write_text(with_wide_text(text), encoding="utf-8")
    (folder / "plain.py").write_text("def area(width: int) -> int:\n    return width\n", encoding="utf-8")
    node = Path(os.environ["ECHOLOT_NODE"])
    (folder / "src").mkdir()
    shutil.copy(HERE / "typescript" / "index.ts", folder / "src")
    (folder / ".vscode").mkdir()
    servers = {
        "depot": {"command": "node", "args": [str(node / "index.js")]},
        "silent": {"command": sys.executable, "args": ["-c", SILENT, str(folder / "silent.pid")]},
    }
    (folder / ".vscode" / "mcp.json").write_text(json.dumps({"servers": servers}, indent=2), encoding="utf-8")


def expected(file: Path) -> list[dict[str, Any]]:
    """What the command line finds in a file, with the characters that its UTF-16 ranges name."""
    command = [str(PROGRAMS / "echolot"), "mcp", "check", "--quality", "--format", "json", str(file)]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout)
    lines = [line.encode("utf-16-le") for line in file.read_text(encoding="utf-8").split("\n")]
    found = []
    for finding in (each for server in answer["servers"] for each in server["findings"] if each["default"] == "on"):
        start, end = finding["range"]["start"], finding["range"]["end"]
        rows = lines[start["line"] : end["line"] + 1]
        rows[-1] = rows[-1][: 2 * end["character"]]
        rows[0] = rows[0][2 * start["character"] :]
        text = "\n".join(row.decode("utf-16-le") for row in rows)
        severity = SEVERITY[finding["severity"]]
        found.append({"code": finding["rule"], "source": "echolot", "severity": severity, "line": start["line"], "text": text})
    return sorted(found, key=order)


def order(item: dict[str, Any]) -> tuple[int, str, str]:
    return item["line"], item["code"], item["text"]


def session(folder: Path, local: str, cloud: str) -> dict[str, Any]:
    """Runs the scenario in a Neovim of its own, with a plugin, a home and a state of its own."""
    home = folder.parent / "home"
    home.mkdir()
    plugin = folder.parent / "plugin"
    shutil.copytree(ROOT / "editors" / "neovim", plugin)
    expectations = {name: expected(folder / name) for name in ("shop.py", "tools.json")}
    (folder / "echolot.toml").write_text(f'trial-model = "{local}"\n', encoding="utf-8")
    counts = {name: len(found) for name, found in expectations.items()}
    given = {
        "plugin": str(plugin),
        "cmd": [str(PROGRAMS / "echolot-lsp")],
        "folder": str(folder),
        "cloud": cloud,
        "diagnostics": counts,
    }
    own = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    # without the last word a Lua error would leave Neovim waiting for ever
    words = ["--headless", "--clean", "-n", "-i", "NONE", "-c", f"luafile {HERE / 'scenario.lua'}", "-c", "cquit 3"]
    done = subprocess.run(
        [os.environ["ECHOLOT_NVIM_BINARY"], *words],
        env={**environment, **own, "ECHOLOT_NVIM": json.dumps(given)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,
    )
    lines = [line for line in done.stdout.decode("utf-8").splitlines() if line.startswith("{")]
    if not lines:
        return {"steps": {}, "errors": {"session": done.stderr.decode("utf-8", "replace")[-3000:]}, "expected": expectations}
    seen: dict[str, Any] = json.loads(lines[-1])
    return {**seen, "expected": expectations}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    def once(name: str) -> dict[str, Any]:
        folder = tmp_path_factory.mktemp(name) / "workspace"
        folder.mkdir()
        workspace(folder)
        answer = answer_with("openai-chat", [("check_stock", {"article": 7})])
        with model_server("openai-chat", answer) as here, model_server("openai-chat", answer) as passed_on:
            found = session(folder, f"llamacpp/tiny@{here.url}", f"ollama/tiny:cloud@{passed_on.url}")
            return {**found, "sent": {"here": prompts(here), "cloud": prompts(passed_on)}}

    first = once("first")
    print(f"Seconds by step: {json.dumps(first.get('seconds'))}", file=sys.__stderr__)
    if not first["errors"]:
        return first
    print(
        f"The first run was lost: {json.dumps(first['errors'], ensure_ascii=False)}; once more with a fresh profile.",
        file=sys.__stderr__,
    )
    return once("second")


def prompts(model: ModelServer) -> int:
    """How many prompts a model got."""
    return sum(1 for request in model.seen if isinstance(request.body, dict) and "messages" in request.body)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_held(seen: dict[str, Any], step: str) -> None:
    assert step not in seen["errors"], seen["errors"][step]
    assert step in seen["steps"], seen["errors"]


@pytest.mark.parametrize(("step", "name"), [("diagnostics", "shop.py"), ("two buffers", "tools.json")])
def test_every_finding_underlines_what_the_command_line_names(seen: dict[str, Any], step: str, name: str) -> None:
    wanted = seen["expected"][name]
    assert sorted(seen["steps"][step], key=order) == wanted
    assert len(wanted) >= 5
    assert any(not item["text"].isascii() or item["code"] == "param-no-type" for item in wanted)


def test_neovim_and_the_server_agree_on_bytes_where_neovim_can(seen: dict[str, Any]) -> None:
    start = seen["steps"]["starts where there is MCP"]
    assert start["encoding"] == ("utf-8" if start["modern"] else "utf-16")
    assert Path(start["root"]).name == "workspace"


def test_the_numbers_are_marked_as_estimates(seen: dict[str, Any]) -> None:
    assert len(seen["steps"]["hints"]) == 7
    assert all(label.startswith("≈") for label in seen["steps"]["hints"])
    assert any("7 tools · ≈" in title for title in seen["steps"]["lenses"])
    assert seen["steps"]["statusline"].startswith("≈")
    assert "problem" in seen["steps"]["statusline"]


def test_the_hover_reads_well_raw(seen: dict[str, Any]) -> None:
    rows = [line for line in seen["steps"]["hover"].splitlines() if line.startswith("|")]
    assert len(rows) >= 5
    assert len({len(row) for row in rows}) == 1


def test_each_providers_json_is_what_the_command_line_prints(seen: dict[str, Any], tmp_path: Path) -> None:
    shop = tmp_path / "shop.py"
    shop.write_text(with_wide_text((ROOT / "echolot_lsp/examples/outdoor_shop.py").read_text(encoding="utf-8")), encoding="utf-8")
    shown = seen["steps"]["json follows the source"]
    for provider in ("anthropic", "openai", "gemini"):
        command = [str(PROGRAMS / "echolot"), "mcp", "check", "--as", provider, str(shop)]
        printed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
        assert json.loads(shown[provider]) == json.loads(printed)


def test_the_rule_under_the_cursor_is_explained(seen: dict[str, Any]) -> None:
    assert seen["steps"]["explain"].startswith("# param-no-type")
    assert seen["steps"]["explain what is under the cursor"].startswith("# param-no-")


def test_rules_are_completed_in_an_ignore_comment(seen: dict[str, Any]) -> None:
    assert {"no-description", "param-no-type"} <= set(seen["steps"]["completion in a comment"])


def test_the_card_is_a_page_of_this_machine_with_a_token(seen: dict[str, Any]) -> None:
    assert seen["steps"]["card"].startswith("http://127.0.0.1:")
    assert len(seen["steps"]["card"].split("/", 3)[3]) >= 16


def test_the_trial_shows_the_call_and_what_does_not_fit(seen: dict[str, Any]) -> None:
    text = seen["steps"]["try on this machine"]
    assert "**check_stock**" in text
    assert "Nothing was called." in text
    assert seen["sent"]["here"] == 1


def test_a_cloud_model_behind_a_local_port_gets_nothing_before_the_yes(seen: dict[str, Any]) -> None:
    consent = seen["steps"]["consent for a cloud model behind a local port"]
    assert "passes them on to the cloud model tiny:cloud" in consent["question"]
    assert consent["refusal"].startswith("Nothing was sent")
    assert "**check_stock**" in consent["text"]
    assert seen["sent"]["cloud"] == 2


def test_a_misspelt_setting_is_marked_with_the_near_miss(seen: dict[str, Any]) -> None:
    (found,) = seen["steps"]["settings are taken up without a restart"]
    assert found["text"] == "ingore"
    assert found["source"] == "echolot"


def test_a_live_finding_stands_on_the_name_in_the_typescript_source(seen: dict[str, Any]) -> None:
    live = seen["steps"]["live, in a TypeScript source"]
    assert {(item["code"], item["text"]) for item in live["found"]} == {("param-no-description", "'find_parcel'")}
    assert "index.js" in live["asked"]
    assert "find_parcel" in live["report"]
    assert (live["progress"][0], live["progress"][-1]) == ("begin", "end")
    assert live["lenses"].count("Check this server") == 2
    tools = json.loads(seen["steps"]["live JSON of an entry"])
    assert [tool["name"] for tool in tools] == ["find_parcel"]


def test_a_check_that_was_cancelled_says_so_and_leaves_no_process(seen: dict[str, Any]) -> None:
    assert seen["steps"]["live is cancelled"] == "The check was cancelled."


def test_words_and_providers_are_completed(seen: dict[str, Any]) -> None:
    completed = seen["steps"]["words are completed"]
    assert completed["words"] == ["cancel", "card", "copy", "explain", "info", "json", "live", "restart", "try"]
    assert completed["providers"] == ["anthropic", "gemini", "openai"]
    assert completed["some"] == ["cancel", "card", "copy"]


def test_a_wrong_word_gets_a_sentence(seen: dict[str, Any]) -> None:
    wrong, provider = seen["steps"]["a wrong word is said to be wrong"]
    assert wrong == "There is no :Echolot sing."
    assert provider.startswith("mistral is no provider")


def test_health_knows_the_server(seen: dict[str, Any]) -> None:
    health = seen["steps"]["health"]
    assert "OK" in health
    assert "echolot-lsp" in health
    assert "ERROR" not in health


def test_every_help_tag_leads_to_the_help_and_every_word_is_in_it(seen: dict[str, Any]) -> None:
    assert set(seen["steps"]["help"]["tags"].values()) == {"echolot.txt"}
    for word in seen["steps"]["words are completed"]["words"]:
        assert f":Echolot {word}" in seen["steps"]["help"]["text"]
