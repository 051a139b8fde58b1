"""Anthropic Messages: ``POST /v1/messages`` and ``/v1/messages/count_tokens``.

Source: Anthropic's API reference and the types of its Python SDK 2.14.0, read 2026-11-30.
"""

from __future__ import annotations

from typing import Any

from echolot_lsp.trial.reply import Call, Reply, Request, Stop, Unreadable, Usage, mapping, number, words

VERSION = "2023-06-01"
KEY_HEADER = "x-api-key"
KEY_PREFIX = ""
MAX_TOKENS = 2048
"""The API wants a limit; a turn that picks a tool needs far less."""

_STOPS: dict[str, Stop] = {
    "tool_use": "calls",
    "max_tokens": "cut",
    "model_context_window_exceeded": "cut",
    "refusal": "refused",
}


def request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request for one turn. ``tools`` is the list in Anthropic's form."""
    body = {"max_tokens": MAX_TOKENS, **_shared(model, tools, prompt)}
    return Request(f"{base_url}/v1/messages", body, {"anthropic-version": VERSION})


def count_request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request that asks how many input tokens ``request`` would take."""
    return Request(f"{base_url}/v1/messages/count_tokens", _shared(model, tools, prompt), {"anthropic-version": VERSION})


def _shared(model: str, tools: Any, prompt: str) -> dict[str, Any]:
    body: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": prompt}]}
    if tools:
        body["tools"] = tools
    return body


def reply(answer: Any) -> Reply:
    """The answer of ``/v1/messages``. Raises ``Unreadable``."""
    content = mapping(answer).get("content")
    if not isinstance(content, list):
        raise Unreadable("has no `content`")
    blocks = [mapping(block) for block in content]
    calls = tuple(Call(words(block.get("name")), block.get("input", {})) for block in blocks if block.get("type") == "tool_use")
    text = "\n".join(words(block.get("text")) for block in blocks if block.get("type") == "text")
    return Reply(
        calls, text, _STOPS.get(words(answer.get("stop_reason")), "end"), _usage(answer), words(answer.get("model")) or None
    )


def _usage(answer: Any) -> Usage | None:
    usage = mapping(mapping(answer).get("usage"))
    if "input_tokens" not in usage:
        return None
    read, write = number(usage.get("cache_read_input_tokens")), number(usage.get("cache_creation_input_tokens"))
    return Usage(number(usage["input_tokens"]) + read + write, number(usage.get("output_tokens")), read, write)


def counted(answer: Any) -> int:
    """The answer of ``/v1/messages/count_tokens``: input tokens. Raises ``Unreadable``."""
    value = mapping(answer).get("input_tokens")
    if not isinstance(value, int):
        raise Unreadable("has no `input_tokens`")
    return value
