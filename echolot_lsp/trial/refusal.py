"""A status that is no success -> one plain sentence, and the tool that the provider names.

Shapes of the error bodies: the three providers' API references, read 2026-11-30; the wordings that name a tool are those of public
reports (Anthropic ``tools.3.custom.name``, OpenAI ``tools[3]…`` and ``function 'x'``, Gemini ``function_declarations[3]``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from echolot_lsp.errors import TrialError
from echolot_lsp.trial.endpoint import KNOWN, Endpoint
from echolot_lsp.trial.reply import items, mapping, words

LONGEST_QUOTE = 600
"""Characters of a provider's own message that are shown."""


class Refusal(TrialError):
    """A provider's answer that is no success. ``tool``: the position of the tool that it names. ``again``: seconds to wait.

    ``final``: asking the same endpoint again would not help (a bad key, an unknown model, a refused list).
    """

    def __init__(self, text: str, *, tool: int | None = None, again: float | None = None, final: bool = False) -> None:
        super().__init__(text)
        self.tool = tool
        self.again = again
        self.final = final


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the headers (lower-case names), the body as JSON or ``None``."""

    status: int
    headers: Mapping[str, str]
    body: Any


def refusal(endpoint: Endpoint, answer: Answer, tool_names: Sequence[str]) -> Refusal:
    """The error that a status of 300 or more stands for."""
    said = redacted(_message(answer.body), endpoint)
    quote = f": {said}" if said else "."
    title, status = endpoint.title, answer.status
    if status < 400:
        return Refusal(f"{endpoint.origin} sends the request on to another address ({status}); it is not followed.", final=True)
    if status == 401:
        whose = f"the key in {endpoint.key_name}" if endpoint.key_name else f"a request without a key: set {_wanted(endpoint)}"
        return Refusal(f"{title} refuses {whose} (401){quote}", final=True)
    if status == 403:
        return Refusal(f"{title} does not let this key use {endpoint.model} (403){quote}", final=True)
    if status == 404:
        return Refusal(f"{title} has no model {endpoint.model} at {endpoint.origin} (404){quote}", final=True)
    if status == 413:
        return Refusal(f"{title} finds the list and the prompt too large (413){quote}", final=True)
    if status == 429:
        return _too_many(title, answer, quote)
    if status >= 500:
        what = f"is overloaded ({status}), try again later" if status in (503, 529) else f"failed ({status})"
        return Refusal(f"{title} {what}{quote}", again=_seconds(answer))
    if status in (408, 409, 425):
        return Refusal(f"{title} could not answer now ({status}){quote}", again=_seconds(answer))
    tool = named_tool(said, _parameter(answer.body), tool_names)
    return Refusal(f"{title} refuses the request ({status}){quote}", tool=tool, final=tool is not None or status == 400)


def _wanted(endpoint: Endpoint) -> str:
    return " or ".join(KNOWN[endpoint.provider].keys) or "ECHOLOT_API_KEY"


def _too_many(title: str, answer: Answer, quote: str) -> Refusal:
    code = words(mapping(mapping(answer.body).get("error")).get("code"))
    if code == "insufficient_quota":
        return Refusal(f"The quota of this key at {title} is used up (429){quote}", final=True)
    seconds = _seconds(answer)
    when = "later" if seconds is None else f"in {seconds:g} s"
    return Refusal(f"{title} takes no more requests for now (429): try again {when}{quote}", again=seconds)


def _seconds(answer: Answer) -> float | None:
    """How long to wait: ``retry-after-ms``, ``retry-after`` (seconds or a date), or Gemini's ``RetryInfo``."""
    milliseconds = _number(answer.headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    after = answer.headers.get("retry-after")
    seconds = _number(after)
    if seconds is None and after:
        seconds = _until(after)
    if seconds is not None:
        return seconds
    for detail in items(mapping(mapping(answer.body).get("error")).get("details")):
        delay = words(mapping(detail).get("retryDelay"))
        if delay.endswith("s"):
            return _number(delay[:-1])
    return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return round(value, 1) if 0 <= value < 1e7 else None


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, round((moment - datetime.now(UTC)).total_seconds(), 1))


def _message(body: Any) -> str:
    """The provider's own words: ``error.message`` (all four), ``error`` or ``message`` or ``detail`` (local servers)."""
    if isinstance(body, list) and body:
        body = body[0]
    error = mapping(body).get("error")
    found = words(mapping(error).get("message")) or words(error) or words(mapping(body).get("message"))
    found = found or words(mapping(body).get("detail"))
    found = " ".join(found.split())
    return found if len(found) <= LONGEST_QUOTE else f"{found[:LONGEST_QUOTE]} …"


def _parameter(body: Any) -> str:
    return words(mapping(mapping(body).get("error")).get("param"))


_BY_POSITION = (
    re.compile(r"\btools\.(\d+)\."),
    re.compile(r"function_?[dD]eclarations\[(\d+)\]"),
    re.compile(r"\btools\[(\d+)\]"),
)
_BY_NAME = re.compile(r"""\b(?:function|tool|declaration|found)\b[:\s]+(?=['"`]?([^\s'"`,:]{1,128}))""", re.IGNORECASE)


def named_tool(message: str, parameter: str, tool_names: Sequence[str]) -> int | None:
    """The position of the tool that an error names, by position or by name; ``None`` where it names none for certain."""
    named = (match[1].rstrip(".") for match in _BY_NAME.finditer(message))
    by_name = next((list(tool_names).index(name) for name in named if name in tool_names), None)
    return next(
        (index for index in (_position(parameter, tool_names), by_name, _position(message, tool_names)) if index is not None), None
    )


def _position(text: str, tool_names: Sequence[str]) -> int | None:
    for pattern in _BY_POSITION:
        match = pattern.search(text)
        if match and int(match[1]) < len(tool_names):
            return int(match[1])
    return None


def redacted(text: str, endpoint: Endpoint) -> str:
    """``text`` without the endpoint's key, whole or the part that providers quote."""
    key = endpoint.key
    if not key:
        return text
    text = text.replace(key, "•••")
    if len(key) >= 12:
        text = re.sub(rf"{re.escape(key[:4])}\S*{re.escape(key[-4:])}", "•••", text)
    return text
