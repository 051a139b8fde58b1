"""OpenAI-compatible chat completions: ``POST …/chat/completions`` (Ollama, LM Studio, llama.cpp, vLLM, and many gateways).

Source: OpenAI's OpenAPI document of 2026-08-21; the function-calling pages of Ollama and llama.cpp, read 2026-11-30.
"""

from __future__ import annotations

from typing import Any

from echolot_lsp.trial.reply import Reply, Request, Stop, Unreadable, Usage, call_from_text, items, mapping, number, words

KEY_HEADER = "authorization"
KEY_PREFIX = "Bearer "
MAX_TOKENS = 2048
"""Small models on this machine may repeat themselves without end."""

_STOPS: dict[str, Stop] = {
    "tool_calls": "calls",
    "function_call": "calls",
    "length": "cut",
    "content_filter": "refused",
}


def request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request for one turn. ``tools`` is the list in the Chat Completions form."""
    body: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": prompt}], "max_tokens": MAX_TOKENS}
    if tools:
        body["tools"] = tools
        body["tool_choice"] = "auto"  # the default, but llama-cpp-python shows the list only when it is said
    return Request(f"{base_url}/chat/completions", body, {})


def reply(answer: Any) -> Reply:
    """The answer of ``…/chat/completions``. Raises ``Unreadable``."""
    choices = items(mapping(answer).get("choices"))
    if not choices:
        raise Unreadable("has no `choices`")
    choice = mapping(choices[0])
    message = mapping(choice.get("message"))
    functions = [mapping(mapping(call).get("function")) for call in items(message.get("tool_calls"))]
    calls = tuple(call_from_text(function.get("name"), function.get("arguments")) for function in functions)
    text = words(message.get("content")) or words(message.get("refusal"))
    stop = _STOPS.get(words(choice.get("finish_reason")), "end")
    if calls and stop == "end":
        stop = "calls"
    return Reply(calls, text, stop, _usage(answer), words(answer.get("model")) or None)


def _usage(answer: Any) -> Usage | None:
    usage = mapping(answer.get("usage"))
    if "prompt_tokens" not in usage:
        return None
    cached = number(mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    return Usage(number(usage["prompt_tokens"]), number(usage.get("completion_tokens")), cached)


def models(answer: Any) -> list[str]:
    """The model names in an answer of ``…/models``."""
    names = (words(mapping(entry).get("id")) for entry in items(mapping(answer).get("data")))
    return [name for name in names if name]
