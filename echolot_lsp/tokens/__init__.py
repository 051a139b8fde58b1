"""What a tool list costs at a provider, counted offline: each provider's own vocabulary, rendering and surcharge.

``count`` answers for one request, ``cost`` for a list tool by tool, ``costs`` for all providers, ``at_most`` bounds a tool without
any vocabulary. Nothing is downloaded and nothing is written to the disk. Vocabularies load when they are first needed, which holds
the interpreter for up to half a second each: a server counts in ``tokens.child``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from echolot_lsp.model import PROVIDERS, Cost, Costs, ProviderName, ToolCost
from echolot_lsp.providers import wire_form
from echolot_lsp.providers.plain import content_key
from echolot_lsp.tokens import counting, render
from echolot_lsp.tokens.cache import Cache, Counted
from echolot_lsp.tokens.families import DEFAULT_MODELS, Family, family_of
from echolot_lsp.tokens.families import basis as basis_of

__all__ = ["DEFAULT_MODELS", "Cache", "at_most", "basis", "cost", "costs", "count"]

_EMPTY_SCHEMA: Mapping[str, Any] = {"type": "object", "properties": {}}
_SHARED = Cache()


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
    place = "chat+system" if api == "chat" and has_system else api or "responses"
    counted = _counted(provider, family, place in family.titles, tools, _keys(tools), _SHARED)
    return _once(family, counted, place, tool_choice) + sum(tool.cost.tokens for tool in counted)


def cost(provider: ProviderName, tools: Sequence[Mapping[str, Any]], model: str | None = None, cache: Cache | None = None) -> Cost:
    """What ``tools`` cost at ``provider``, tool by tool, as ``count`` answers. Unknown parts are left out: ``at_least``.

    ``cache`` keeps what was counted before, by content; without one, a cache is shared by all callers.
    """
    return _cost(provider, tools, model, _keys(tools), _SHARED if cache is None else cache)


def costs(
    tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str] | None = None, cache: Cache | None = None
) -> Costs:
    """The cost at each provider. ``models`` picks other models than ``DEFAULT_MODELS``."""
    keys = _keys(tools)
    kept = _SHARED if cache is None else cache
    return {provider: _cost(provider, tools, (models or {}).get(provider), keys, kept) for provider in PROVIDERS}


def basis(provider: ProviderName, model: str | None = None) -> str:
    """One sentence on what a provider's count rests on: the model, the vocabulary (Claude's is unofficial), measured or borrowed."""
    model = model or DEFAULT_MODELS[provider]
    return basis_of(family_of(provider, model), model)


def at_most(tool: Mapping[str, Any]) -> int:
    """Tokens that a tool cannot exceed at any provider under its default model, without the list's surcharge. Needs no vocabulary."""
    bounds = []
    for provider in PROVIDERS:
        form = _forms(provider, [tool])[0]
        if provider == "anthropic":
            text = render.claude(form)
        else:
            text = render.typescript(form, titles=True) if provider == "openai" else render.gemma(form)
        bounds.append(counting.most_tokens(text) + 10)
    return max(bounds)


def _cost(
    provider: ProviderName, tools: Sequence[Mapping[str, Any]], model: str | None, keys: Sequence[bytes], cache: Cache
) -> Cost:
    model = model or DEFAULT_MODELS[provider]
    family = family_of(provider, model)
    counted = _counted(provider, family, "responses" in family.titles, tools, keys, cache)
    once = _once(family, counted, "responses", "auto")
    each = tuple(tool.cost for tool in counted)
    borrowed = family.borrowed
    if counting.is_borrowed(family.vocabulary):
        borrowed = "Claude's vocabulary is not installed; OpenAI's stands in for it by ratio, which holds for English only"
    at_least = any(tool.unknown for tool in counted)
    return Cost(provider, model, once + sum(tool.tokens for tool in each), once, each, borrowed, at_least)


def _once(family: Family, counted: Sequence[Counted], place: str, tool_choice: str) -> int:
    if not counted:
        return 0
    return family.surcharge(place, tool_choice) + counting.frame_tokens(family, counted[0].has_description)


def _keys(tools: Iterable[Mapping[str, Any]]) -> list[bytes]:
    return [content_key(tool) for tool in tools]


def _counted(
    provider: ProviderName,
    family: Family,
    titles: bool,
    tools: Sequence[Mapping[str, Any]],
    keys: Sequence[bytes],
    cache: Cache,
) -> list[Counted]:
    result = []
    for tool, content in zip(tools, keys, strict=True):
        key = (family.name, titles, content)
        counted = cache.get(key)
        if counted is None:
            counted = _count_tool(provider, family, titles, tool)
            cache.put(key, counted)
        result.append(counted)
    return result


def _count_tool(provider: ProviderName, family: Family, titles: bool, tool: Mapping[str, Any]) -> Counted:
    conversion = wire_form(provider, [tool])
    form = _unwrapped(provider, conversion.value)[0]
    tokens = counting.tool_tokens(family, titles, form)
    bare = _forms(provider, [{**tool, "inputSchema": _EMPTY_SCHEMA}])[0]
    schema = 0
    if any(key in form or key in form.get("function", ()) for key in ("input_schema", "parameters")):
        schema = max(0, tokens - counting.tool_tokens(family, titles, bare))
    return Counted(ToolCost(tokens, schema), bool(form.get("description")), bool(conversion.unknown))


def _forms(provider: ProviderName, tools: Sequence[Mapping[str, Any]]) -> list[Any]:
    return _unwrapped(provider, wire_form(provider, tools).value)


def _unwrapped(provider: ProviderName, value: list[Any]) -> list[Any]:
    if provider == "gemini":
        return list(value[0]["functionDeclarations"]) if value else []
    return value
