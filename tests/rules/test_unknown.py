"""No rule fires on an unknown value, nor on anything that depends on one.

A finding reported while a part is unknown must be reported whatever that part turns out to be: for each bad example each part of each tool
is made unknown in turn, and what is then found is held against what is found when the part is one of many concrete values, or absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from echolot_lsp import tokens
from echolot_lsp.check import check
from echolot_lsp.model import Path, Server, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Hit, Rule, all_rules
from echolot_lsp.schema import pointer
from tests.rules.lists import raise_it, server_of_example

ABSENT = object()
CANDIDATES: list[Any] = [
    ABSENT,
    None,
    True,
    False,
    0,
    7,
    1.5,
    "",
    "object",
    "string",
    "array",
    "null",
    "Fills the water tanks of the ship at night, e.g. `fore`, and returns litres by tank.",
    "#/$defs/Nowhere",
    "n" * 2_100,
    [],
    ["a", 1],
    ["string", "null"],
    {},
    {"type": "object"},
    {"type": "string", "description": "Says what, e.g. x"},
    {"type": "object", "properties": {"sail": {"type": "string", "description": "Says what, e.g. x"}}},
    {"type": "array", "items": {}},
    {"sail": {}, "ship": True},
]
MOST_PATHS = 20
"""Parts of one tool that are tried: examples that repeat one part many times add nothing by repeating it."""


def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every part of a tool, outermost first."""
    if path:
        yield path
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from paths_of(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from paths_of(child, (*path, index))


def put(value: Any, path: Path, new: Any) -> Any:
    """``value`` with the part at ``path`` exchanged, or taken out of its object."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        changed = {key: put(child, rest, new) if key == step else child for key, child in value.items()}
        if not rest and new is ABSENT:
            del changed[step]
        return changed
    return [put(child, rest, new) if index == step else child for index, child in enumerate(value)]


def found(server: Server, rule: Rule) -> set[tuple[int | None, str]]:
    """Where a rule fires on a server."""
    costs = tokens.costs([tool.wire for tool in server.tools]) if rule.needs_costs else None
    report = check(server, rules=[rule], costs=costs, on_error=raise_it)
    return {(finding.index, pointer(finding.path)) for finding in report.findings}


def dependent_findings(rule: Rule) -> Iterator[str]:
    """Findings that a rule reports while a part is unknown, and that some value of the part would refute."""
    for example in rule.bad:
        server = server_of_example(rule, example)
        for position, tool in enumerate(server.tools[:3]):
            for path in list(paths_of(tool.wire))[:MOST_PATHS]:
                unsure = found(with_part(server, position, path, Unknown("computed")), rule)
                for value in CANDIDATES:
                    if not unsure:
                        break
                    if value is ABSENT and not may_be_absent(path):
                        continue
                    refuted = {where for where in unsure if not holds(where, found(with_part(server, position, path, value), rule))}
                    if refuted:
                        yield f"{rule.id}: {refuted} with {pointer(path)} of tool {position} unknown, but not with {value!r:.60}"
                        break


def may_be_absent(path: Path) -> bool:
    """Whether a part with an unknown value may turn out not to be there: a keyword may; a named property and an entry are there."""
    return isinstance(path[-1], str) and path[-2:-1] not in (("properties",), ("$defs",))


def holds(where: tuple[int | None, str], findings: set[tuple[int | None, str]]) -> bool:
    """Whether a finding is there, be it grouped with more places (at a shorter pointer) or at a deeper part (at a longer one)."""
    index, place = where
    return any(
        index == other and ((place + "/").startswith(at + "/") or (at + "/").startswith(place + "/")) for other, at in findings
    )


def with_part(server: Server, position: int, path: Path, value: Any) -> Server:
    """The server with one part of one tool exchanged."""
    tools = list(server.tools)
    tools[position] = Tool(wire=put(tools[position].wire, path, value), facts=tools[position].facts)
    return replace(server, tools=tuple(tools))


@pytest.mark.parametrize("rule", [rule for rule in all_rules().values() if rule.sees == "any"], ids=lambda rule: rule.id)
def test_a_finding_never_rests_on_an_unknown_value(rule: Rule) -> None:
    assert list(dependent_findings(rule)) == []


def test_a_rule_that_takes_unknown_for_absent_would_be_caught() -> None:
    def careless(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
        if not isinstance(tool.wire.get("description"), str):
            yield Hit(index, ("name",), "It has no description.")

    rule = replace(all_rules()["no-description"], id="careless", severity=Severity.NOTE, tool=careless)
    assert any("with /description of tool" in line for line in dependent_findings(rule))
