"""The trial's requests and the tests' stand-in answers against the providers' own types."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import Message
from anthropic.types.message_count_tokens_params import MessageCountTokensParams
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from google.ai import generativelanguage_v1beta
from google.protobuf import json_format
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import Response
from openai.types.responses.input_token_count_params import InputTokenCountParams
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.exact import count
from echolot_lsp.trial.reply import Request
from echolot_lsp.trial.run import Prompt, run
from tests.trial.lists import LANTERNS
from tests.trial.model_servers import PROTOCOLS, PROVIDER_OF, answer_with

REQUESTS: dict[str, Any] = {
    "anthropic": MessageCreateParamsNonStreaming,
    "openai-responses": ResponseCreateParamsNonStreaming,
    "openai-chat": CompletionCreateParamsNonStreaming,
}
COUNTS: dict[str, Any] = {"anthropic": MessageCountTokensParams, "openai-responses": InputTokenCountParams}
ANSWERS: dict[str, Any] = {"anthropic": Message, "openai-responses": Response, "openai-chat": ChatCompletion}


def check(kind: Any, body: Any) -> None:
    """Every key is one that the SDK knows, and every value fits."""
    known = {key for base in kind.__mro__ for key in getattr(base, "__annotations__", {})} if isinstance(kind, type) else set()
    assert not known or set(body) <= known
    TypeAdapter(kind).validate_python(body)


def endpoint(protocol: str) -> Endpoint:
    return Endpoint(PROVIDER_OF[protocol], "m", protocol, "http://127.0.0.1:9")  # type: ignore[arg-type]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_request_is_one_that_the_provider_describes(protocol: str) -> None:
    sent: list[Any] = []

    def sender(place: Endpoint, request: Request, names: object) -> Any:
        sent.append(request.body)
        return answer_with(protocol, []).body

    run(LANTERNS, [Prompt("Where is L-17?")], [endpoint(protocol)], sender=sender)
    if protocol == "gemini":
        body = {**sent[0], "model": "models/m"}
        json_format.ParseDict(body, generativelanguage_v1beta.GenerateContentRequest.pb()())
    else:
        check(REQUESTS[protocol], sent[0])


@pytest.mark.parametrize("protocol", ["anthropic", "openai-responses", "gemini"])
def test_a_counting_request_is_one_that_the_provider_describes(protocol: str) -> None:
    sent: list[Any] = []

    def sender(place: Endpoint, request: Request, names: object) -> Any:
        sent.append(request.body)
        return {"input_tokens": 10, "totalTokens": 10}

    count(endpoint(protocol), LANTERNS.tools, sender=sender)
    for body in sent:
        if protocol == "gemini":
            json_format.ParseDict({**body, "model": "models/m"}, generativelanguage_v1beta.CountTokensRequest.pb()())
        else:
            check(COUNTS[protocol], body)


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_the_stand_ins_answer_is_what_the_providers_answer(protocol: str, cut: bool) -> None:
    body = answer_with(protocol, [("find_lantern", {"number": "L-17"})], "Looking.", cut=cut).body
    if protocol == "gemini":
        json_format.ParseDict(body, generativelanguage_v1beta.GenerateContentResponse.pb()())
    elif protocol == "anthropic":
        Message.model_validate(body)
    else:
        extra = {"openai-chat": {"id": "chatcmpl-1", "object": "chat.completion", "created": 0}}.get(protocol, {})
        extra = extra or {"created_at": 0, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
        made = TypeAdapter(ANSWERS[protocol]).validate_python(_complete(protocol, {**body, **extra}))
        assert made.id


def _complete(protocol: str, body: Any) -> Any:
    """Members that the API always sends and that we do not read."""
    if protocol == "openai-responses":
        for position, entry in enumerate(body["output"]):
            if entry["type"] == "message":
                body["output"][position] = {"id": "msg_1", "status": "completed", **entry}
        body["usage"] |= {
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
    return body
