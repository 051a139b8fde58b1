"""Servers out of wire tools, as the rule tests need them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from echolot_lsp import tokens
from echolot_lsp.check import check
from echolot_lsp.model import Finding, Report, Server, Tool
from echolot_lsp.rules import Example, Rule
from echolot_lsp.schema import pointer


def server_of(tools: Sequence[Mapping[str, Any]], **members: Any) -> Server:
    """A server of a JSON document."""
    made = tuple(Tool(wire=tool) for tool in tools)
    return Server(**{"name": "", "origin": "json", "path": "tools.json", "tools": made, **members})


def server_of_example(rule: Rule, example: Example) -> Server:
    """The server that an example stands for; examples of Python and live rules bring facts."""
    facts: dict[int | None, list[Any]] = {}
    for index, fact in example.facts:
        facts.setdefault(index, []).append(fact)
    tools = tuple(Tool(wire=wire, facts=tuple(facts.get(index, ()))) for index, wire in enumerate(example.tools))
    origin = {"any": "json", "python": "python", "live": "live"}[rule.sees]
    named = {"origin": "python", "name": example.server} if example.server else {"origin": origin}
    return replace(server_of(()), tools=tools, facts=tuple(facts.get(None, ())), **named)


def report_of(server: Server, rules: Iterable[Rule] | None = None) -> Report:
    """The report with real costs; a rule that raises fails the test."""
    costs = tokens.costs([tool.wire for tool in server.tools])
    return check(server, rules=rules, costs=costs, on_error=raise_it)


def raise_it(rule: Rule, error: Exception) -> None:
    """Let a rule's exception through."""
    raise AssertionError(f"{rule.id} raised {error!r}") from error


def places(findings: Iterable[Finding]) -> list[tuple[int | None, str]]:
    """(index, pointer) of each finding."""
    return [(finding.index, pointer(finding.path)) for finding in findings]
