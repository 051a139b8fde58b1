"""What a tool list costs at a provider, counted offline: each provider's own vocabulary, rendering and surcharge.

``count`` answers for one request, ``cost`` for a list tool by tool, ``costs`` for all providers, ``at_most`` bounds a tool without
any vocabulary. Nothing is downloaded and nothing is written to the disk. Vocabularies load when they are first needed, which holds
the interpreter for up to half a second each: a server counts in ``tokens.child``.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

from echolot_lsp.model import PROVIDERS, Cost, Costs, ProviderName, ToolCost
from echolot_lsp.providers import wire_form
from echolot_lsp.tokens import counting
from echolot_lsp.tokens.families import DEFAULT_MODELS, Family, family_of

__all__ = ["DEFAULT_MODELS", "at_most", "cost", "costs", "count"]

Cache = MutableMapping[Any, ToolCost]
"""Costs of tools that were counted before, by family and content; one is kept for all callers unless another is given."""

_EMPTY = {"type": "object", "properties": {}}


def count(
    provider: ProviderName,
    tools: Sequence[Mapping[str, Any]],
    model: str | None = None,
    *,
    api: str | None = None,
    tool_choice: str = "auto",
    has_system: bool = False,
) -> int:
    """Tokens of the tool part of one request, surcharge included; 0 without tools.

    ``tools``: dicts of the MCP wire. ``api``: OpenAI's ``"responses"`` (default) or ``"chat"``. ``tool_choice``: ``"auto"``, ``"any"``,
    ``"tool"``, ``"none"``, ``"required"``, ``"named"``, with ``_noparallel`` where parallel calls are off. ``has_system``: the request
    has a system message (it matters for gpt-4o in Chat).
    """
    family = family_of(provider, model or DEFAULT_MODELS[provider])
    forms = _forms(provider, tools)
    if not forms:
        return 0
    place = "chat+system" if api == "chat" and has_system else api or "responses"
    once = family.surcharge(place, tool_choice) + counting.frame_tokens(family, forms[0])
    return once + sum(counting.tool_tokens(family, form) for form in forms)


def cost(provider: ProviderName, tools: Sequence[Mapping[str, Any]], model: str | None = None, cache: Cache | None = None) -> Cost:
    """What ``tools`` cost at ``provider``, tool by tool. Unknown parts are left out and make it ``at_least``."""
    model = model or DEFAULT_MODELS[provider]
    family = family_of(provider, model)
    conversion = wire_form(provider, tools)
    forms = _unwrapped(provider, conversion.value)
    each = tuple(_tool_cost(provider, family, tool, form) for tool, form in zip(tools, forms, strict=True))
    once = family.surcharge("responses", "auto") + counting.frame_tokens(family, forms[0]) if forms else 0
    total = once + sum(tool.tokens for tool in each)
    return Cost(provider, model, total, once, each, family.borrowed, bool(conversion.unknown))


def costs(
    tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str] | None = None, cache: Cache | None = None
) -> Costs:
    """The cost at each provider. ``models`` picks other models than ``DEFAULT_MODELS``."""
    return {provider: cost(provider, tools, (models or {}).get(provider), cache) for provider in PROVIDERS}


def at_most(tool: Mapping[str, Any]) -> int:
    """Tokens that a tool cannot exceed at any provider, without any vocabulary."""
    import json

    return 3 * len(json.dumps(tool, default=str))


def _tool_cost(provider: ProviderName, family: Family, tool: Mapping[str, Any], form: Mapping[str, Any]) -> ToolCost:
    tokens = counting.tool_tokens(family, form)
    if "inputSchema" not in tool:
        return ToolCost(tokens, 0)
    bare = _forms(provider, [{**tool, "inputSchema": _EMPTY}])[0]
    return ToolCost(tokens, max(0, tokens - counting.tool_tokens(family, bare)))


def _forms(provider: ProviderName, tools: Sequence[Mapping[str, Any]]) -> list[Any]:
    return _unwrapped(provider, wire_form(provider, tools).value)


def _unwrapped(provider: ProviderName, value: list[Any]) -> list[Any]:
    if provider == "gemini":
        return list(value[0]["functionDeclarations"]) if value else []
    return value
