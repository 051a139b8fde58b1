"""Costs that are carried over, joined and counted again: always those of a count of the whole list."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

from echolot_lsp import tokens
from echolot_lsp.lsp.costs import carried
from echolot_lsp.lsp.counting import Counted, Counting
from echolot_lsp.model import Costs, ProviderName, Server, Tool
from tests.lsp.desk import run


class Straight:
    """Counts in this process, and remembers how many tools it was sent."""

    def __init__(self) -> None:
        self.sent: list[int] = []

    async def costs(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str]) -> Costs:
        self.sent.append(len(tools))
        await asyncio.sleep(0)
        return tokens.costs(tools, models)

    async def close(self) -> None:
        pass


def tool(name: str, text: str) -> Tool:
    return Tool({"name": name, "description": text, "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}})


def server(*tools: Tool) -> Server:
    return Server("depot", "json", "tools.json", tools)


def test_whatever_changes_the_costs_are_those_of_the_whole_list() -> None:
    async def work() -> None:
        source = random.Random(3)
        straight = Straight()
        answers: list[Counted] = []
        counting = Counting(straight, lambda path, counted: answers.append(counted))
        tools = [tool(f"tool_{number}", "Says something. " * number) for number in range(12)]
        for step in range(12):
            counting.want("tools.json", (server(*tools),), {})
            await counting.idle()
            ((_, costs),) = answers[-1]
            assert costs == tokens.costs([each.wire for each in tools])
            place = source.randrange(len(tools))
            change = source.choice(["edit", "first", "insert", "remove"])
            if change == "edit":
                tools[place] = tool(f"tool_{step}_x", "Says more. " * step)
            elif change == "first":
                tools[0] = tool(f"first_{step}", "Comes first.")
            elif change == "insert":
                tools.insert(place, tool(f"new_{step}", "Is new."))
            else:
                del tools[place]
        assert max(straight.sent[1:]) <= 2
        await counting.close()

    run(work())


def test_a_list_that_is_emptied_and_filled_again_is_counted() -> None:
    async def work() -> None:
        answers: list[Counted] = []
        counting = Counting(Straight(), lambda path, counted: answers.append(counted))
        for tools in ([tool("a", "A."), tool("b", "B.")], [], [tool("c", "C.")]):
            counting.want("tools.json", (server(*tools),), {})
            await counting.idle()
            assert answers[-1][0][1] == tokens.costs([each.wire for each in tools])

    run(work())


def test_a_list_that_is_overtaken_is_not_reported() -> None:
    async def work() -> None:
        answers: list[Counted] = []
        counting = Counting(Straight(), lambda path, counted: answers.append(counted))
        older, newer = server(tool("a", "A.")), server(tool("b", "B."))
        counting.want("tools.json", (older,), {})
        await asyncio.sleep(0)
        counting.want("tools.json", (newer,), {})
        await counting.idle()
        assert [counted[0][0] for counted in answers] == [newer]

    run(work())


def test_a_tool_keeps_its_number_until_it_is_counted_again() -> None:
    one, two = tool("one", "The first."), tool("two", "The second.")
    costs = tokens.costs([one.wire, two.wire])
    before = server(one, two)
    retyped, third = tool("two", "The second, better."), tool("three", "The third.")
    now = carried(server(one, retyped, third), before, costs)
    for provider, cost in now.items():
        assert [each.tokens for each in cost.tools][:2] == [each.tokens for each in costs[provider].tools]
        assert cost.tools[2].tokens == 0
        assert cost.at_least
        assert cost.total == cost.surcharge + sum(each.tokens for each in cost.tools)
