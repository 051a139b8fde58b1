"""Tokens of one tool in its provider's form: a model family's rendering under its vocabulary."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from echolot_lsp.tokens import gemini_2_5, render
from echolot_lsp.tokens.families import Family, Vocabulary

CLAUDE_RATIO: Mapping[Vocabulary, float] = {"claude_v3": 1.07, "claude_v4": 1.385}
"""Claude tokens per o200k token over English tool JSON; used where Claude's vocabulary is missing (fitted 2026-11-30)."""

LONGEST = 1_000_000
"""Code points of a text that are counted one by one; a longer text is taken to go on as it began."""

_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")


@cache
def text_counter(vocabulary: Vocabulary) -> Callable[[str], int]:
    """Tokens of a text, in bounded time. Claude's falls back to a ratio over o200k where its file is missing (``is_borrowed``)."""
    counter, ratio = _counter(vocabulary)

    def count(text: str) -> int:
        if len(text) <= LONGEST:
            return round(ratio * counter(text))
        return round(ratio * counter(text[:LONGEST]) * len(text) / LONGEST)

    return count


def is_borrowed(vocabulary: Vocabulary) -> bool:
    """Whether the vocabulary's own file is missing, so that another is used by ratio."""
    return _counter(vocabulary)[1] != 1


@cache
def _counter(vocabulary: Vocabulary) -> tuple[Callable[[str], int], float]:
    from echolot_lsp.tokens import claude, gemma, o200k

    if vocabulary == "o200k":
        return o200k.counter(), 1
    if vocabulary == "gemma3":
        return gemma.counter(), 1
    try:
        return claude.counter("v3" if vocabulary == "claude_v3" else "v4"), 1
    except FileNotFoundError:
        return o200k.counter(), CLAUDE_RATIO[vocabulary]


def tool_tokens(family: Family, titles: bool, tool: Mapping[str, Any]) -> int:
    """Tokens of one tool in its provider's form, without what is added once a list. ``titles``: see ``Family.titles``."""
    count = text_counter(family.vocabulary)
    if family.rendering == "claude":
        return count(render.claude(tool)) + family.each
    if family.rendering == "typescript":
        text = render.typescript(tool, titles)
        return count(";\n\n" + text) - _bare_start(text)
    if family.rendering == "gemma":
        pieces = render.gemma(tool).split(render.QUOTE)
        return sum(map(count, pieces)) + len(pieces) - 1 + family.each
    if family.rendering == "gemini-2.5":
        return gemini_2_5.tokens(tool, count)
    return sum(map(count, render.texts(tool)))


def frame_tokens(family: Family, has_description: bool) -> int:
    """Tokens of what stands round a list: OpenAI's namespace, whose start depends on whether the first tool has a description."""
    if family.rendering != "typescript":
        return 0
    count = text_counter(family.vocabulary)
    start = "//" if has_description else "type"
    opened = count("namespace functions {\n\n" + start) - count(";\n\n" + start)
    return opened + count(";\n\n} // namespace functions")


def most_tokens(text: str) -> int:
    """Tokens that a text cannot exceed under any vocabulary here: a token a byte, and the borders and case of each word, which
    Claude's write out."""
    extra = sum(3 if run.isascii() else 6 for run in _RUNS.findall(text))
    return len(text.encode("utf-8", "surrogatepass")) + extra


def _bare_start(text: str) -> int:
    """1 for a tool that costs one token less than its text (measured): one whose properties begin without a comment, or one
    that has neither properties nor a comment of its own."""
    _, opened, members = text.partition(" = (_: {\n")
    return 0 if (members if opened else text).startswith("//") else 1
