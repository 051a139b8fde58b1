"""The four protocols against servers that are strict about them."""

from __future__ import annotations

import pytest

from echolot_lsp.trial.run import Prompt, Trial, run
from tests.trial.lists import LANTERNS, at
from tests.trial.model_servers import PROTOCOLS, Answer, answer_with, model_server

PROMPT = Prompt("Where does lantern L-17 hang?", "find_lantern")
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def one(protocol: str, answer: Answer) -> Trial:
    with model_server(protocol, answer) as server:
        (trial,) = run(LANTERNS, [PROMPT], [at(server)])
    return trial


@every_protocol
def test_a_call_is_shown_with_its_tool_its_arguments_and_its_tokens(protocol: str) -> None:
    trial = one(protocol, answer_with(protocol, [("find_lantern", {"number": "L-17"})]))
    (made,) = trial.runs
    assert made.error is None
    assert [(judged.call.name, judged.index, judged.call.arguments, judged.faults) for judged in made.calls] == [
        ("find_lantern", 0, {"number": "L-17"}, ())
    ]
    assert made.reply is not None
    assert made.reply.usage is not None
    assert (made.reply.usage.input, made.reply.usage.output, made.reply.stop) == (812, 24, "calls")
    assert trial.passed is True


@every_protocol
def test_parallel_calls_keep_their_order(protocol: str) -> None:
    calls = [
        ("light_lantern", {"number": "L-2"}),
        ("find_lantern", {"number": "L-1"}),
        ("light_lantern", {"number": "L-3", "hour": None}),
    ]
    (made,) = one(protocol, answer_with(protocol, calls, "I will do both.")).runs
    assert [(judged.call.name, judged.call.arguments) for judged in made.calls] == calls
    assert made.reply is not None
    assert made.reply.text == "I will do both."
    assert not any(judged.faults for judged in made.calls)


@every_protocol
def test_an_answer_without_a_call_is_a_text(protocol: str) -> None:
    trial = one(protocol, answer_with(protocol, [], "It hangs in the hall."))
    (made,) = trial.runs
    assert (made.calls, made.error) == ((), None)
    assert made.reply is not None
    assert (made.reply.text, made.reply.stop) == ("It hangs in the hall.", "end")
    assert trial.passed is False
    assert dict(trial.shares) == {None: 1.0}


@every_protocol
def test_an_answer_that_was_cut_says_so(protocol: str) -> None:
    (made,) = one(protocol, answer_with(protocol, [], "It hangs in", cut=True)).runs
    assert made.reply is not None
    assert made.reply.stop == "cut"


@every_protocol
def test_arguments_that_do_not_fit_are_marked_one_by_one(protocol: str) -> None:
    wrong = {"number": 17, "floor": -2, "near": '{"street": "Quay"}', "colour": "red"}
    (made,) = one(protocol, answer_with(protocol, [("find_lantern", wrong)])).runs
    ((judged),) = made.calls
    assert {fault.path for fault in judged.faults} == {("number",), ("floor",), ("near",), ("colour",)}
    near = next(fault for fault in judged.faults if fault.path == ("near",))
    assert "sent as text" in near.text


@every_protocol
def test_a_list_that_the_provider_refuses_shows_its_error_beside_the_tool(protocol: str) -> None:
    from echolot_lsp.trial.run import ToolList

    bad = {"name": "9 lives!", "description": "A name that nobody takes.", "inputSchema": {"type": "object", "properties": {}}}
    with model_server(protocol, answer_with(protocol, [])) as server:
        (trial,) = run(ToolList("cats", (LANTERNS.tools[0], bad)), [PROMPT], [at(server)])
    (made,) = trial.runs
    assert made.error is not None
    assert "refuses the request (400)" in made.error
    assert made.tool == 1


@every_protocol
def test_a_list_without_tools_is_still_a_valid_request(protocol: str) -> None:
    from echolot_lsp.trial.run import ToolList

    with model_server(protocol, answer_with(protocol, [], "Hello")) as server:
        (trial,) = run(ToolList("bare", ()), [PROMPT], [at(server)])
        assert "tools" not in server.seen[0].body
    assert trial.runs[0].error is None


