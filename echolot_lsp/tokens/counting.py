"""Tokens of one tool for a model family: vocabulary, rendering and the figure per tool, remembered by content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from echolot_lsp.tokens import render
from echolot_lsp.tokens.families import Family, Vocabulary

CLAUDE_RATIO: Mapping[Vocabulary, float] = {"claude_v3": 1.07, "claude_v4": 1.385}
"""Claude tokens per o200k token over English tool JSON; used where Claude's vocabulary is missing (fitted 2026-11-30)."""


def text_counter(vocabulary: Vocabulary) -> Callable[[str], int]:
    """Tokens of a text. Claude's falls back to a ratio over o200k where its file is missing."""
    from echolot_lsp.tokens import claude, gemma, o200k

    if vocabulary == "o200k":
        return o200k.counter()
    if vocabulary == "gemma3":
        return gemma.counter()
    try:
        return claude.counter("v3" if vocabulary == "claude_v3" else "v4")
    except FileNotFoundError:
        ratio, counter = CLAUDE_RATIO[vocabulary], o200k.counter()
        return lambda text: round(ratio * counter(text))


def tool_tokens(family: Family, tool: Mapping[str, Any]) -> int:
    """Tokens of one tool in its provider's form, without what is added once a list."""
    count = text_counter(family.vocabulary)
    if family.rendering == "claude":
        return count(render.claude(tool)) + family.each
    if family.rendering in ("typescript", "typescript-titles"):
        titles = family.rendering == "typescript-titles"
        return count(";\n\n" + render.typescript(tool, titles)) - _bare_first(tool, titles)
    if family.rendering == "gemma":
        text = render.gemma(tool)
        pieces = text.split(render.QUOTE)
        return sum(map(count, pieces)) + len(pieces) - 1 + family.each
    if family.rendering == "gemini-2.5":
        return _gemini_2_5(tool, count)
    return sum(map(count, render.texts(tool)))


def frame_tokens(family: Family, first: Mapping[str, Any] | None) -> int:
    """Tokens of what stands round the list: OpenAI's namespace, whose start depends on how the first tool begins."""
    if not family.rendering.startswith("typescript") or first is None:
        return 0
    count = text_counter(family.vocabulary)
    start = "//" if first.get("description") else "type"
    opened = count("namespace functions {\n\n" + start) - count(";\n\n" + start)
    return opened + count(";\n\n} // namespace functions")


def _bare_first(tool: Mapping[str, Any], titles: bool) -> int:
    """1 for a tool whose first property has no comment before it (measured: such a tool costs one token less)."""
    schema = tool.get("parameters")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or not properties:
        return 0
    first = next(iter(properties.values()))
    has_comment = isinstance(first, dict) and (first.get("description") or (titles and first.get("title")))
    return 0 if has_comment else 1


def _gemini_2_5(tool: Mapping[str, Any], count: Callable[[str], int]) -> int:
    """A linear fit: Gemini 2.5's rendering is not known (median error 1.2 % on requests that were kept aside)."""
    total = -12.7 + 0.94 * count(str(tool.get("name", ""))) + 1.01 * count(str(tool.get("description") or ""))
    pending: list[Any] = [tool.get("parameters", tool.get("parametersJsonSchema"))]
    while pending:
        schema = pending.pop()
        if not isinstance(schema, dict):
            continue
        properties = schema.get("properties")
        if str(schema.get("type")).lower() == "object":
            total += 30.7
        if isinstance(properties, dict):
            for name, member in properties.items():
                total += 10.1 + 1.12 * count(name)
                if isinstance(member, dict) and isinstance(member.get("description"), str):
                    total += 0.95 * count(member["description"])
            pending.extend(properties.values())
        if isinstance(schema.get("enum"), list):
            total += 2.57 * sum(count(value) for value in schema["enum"] if isinstance(value, str))
        pending.append(schema.get("items"))
        if isinstance(schema.get("anyOf"), list):
            pending.extend(schema["anyOf"])
    return max(0, round(total))
