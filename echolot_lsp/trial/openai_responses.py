"""OpenAI Responses: ``POST /v1/responses`` and ``/v1/responses/input_tokens``.

Source: OpenAI's OpenAPI document of 2026-08-21 and the types of its Python SDK 3.57.0, read 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.trial.reply import Reply, Request, Stop, Unreadable, Usage, call_from_text, items, mapping, number, words

KEY_HEADER = "authorization"
KEY_PREFIX = "Bearer "


def request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request for one turn. ``tools`` is the list in the Responses form. ``store: false``: OpenAI keeps no copy for later."""
    return Request(f"{base_url}/responses", {**_shared(model, tools, prompt), "store": False}, {})


def count_request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request that asks how many input tokens ``request`` would take."""
    return Request(f"{base_url}/responses/input_tokens", _shared(model, tools, prompt), {})


def _shared(model: str, tools: Any, prompt: str) -> dict[str, Any]:
    body: dict[str, Any] = {"model": model, "input": prompt}
    if tools:
        body["tools"] = tools
    return body


def reply(answer: Any) -> Reply:
    """The answer of ``/v1/responses``. Raises ``Unreadable``."""
    output = mapping(answer).get("output")
    if not isinstance(output, list):
        raise Unreadable("has no `output`")
    entries = [mapping(entry) for entry in output]
    calls = tuple(
        call_from_text(entry.get("name"), entry.get("arguments")) for entry in entries if entry.get("type") == "function_call"
    )
    parts = [part for entry in entries if entry.get("type") == "message" for part in _parts(entry)]
    text = "\n".join(words(part.get("text")) or words(part.get("refusal")) for part in parts)
    refused = any(part.get("type") == "refusal" for part in parts)
    return Reply(calls, text, _stop(answer, bool(calls), refused), _usage(answer), words(answer.get("model")) or None)


def _parts(entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for part in items(entry.get("content")):
        yield mapping(part)


def _stop(answer: Any, calls: bool, refused: bool) -> Stop:
    if answer.get("status") == "incomplete":
        reason = mapping(answer.get("incomplete_details")).get("reason")
        return "refused" if reason == "content_filter" else "cut"
    if refused:
        return "refused"
    return "calls" if calls else "end"


def _usage(answer: Any) -> Usage | None:
    usage = mapping(answer.get("usage"))
    if "input_tokens" not in usage:
        return None
    cached = number(mapping(usage.get("input_tokens_details")).get("cached_tokens"))
    return Usage(number(usage["input_tokens"]), number(usage.get("output_tokens")), cached)


def counted(answer: Any) -> int:
    """The answer of ``/v1/responses/input_tokens``: input tokens. Raises ``Unreadable``."""
    value = mapping(answer).get("input_tokens")
    if not isinstance(value, int):
        raise Unreadable("has no `input_tokens`")
    return value