def test_a_constraint_that_gemini_has_no_field_for_is_said_to_be_unknown_to_the_model() -> None:
    (made,) = one("gemini", answer_with("gemini", [("find_lantern", {"number": "L-1", "floor": 3})])).runs
    (fault,) = made.calls[0].faults
    assert fault.path == ("floor",)
    assert fault.looser is not None
    assert "multipleOf" in fault.looser
    (made,) = one("anthropic", answer_with("anthropic", [("find_lantern", {"number": "L-1", "floor": 3})])).runs
    assert made.calls[0].faults[0].looser is None


def test_arguments_that_are_no_json_are_shown_as_they_came() -> None:
    answer = answer_with("openai-chat", [("find_lantern", {})])
    answer.body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"number": "L-1'
    (made,) = one("openai-chat", answer).runs
    assert made.calls[0].call.arguments == '{"number": "L-1'
    assert "not JSON" in made.calls[0].faults[0].text


def test_several_models_answer_side_by_side_and_runs_are_shared_out() -> None:
    first = [answer_with("anthropic", [(name, {"number": "L-1"})]) for name in ("find_lantern", "find_lantern", "light_lantern")]
    with model_server("anthropic", *first) as one_server, model_server("gemini", answer_with("gemini", [], "No.")) as other:
        trials = run(LANTERNS, [PROMPT, Prompt("Light it.")], [at(one_server), at(other)], runs=3)
        assert (len(one_server.seen), len(other.seen)) == (6, 6)
    assert [(trial.prompt.text, trial.endpoint.protocol) for trial in trials] == [
        (PROMPT.text, "anthropic"),
        (PROMPT.text, "gemini"),
        ("Light it.", "anthropic"),
        ("Light it.", "gemini"),
    ]
    assert {name: round(share, 2) for name, share in trials[0].shares.items()} == {"find_lantern": 0.67, "light_lantern": 0.33}
    assert trials[0].passed is True
    assert trials[1].passed is False
    assert trials[2].passed is None


def test_an_error_that_would_come_again_is_not_asked_for_again() -> None:
    refused = Answer({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}, 401)
    with model_server("anthropic", refused) as server:
        trials = run(LANTERNS, [PROMPT, PROMPT], [at(server)], runs=5)
        assert len(server.seen) == 1
    assert all(trial.runs[0].error and "401" in trial.runs[0].error for trial in trials)


def test_a_provider_that_asks_to_wait_is_asked_once_more_with_patience() -> None:
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "7"})
    good = answer_with("openai-chat", [("find_lantern", {"number": "L-17"})])
    for patience, waited, passed in ((0.0, [], False), (6.9, [], False), (7.0, [7.0], True)):
        pauses: list[float] = []
        with model_server("openai-chat", busy, good) as server:
            (trial,) = run(LANTERNS, [PROMPT], [at(server)], patience=patience, pause=pauses.append)
        assert (pauses, trial.passed) == (waited, passed)


def test_a_cached_prompt_is_part_of_the_input() -> None:
    answer = answer_with("anthropic", [])
    answer.body["usage"] |= {"cache_read_input_tokens": 100, "cache_creation_input_tokens": 10}
    (made,) = one("anthropic", answer).runs
    assert made.reply is not None
    assert made.reply.usage is not None
    assert made.reply.usage.input == 922


def test_what_gemini_stops_is_said_to_be_stopped() -> None:
    blocked = Answer({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 5}})
    (made,) = one("gemini", blocked).runs
    assert made.reply is not None
    assert made.reply.stop == "refused"
    malformed = Answer({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(find)", "content": {}}]})
    (made,) = one("gemini", malformed).runs
    assert made.reply is not None
    assert (made.reply.stop, made.reply.text, made.reply.usage) == ("broken", "print(find)", None)


def test_a_server_that_leaves_the_list_out_is_found_out_by_its_tokens() -> None:
    (made,) = one("openai-chat", answer_with("openai-chat", [], "Hello", usage=(18, 3))).runs
    assert made.hidden
    (made,) = one("openai-chat", answer_with("openai-chat", [], "Hello", usage=(180, 3))).runs
    assert not made.hidden
    (made,) = one("openai-chat", answer_with("openai-chat", [("find_lantern", {})], usage=(18, 3))).runs
    assert not made.hidden
