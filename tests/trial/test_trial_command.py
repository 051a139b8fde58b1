"""`echolot mcp try`, and the providers' own counts."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.errors import EcholotError, TrialError
from echolot_lsp.trial.command import TryOptions, run_try
from echolot_lsp.trial.consent import Consents
from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.exact import Exact, count
from echolot_lsp.trial.reply import Request
from echolot_lsp.trial.run import Prompt, ToolList
from tests.trial.lists import LANTERNS, at
from tests.trial.model_servers import PROTOCOLS, Answer, ModelServer, answer_with, error_body, model_server

FIND_IT = Prompt("Where is L-17?", "find_lantern")


def tried(server: ModelServer, *prompts: Prompt, **options: Any) -> tuple[int, str]:
    output = io.StringIO()
    model = f"llamacpp/gemma@{server.url}/v1"
    code = run_try(
        LANTERNS,
        TryOptions(prompts, (model,), **options),
        environment={},
        say=lambda text: print(text, file=output),
        say_json=lambda value: print(json.dumps(value), file=output),
    )
    return code, output.getvalue()


def test_a_call_is_printed_with_what_does_not_fit() -> None:
    with model_server(
        "openai-chat", answer_with("openai-chat", [("find_lantern", {"number": "17", "near": "{}"})], "Looking.")
    ) as server:
        code, text = tried(server, FIND_IT)
    assert code == 0
    for part in (
        "llamacpp/gemma: “Where is L-17?”",
        "→ find_lantern",
        '✗ number: "17"',
        '"17" does not match ^L-[0-9]+$.',
        "An object sent as text",
        "| Looking.",
        "812 tokens in, 24 out · on this machine",
        "pass: find_lantern expected",
        "Nothing was called.",
    ):
        assert part in text


def test_saved_prompts_are_a_test_with_an_exit_code() -> None:
    answers = [answer_with("openai-chat", [("find_lantern", {"number": "L-17"})]), answer_with("openai-chat", [], "No.")]
    with model_server("openai-chat", *answers) as server:
        code, text = tried(server, FIND_IT, Prompt("Light L-2.", "light_lantern"), Prompt("What is love?", ""), all=True)
    assert code == 1
    assert "FAIL: light_lantern expected, but no call" in text
    assert "pass: no call expected" in text
    assert "2 passed, 1 failed." in text


def test_a_model_that_gives_an_error_is_told_from_a_failed_expectation() -> None:
    with model_server("openai-chat", Answer(error_body("openai-chat", "broken"), 500)) as server:
        code, text = tried(server, FIND_IT, all=True)
    assert code == 2
    assert "error: llama.cpp failed (500)" in text
    assert "0 passed, 0 failed, 1 could not be tried" in text


def test_several_runs_print_the_share_of_each_tool() -> None:
    answers = [
        answer_with("openai-chat", [(name, {"number": "L-1"})])
        for name in ("find_lantern", "light_lantern", "find_lantern", "find_lantern")
    ]
    with model_server("openai-chat", *answers) as server:
        code, text = tried(server, FIND_IT, runs=4)
    assert code == 0
    assert "4 runs: find_lantern 75 %, light_lantern 25 %" in text
    assert text.count("→ find_lantern") == 1


def test_runs_without_an_answer_are_counted_apart() -> None:
    broken = Answer(error_body("openai-chat", "broken"), 500)
    with model_server("openai-chat", answer_with("openai-chat", [("find_lantern", {"number": "L-1"})]), broken) as server:
        code, text = tried(server, FIND_IT, runs=3)
    assert code == 2
    assert "3 runs, 2 without an answer: find_lantern 100 %" in text
    assert "llama.cpp failed (500): broken" in text


def test_json_is_the_documented_shape() -> None:
    with model_server("openai-chat", answer_with("openai-chat", [("find_lantern", {"number": 1})])) as server:
        code, text = tried(server, FIND_IT, format="json")
        url = server.url
    result = json.loads(text)
    assert code == 0
    assert result["summary"] == {"passed": 1, "failed": 0, "errors": 0}
    (trial,) = result["trials"]
    assert (trial["model"], trial["endpoint"], trial["on_this_machine"]) == ("llamacpp/gemma", url, True)
    assert trial["picked"] == [{"tool": "find_lantern", "share": 1.0}]
    (call,) = trial["runs"][0]["calls"]
    assert call["faults"] == [
        {"at": "/number", "text": "1 is an integer; the schema wants a string.", "looser": None, "note": False}
    ]
    assert trial["runs"][0]["usage"] == {"input": 812, "output": 24, "cache_read": 0, "cache_write": 0}


def test_characters_that_steer_a_terminal_are_made_visible() -> None:
    answer = answer_with("openai-chat", [("\x1b[31mred\u202e", {"a\x07": "\x1b]0;title\x07"})], "\x1b[2J\u2066gone")
    with model_server("openai-chat", answer) as server:
        _code, text = tried(server, Prompt("one\ntwo\x1b"))
    assert not any(ord(character) < 32 and character != "\n" for character in text)
    assert not {"\u202e", "\u2066"} & set(text)


def remote(**more: Any) -> TryOptions:
    return TryOptions((FIND_IT,), ("openai/gpt-x",), **more)


ENVIRONMENT = {"OPENAI_API_KEY": "sk-secret-key-0123456789"}


def answering(endpoint: Endpoint, request: Request, names: object) -> Any:
    return answer_with("openai-responses", [("find_lantern", {"number": "L-17"})]).body


def never(endpoint: Endpoint, request: Request, names: object) -> Any:
    raise AssertionError("something was sent")


def test_nothing_is_sent_before_a_yes(tmp_path: Path) -> None:
    consents = Consents(tmp_path / "consent.json")
    asked: list[str] = []

    def no(text: str) -> bool:
        asked.append(text)
        return False

    for ask in (no, None):
        with pytest.raises(TrialError, match=r"Nothing was sent to https://api\.openai\.com"):
            run_try(LANTERNS, remote(), environment=ENVIRONMENT, ask=ask, sender=never, consents=consents)
    assert len(asked) == 1
    assert "the 2 tools of lanterns" in asked[0]
    assert "sk-secret" not in asked[0]


def test_a_yes_is_asked_for_once_and_yes_on_the_command_line_asks_nothing(tmp_path: Path) -> None:
    consents = Consents(tmp_path / "consent.json")
    asked: list[str] = []

    def yes(text: str) -> bool:
        asked.append(text)
        return True

    def go(options: TryOptions, ask: Any) -> str:
        output = io.StringIO()
        assert (
            run_try(
                LANTERNS,
                options,
                environment=ENVIRONMENT,
                ask=ask,
                sender=answering,
                consents=consents,
                say=lambda text: print(text, file=output),
            )
            == 0
        )
        return output.getvalue()

    go(remote(yes=True), None)
    with pytest.raises(TrialError):
        go(remote(), None)
    go(remote(workspace=str(tmp_path)), yes)
    text = go(remote(workspace=str(tmp_path)), None)
    assert len(asked) == 1
    assert "price unknown" in text
    assert "sk-secret" not in text
    with pytest.raises(TrialError):
        go(remote(workspace=str(tmp_path / "elsewhere")), None)


@pytest.mark.parametrize(
    ("tools", "options", "part"),
    [
        (LANTERNS, TryOptions(()), "There is no prompt"),
        (ToolList("bare", ()), TryOptions((FIND_IT,)), "bare has no tools"),
        (LANTERNS, TryOptions((Prompt("x", "no_such"),)), "expects no_such, but lanterns has no such tool"),
    ],
)
def test_what_cannot_be_tried_says_why(tools: ToolList, options: TryOptions, part: str) -> None:
    with pytest.raises(EcholotError, match=part):
        run_try(tools, options, environment={}, sender=never)


def test_without_a_model_it_says_what_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("echolot_lsp.trial.looking.local_models", lambda endpoint: None)
    with pytest.raises(TrialError, match=r"No model is chosen\. Looked for:(?s:.*)--model PROVIDER/MODEL"):
        run_try(LANTERNS, TryOptions((FIND_IT,)), environment={}, sender=never)


COUNTS = {"anthropic": "input_tokens", "openai-responses": "input_tokens", "gemini": "totalTokens"}


@pytest.mark.parametrize("protocol", sorted(COUNTS))
def test_a_providers_own_count_is_that_of_the_tools_alone(protocol: str) -> None:
    key = COUNTS[protocol]
    with model_server(protocol, Answer({key: 640, "object": "x"}), Answer({key: 8})) as server:
        assert count(at(server), LANTERNS.tools) == 632
        bodies = [seen.body.get("generateContentRequest", seen.body) for seen in server.seen]
    assert ["tools" in body for body in bodies] == [True, False]
    assert not any("max_tokens" in body or "store" in body for body in bodies)


def test_an_estimate_stands_beside_the_count() -> None:
    exact = Exact("anthropic/claude-x", 1_050, 1_000)
    assert exact.text == "anthropic/claude-x: ≈ 1,050 estimated, 1,000 counted, +5.0%"
    assert Exact("m", 3, 0).difference == 0.0


def test_what_does_not_count_says_so() -> None:
    with model_server("openai-chat", Answer({})) as server, pytest.raises(TrialError, match="no endpoint that counts"):
        count(at(server), LANTERNS.tools)
    with model_server("gemini", Answer({"tokens": 3})) as server, pytest.raises(TrialError, match="has no `totalTokens`"):
        count(at(server), LANTERNS.tools)
    assert count(Endpoint("openai", "m", "openai-responses", "https://api.openai.com/v1"), (), sender=never) == 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_key_reaches_the_header_and_nothing_that_is_shown(protocol: str) -> None:
    from echolot_lsp.trial.result import as_json
    from echolot_lsp.trial.run import run
    from echolot_lsp.trial.terminal import trial_text

    echo = Answer(error_body(protocol, f"bad key {ModelServer.key}"), 401)
    with model_server(protocol, answer_with(protocol, [("find_lantern", {})]), echo) as server:
        trials = run(LANTERNS, [FIND_IT, FIND_IT], [at(server)])
        sent = server.seen[0]
        assert any(ModelServer.key in value for value in sent.headers.values())
        assert ModelServer.key not in sent.path + json.dumps(sent.body)
    shown = json.dumps(as_json(LANTERNS, trials)) + "".join(trial_text(LANTERNS, trial) for trial in trials) + repr(trials)
    assert "401" in shown
    assert ModelServer.key not in shown
