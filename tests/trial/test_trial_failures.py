"""Whatever goes wrong on the way is one plain sentence, without the key in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from echolot_lsp.errors import TrialError
from echolot_lsp.trial import openai_chat
from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.refusal import Answer as Answered
from echolot_lsp.trial.refusal import Refusal, named_tool, redacted, refusal
from echolot_lsp.trial.reply import Request
from echolot_lsp.trial.run import Prompt, run
from echolot_lsp.trial.send import local_models, send
from tests.trial.lists import LANTERNS, at
from tests.trial.model_servers import PROTOCOLS, Answer, ModelServer, answer_with, error_body, model_server

KEY = ModelServer.key
CLOUD = Endpoint("openai", "gpt-x", "openai-responses", "https://api.openai.com/v1", KEY, "OPENAI_API_KEY")


def failed(*answers: Answer, protocol: str = "openai-chat", seconds: float = 5.0) -> str:
    with model_server(protocol, *answers) as server:
        endpoint = at(server)
        request = openai_chat.request(endpoint.base_url, "m", [], "Hello")
        with pytest.raises(TrialError) as caught:
            send(endpoint, request, (), seconds=seconds)
    assert KEY not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("status", "part"),
    [
        (401, "refuses the key in TEST_KEY (401)"),
        (403, "does not let this key use m (403)"),
        (404, "has no model m"),
        (413, "too large (413)"),
        (429, "takes no more requests for now (429): try again later"),
        (500, "failed (500): the words"),
        (503, "is overloaded (503), try again later: the words"),
        (529, "is overloaded (529)"),
    ],
)
def test_a_status_is_a_sentence_with_the_providers_own_words(protocol: str, status: int, part: str) -> None:
    body = error_body(protocol, f"the words of {protocol} about {KEY}")
    with model_server(protocol, Answer(body, status)) as server:
        (trial,) = run(LANTERNS, [Prompt("Hello")], [at(server)])
    error = trial.runs[0].error
    assert error is not None
    assert part in error
    assert f"the words of {protocol}" in error
    assert KEY not in error


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "7"}, None, 7.0),
        ({"retry-after-ms": "1500"}, None, 1.5),
        ({"retry-after": format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)}, None, 0.0),
        ({}, {"error": {"message": "slow", "details": [{"@type": "x/RetryInfo", "retryDelay": "31s"}]}}, 31.0),
        ({"retry-after": "soon"}, None, None),
        ({"retry-after": "-3"}, "nonsense", None),
    ],
)
def test_how_long_to_wait_is_read_in_every_shape(headers: dict[str, str], body: object, seconds: float | None) -> None:
    error = refusal(CLOUD, Answered(429, headers, body), ())
    assert error.again == seconds
    assert ("try again later" in str(error)) == (seconds is None)


def test_a_used_up_quota_is_told_from_too_many_requests() -> None:
    error = refusal(CLOUD, Answered(429, {}, {"error": {"message": "You exceeded…", "code": "insufficient_quota"}}), ())
    assert "quota" in str(error)
    assert error.final


@pytest.mark.parametrize(
    ("message", "parameter", "expected"),
    [
        ("tools.1.custom.name: String should match pattern", "", 1),
        ("tools.10.custom.name: String should match pattern", "", None),
        ("Invalid schema for function 'light_lantern': In context=(), object schema missing properties.", "tools[1].parameters", 1),
        ("Invalid schema for function 'find_lantern': In context=('properties', 'tools[1]')", "", 0),
        ("Invalid 'tools[0].function.name'", "tools[0].function.name", 0),
        ("* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].items: missing field.", "", 1),
        ("Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[1].parameters'", "", 1),
        ("Duplicate function declaration found: find_lantern", "", 0),
        ("tools: Tool names must be unique.", "", None),
        ("The model is busy.", "", None),
        ("", "", None),
    ],
)
def test_the_tool_that_an_error_names_is_found(message: str, parameter: str, expected: int | None) -> None:
    assert named_tool(message, parameter, LANTERNS.names) == expected


def test_json_that_was_cut_off_is_said_to_be() -> None:
    assert "cut off or broken" in failed(Answer(raw=b'{"choices": [{"mess'))


def test_a_page_where_json_belongs_asks_for_the_address() -> None:
    assert "answered with text/html where JSON belongs" in failed(
        Answer(raw=b"<html>", headers={"content-type": "text/html; charset=x"})
    )


def test_an_answer_in_another_protocol_is_said_to_be_one() -> None:
    with model_server("openai-chat", Answer({"unexpected": [1]})) as server:
        (trial,) = run(LANTERNS, [Prompt("Hello")], [at(server)])
    assert trial.runs[0].error is not None
    assert "has no `choices`" in trial.runs[0].error


@pytest.mark.parametrize(
    "body", [None, 1, "text", [], [1], {"choices": 1}, {"choices": [1]}, {"content": [1, None]}, {"output": [None, 3]}]
)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_json_answer_makes_an_adapter_fail_otherwise_than_in_words(protocol: str, body: object) -> None:
    with model_server(protocol, Answer(body)) as server:
        (trial,) = run(LANTERNS, [Prompt("Hello")], [at(server)])
    assert trial.runs[0].error is None or server.url in trial.runs[0].error


def test_a_connection_that_breaks_in_the_middle_is_said_to_break() -> None:
    assert "broke the connection" in failed(Answer({"choices": []}, drop=True))


def test_a_server_that_hangs_is_given_up() -> None:
    assert "did not answer within 0.2 s" in failed(Answer(hang=True), seconds=0.2)


def test_a_redirect_is_not_followed() -> None:
    with model_server("openai-chat", answer_with("openai-chat", [])) as other:
        moved = Answer(raw=b"", status=307, headers={"location": f"{other.url}/v1/chat/completions"})
        assert "not followed" in failed(moved)
        assert other.seen == []


def test_an_answer_without_end_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("echolot_lsp.trial.send.LARGEST_ANSWER", 1 << 16)
    assert "is not read" in failed(Answer(raw=b" " * (1 << 18)))


def test_a_server_that_is_not_there_says_how_it_is_started(free_port: int) -> None:
    endpoint = Endpoint("ollama", "m", "openai-chat", f"http://127.0.0.1:{free_port}/v1")
    with pytest.raises(TrialError, match=rf"No server answers at http://127\.0\.0\.1:{free_port}\. Start it: ollama serve"):
        send(endpoint, openai_chat.request(endpoint.base_url, "m", [], "Hello"), ())
    assert local_models(endpoint) is None


def test_the_models_of_a_local_server_are_listed() -> None:
    with model_server("openai-chat", Answer({"data": [{"id": "gemma3:270m"}, {"id": 3}, None]})) as server:
        assert local_models(at(server, key=None)) == ["gemma3:270m"]
        assert "authorization" not in server.seen[0].headers


def test_the_way_to_this_machine_uses_no_proxy(monkeypatch: pytest.MonkeyPatch, free_port: int) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port}")
    with model_server("openai-chat", answer_with("openai-chat", [], "Hello")) as server:
        endpoint = at(server)
        assert send(endpoint, openai_chat.request(endpoint.base_url, "m", [], "Hello"), ())["choices"]


def test_a_proxy_of_the_environment_is_used_and_its_password_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server("openai-chat", Answer({"error": "no"}, 407)) as proxy:
        for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "http://someone:hunter2@"))
        endpoint = Endpoint("vllm", "m", "openai-chat", "http://model.invalid:8000/v1")
        with pytest.raises(TrialError) as caught:
            send(endpoint, openai_chat.request(endpoint.base_url, "m", [], "Hello"), (), seconds=5)
        assert proxy.seen[0].path == "http://model.invalid:8000/v1/chat/completions"
    assert "hunter2" not in str(caught.value)


def test_a_socks_proxy_without_its_package_is_said_to_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    endpoint = Endpoint("vllm", "m", "openai-chat", "http://model.invalid:8000/v1")
    with pytest.raises(TrialError, match="socksio"):
        send(endpoint, openai_chat.request(endpoint.base_url, "m", [], "Hello"), ())


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Incorrect API key provided: {KEY[:4]}****************{KEY[-4:]}. You can find it elsewhere.",
        f"bad header Bearer {KEY}",
    ],
)
def test_a_key_is_redacted_also_where_a_provider_quotes_part_of_it(text: str) -> None:
    shown = redacted(text, CLOUD)
    assert KEY not in shown
    assert KEY[-4:] not in shown
    assert "•••" in shown


def test_a_key_shows_in_no_repr() -> None:
    assert KEY not in repr(CLOUD)
    assert KEY not in repr(Request("u", {}, {}))


@pytest.mark.parametrize("depth", [90, 150, 400, 5_000])
def test_arguments_that_nest_without_end_cost_only_their_showing(depth: int) -> None:
    answer = answer_with("openai-chat", [("light_lantern", {})])
    nested = '{"number":' * depth + "1" + "}" * depth
    answer.body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = nested
    with model_server("openai-chat", answer) as server:
        (trial,) = run(LANTERNS, [Prompt("Light it")], [at(server)])
    (judged,) = trial.runs[0].calls
    assert judged.faults
    assert ("nest too deeply" in judged.faults[0].text) == (depth > 100)


def test_a_prompt_with_a_lone_surrogate_is_sent() -> None:
    with model_server("openai-chat", answer_with("openai-chat", [], "Hello")) as server:
        (trial,) = run(LANTERNS, [Prompt("a \ud800 b")], [at(server)])
    assert trial.runs[0].error is None


def test_no_failure_is_anything_but_a_trial_error() -> None:
    def broken(endpoint: Endpoint, request: Request, names: object) -> object:
        raise Refusal("It is refused.", tool=1)

    (trial,) = run(LANTERNS, [Prompt("Hello")], [CLOUD], sender=broken)
    assert (trial.runs[0].error, trial.runs[0].tool) == ("It is refused.", 1)


@pytest.fixture
def free_port() -> int:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
