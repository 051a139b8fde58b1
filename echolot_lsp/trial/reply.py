"""What a model answered, in one shape for all four protocols."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Stop = Literal["end", "calls", "cut", "refused", "broken"]
"""Why the answer ended: it was complete, it calls tools, a token limit cut it, the provider's filter stopped it, or the model
wrote a call that the provider could not read."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model would make. ``arguments`` is what it passed: an object, or whatever else it wrote.

    ``fault`` says why arguments that came as JSON text could not be read; ``arguments`` is that text then.
    ``in_text``: the model wrote the call as plain text, a real client would not see it.
    """

    name: str
    arguments: Any
    fault: str | None = None
    in_text: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one turn, as the provider reports them. ``input`` includes what was read from or written to a cache."""

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: the calls, the text around them, why it ended, and the tokens (``None``: the server did not say)."""

    calls: tuple[Call, ...]
    text: str
    stop: Stop
    usage: Usage | None = None
    model: str | None = None
    """The model that the server says it was; ``None`` where it does not say."""


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request, without its key: ``headers`` hold none, ``send`` adds it."""

    url: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]


class Unreadable(ValueError):
    """An answer that is no answer in this protocol. The message is the end of a sentence: "has no `choices`"."""


def call_from_text(name: object, text: object) -> Call:
    """A call whose arguments came as JSON text (OpenAI's protocols)."""
    shown = name if isinstance(name, str) else json.dumps(name)
    if isinstance(text, Mapping):
        return Call(shown, dict(text))
    if text is None or text == "":
        return Call(shown, {})
    if not isinstance(text, str):
        return Call(shown, text)
    try:
        return Call(shown, json.loads(text))
    except (ValueError, RecursionError) as error:
        return Call(shown, text, fault=f"The arguments are not JSON: {_where(error)}.")


def _where(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[0].lower()}{error.msg[1:]} at character {error.pos + 1}"
    return "they nest too deeply"


DEEPEST = 100
"""Levels of objects and arrays in the arguments of a call that are looked at."""


def is_too_deep(value: Any) -> bool:
    """Whether a value nests deeper than ``DEEPEST``."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for item in level
            for inner in (item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
        ]
        if not level:
            return False
    return True


def mapping(value: object) -> Mapping[str, Any]:
    """``value`` when it is an object, else an empty one: answers of others are read without trust."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> list[Any]:
    """``value`` when it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def number(value: object) -> int:
    """``value`` when it is a whole number of tokens, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def words(value: object) -> str:
    """``value`` when it is a string, else an empty one."""
    return value if isinstance(value, str) else ""
