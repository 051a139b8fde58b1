"""Gemini: ``POST /v1beta/models/MODEL:generateContent`` and ``:countTokens``.

Source: the Gemini API reference and ``google-ai-generativelanguage`` 0.12.1 (files of 2026-10-01), read 2026-11-30.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from echolot_lsp.trial.reply import Call, Reply, Request, Stop, Unreadable, Usage, items, mapping, number, words

KEY_HEADER = "x-goog-api-key"
KEY_PREFIX = ""

_STOPS: dict[str, Stop] = {
    "MAX_TOKENS": "cut",
    "SAFETY": "refused",
    "RECITATION": "refused",
    "BLOCKLIST": "refused",
    "PROHIBITED_CONTENT": "refused",
    "SPII": "refused",
    "MALFORMED_FUNCTION_CALL": "broken",
    "UNEXPECTED_TOOL_CALL": "broken",
}


def request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request for one turn. ``tools`` is the list in Gemini's form: ``[{"functionDeclarations": […]}]``."""
    return Request(f"{base_url}/v1beta/models/{quote(model, safe='')}:generateContent", _shared(tools, prompt), {})


def count_request(base_url: str, model: str, tools: Any, prompt: str) -> Request:
    """The request that asks how many input tokens ``request`` would take (without tools the API takes no list at all)."""
    inner = {"model": f"models/{model}", **_shared(tools, prompt)}
    return Request(f"{base_url}/v1beta/models/{quote(model, safe='')}:countTokens", {"generateContentRequest": inner}, {})


def _shared(tools: Any, prompt: str) -> dict[str, Any]:
    body: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": prompt}]}]}
    if tools and any(mapping(entry).get("functionDeclarations") for entry in tools):
        body["tools"] = tools
    return body


def reply(answer: Any) -> Reply:
    """The answer of ``:generateContent``. Raises ``Unreadable``."""
    blocked = mapping(mapping(answer).get("promptFeedback")).get("blockReason")
    candidates = items(mapping(answer).get("candidates"))
    if not candidates and not blocked:
        raise Unreadable("has no `candidates`")
    candidate = mapping(candidates[0]) if candidates else {}
    parts = [mapping(part) for part in items(mapping(candidate.get("content")).get("parts"))]
    found = [mapping(part["functionCall"]) for part in parts if "functionCall" in part]
    calls = tuple(Call(words(call.get("name")), call.get("args", {})) for call in found)
    text = "".join(words(part.get("text")) for part in parts if not part.get("thought"))
    finish = words(candidate.get("finishReason"))
    stop: Stop = "refused" if blocked else _STOPS.get(finish, "calls" if calls else "end")
    if stop == "broken" and not text:
        text = words(candidate.get("finishMessage"))
    return Reply(calls, text, stop, _usage(answer), words(mapping(answer).get("modelVersion")) or None)


def _usage(answer: Any) -> Usage | None:
    usage = mapping(mapping(answer).get("usageMetadata"))
    if "promptTokenCount" not in usage:
        return None
    asked = number(usage["promptTokenCount"]) + number(usage.get("toolUsePromptTokenCount"))
    answered = number(usage.get("candidatesTokenCount")) + number(usage.get("thoughtsTokenCount"))
    return Usage(asked, answered, number(usage.get("cachedContentTokenCount")))


def counted(answer: Any) -> int:
    """The answer of ``:countTokens``: input tokens. Raises ``Unreadable``."""
    value = mapping(answer).get("totalTokens")
    if not isinstance(value, int):
        raise Unreadable("has no `totalTokens`")
    return value
