"""Costs in the language server: counted in a child process, and carried over from the last count while a new one is under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from echolot_lsp.model import Cost, Costs, ProviderName, Server, Tool, ToolCost, is_known

_UNKNOWN = ToolCost(0, 0)


def carried(server: Server, counted: Server, costs: Costs) -> Costs:
    """The costs of ``server`` as far as a count of an earlier ``counted`` tells: exact where the lists are the same.

    A tool keeps its number while it is being typed. One that was not there before is left out: ``at_least``.
    """
    if not costs or server.tools == counted.tools:
        return costs
    origin = _origins(server.tools, counted.tools)
    return {provider: _cost(cost, origin) for provider, cost in costs.items()}


def _origins(tools: Sequence[Tool], before: Sequence[Tool]) -> list[int | None]:
    """For each tool its position in the list that was counted."""
    same = {id(tool): index for index, tool in enumerate(before)}
    named = {tool.name: index for index, tool in enumerate(before) if tool.name is not None}
    aligned = len(tools) == len(before)
    found: list[int | None] = []
    for index, tool in enumerate(tools):
        own = same.get(id(tool), named.get(tool.name or ""))
        found.append(index if own is None and aligned else own)
    return found


def _cost(cost: Cost, origin: Sequence[int | None]) -> Cost:
    known = [None if index is None or index >= len(cost.tools) else cost.tools[index] for index in origin]
    tools = tuple(each or _UNKNOWN for each in known)
    total = sum(tool.tokens for tool in tools)
    surcharge = cost.surcharge if tools else 0
    return replace(cost, tools=tools, total=total + surcharge, at_least=cost.at_least or None in known)


def new_tools(tools: Sequence[Tool], before: Sequence[Tool]) -> list[int]:
    """The positions of the tools that were not in the earlier list."""
    known = {id(tool) for tool in before}
    return [index for index, tool in enumerate(tools) if id(tool) not in known]


def joined(server: Server, known: Server, costs: Costs, sent: Sequence[int], part: Costs) -> Costs:
    """The costs of ``server`` from those of an earlier list and a count of the tools at ``sent``, the first of the list among them
    (what a provider adds once may depend on it)."""
    origin = {id(tool): index for index, tool in enumerate(known.tools)}
    found: dict[ProviderName, Cost] = {}
    for provider, cost in part.items():
        fresh = dict(zip(sent, cost.tools, strict=True))
        before = costs[provider]
        tools = tuple(fresh.get(index) or before.tools[origin[id(tool)]] for index, tool in enumerate(server.tools))
        unknown = cost.at_least or (before.at_least and not all(is_known(tool.wire) for tool in server.tools))
        total = cost.surcharge + sum(tool.tokens for tool in tools)
        found[provider] = replace(cost, tools=tools, total=total, at_least=unknown)
    return found


def labels(costs: Mapping[ProviderName, Cost]) -> tuple[tuple[int, ...], ...]:
    """All numbers that hints and lenses show: when they are the same, nothing has to be drawn anew."""
    return tuple((cost.total, *(tool.tokens for tool in cost.tools)) for cost in costs.values())
