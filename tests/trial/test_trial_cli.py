"""`try`, `view` and `check --exact` as they are typed."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.cli import main
from tests.trial.lists import LANTERNS
from tests.trial.model_servers import Answer, answer_with, model_server


@pytest.fixture
def lanterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A list on the disk, with saved prompts beside it; nothing of the user's own state is read."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "lanterns.json"
    file.write_text(json.dumps({"tools": list(LANTERNS.tools)}), encoding="utf-8")
    settings = 'prompts = [{text = "Where is L-17?", expect = "find_lantern"}, {text = "Tell me a joke.", expect = ""}]\n'
    (tmp_path / "echolot.toml").write_text(settings, encoding="utf-8")
    return str(file)


FOUND = answer_with("openai-chat", [("find_lantern", {"number": "L-17"})])


def test_a_prompt_is_tried_from_the_command_line(lanterns: str, capsys: pytest.CaptureFixture[str]) -> None:
    with model_server("openai-chat", FOUND) as server:
        code = main(["mcp", "try", "Where is L-17?", lanterns, "--model", f"llamacpp/gemma@{server.url}"])
        assert len(server.seen[0].body["tools"]) == 2
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert "→ find_lantern" in out


def test_the_prompts_of_the_settings_are_a_regression_test(lanterns: str, capsys: pytest.CaptureFixture[str]) -> None:
    with model_server("openai-chat", FOUND) as server:
        code = main(["mcp", "try", "--all", lanterns, "--model", f"llamacpp/gemma@{server.url}", "--format", "json"])
    result = json.loads(capsys.readouterr().out)
    assert code == 1
    assert result["summary"] == {"passed": 1, "failed": 1, "errors": 0}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["try"], "Write a prompt"),
        (["try", "Where?", "LIST", "--model", "gpt"], "names no model"),
        (["try", "Where?", "LIST", "--model", "openai/gpt"], "OpenAI needs a key"),
        (["try", "Where?", "no-such-file.json"], "no-such-file.json"),
        (["view", "LIST", "--html", "/no/such/folder/page.html"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(
    lanterns: str, capsys: pytest.CaptureFixture[str], words: list[str], part: str
) -> None:
    assert main(["mcp", *(lanterns if word == "LIST" else word for word in words)]) == 2
    out, err = capsys.readouterr()
    assert part in err
    assert out == ""
    assert "Traceback" not in err


def test_the_page_is_written_into_a_file(lanterns: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["mcp", "view", lanterns, "--html", str(page)]) == 0
    assert "find_lantern" in page.read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"Written to {page}.\n"


def test_the_page_is_served_until_it_is_ended(
    lanterns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import httpx2

    seen: list[Any] = []

    def follow(server: Any, load: Any, **options: Any) -> None:
        with httpx2.Client(trust_env=False) as client:
            seen.append(client.get(server.url).text)
            token = {"x-echolot-token": server.token}
            seen.append(
                client.post(
                    server.url.partition("?")[0] + "message", json={"type": "try", "id": "1", "prompts": []}, headers=token
                ).json()
            )
        seen.append(load()[0]["servers"][0]["name"])
        raise KeyboardInterrupt

    monkeypatch.setattr("echolot_lsp.view.follow", follow)
    assert main(["mcp", "view", lanterns, "--no-browser"]) == 0
    assert "find_lantern" in seen[0]
    assert seen[1] == {"type": "trial", "id": "1", "error": "There is no prompt."}
    assert "http://127.0.0.1:" in capsys.readouterr().out
    assert not [thread for thread in threading.enumerate() if thread.name == "echolot-card"]


def test_what_is_read_once_is_not_followed(
    lanterns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io
    import sys

    text = Path(lanterns).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
    followed: list[Any] = []
    monkeypatch.setattr("echolot_lsp.view.follow", lambda server, load, *, first, ended: followed.append(first[1]))
    assert main(["mcp", "view", "-", "--no-browser"]) == 0
    assert followed == [()]
    assert "as it was just now" in capsys.readouterr().out


def test_counts_of_the_provider_stand_beside_the_estimate(
    lanterns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server("anthropic", Answer({"input_tokens": 900}), Answer({"input_tokens": 10})) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        assert main(["mcp", "check", "--exact", lanterns]) == 0
    out, err = capsys.readouterr()
    assert "890 counted" in out
    assert "estimated" in out
    assert "openai: OpenAI needs a key: set OPENAI_API_KEY" in err


def test_without_any_key_the_exit_code_says_that_nothing_was_counted(lanterns: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "check", "--exact", lanterns]) == 2
    assert "anthropic: Anthropic needs a key" in capsys.readouterr().err
