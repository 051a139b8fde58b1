"""The law of fixes, in the text: after a safe fix its finding is gone, no new one has come, and the list differs only as the fix says."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from echolot_lsp.check import check
from echolot_lsp.extract.json import extract_json
from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.fixes import applied, edits
from echolot_lsp.model import Finding, Operation, Server
from echolot_lsp.rules import all_rules
from tests.realistic import realistic_lists
from tests.schemas import schemas, tool_lists

CASES = sorted((Path(__file__).parent / "cases").glob("*/tools.json"))
PYTHON = "from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\n\nserver = Server('depot')\n\n\n@server.list_tools()\nasync def tools():\n    return [\n{}\n    ]\n"


def as_json(tools: Sequence[Any]) -> tuple[str, str]:
    return "/depot/tools.json", json.dumps({"tools": list(tools)}, indent=2, ensure_ascii=False)


def as_python(tools: Sequence[Any]) -> tuple[str, str]:
    """The list as literal ``Tool(…)`` calls of a low-level server."""
    calls = [
        f"        Tool({', '.join(f'{key}={value!r}' for key, value in tool.items() if key.isidentifier())})," for tool in tools
    ]
    return "/depot/app.py", PYTHON.format("\n".join(calls))


def read(file: str, text: str) -> Server | None:
    extraction = extract_json(file, text) if file.endswith(".json") else extract_python(file, Disk({file: text}))
    return extraction.servers[0] if extraction.servers else None


def findings(server: Server) -> list[Finding]:
    def fail(rule: object, error: Exception) -> None:
        raise error

    return list(check(server, on_error=fail).findings)


def performed(tools: list[Any], operations: Sequence[Operation]) -> list[Any]:
    """The list with operations performed on it, as data; removals from the end, as the operations' paths mean."""
    for operation in [one for one in operations if one.kind == "set"] + sorted(
        (one for one in operations if one.kind == "remove"), key=lambda one: [str(step) for step in one.path], reverse=True
    ):
        holder = tools[operation.index]
        for step in operation.path[:-1]:
            holder = holder[step]
        if operation.kind == "set":
            holder[operation.path[-1]] = operation.value
        else:
            del holder[operation.path[-1]]
    return tools


def faults(file: str, text: str) -> Iterator[tuple[str, list[str]]]:
    """Every safe fix of a source, by its finding's rule, with what it breaks of the law; last all of them at once, round by round."""
    server = read(file, text)
    if server is None:
        return
    before = findings(server)
    for finding in before:
        if finding.fix is not None and finding.fix.safe and (made := edits(server, [finding])):
            yield finding.rule, list(_faults(server, before, finding, applied(text, made[file])))
    yield "all", list(_faults_of_all(file, text))


def _faults(server: Server, before: list[Finding], mended: Finding, text: str) -> Iterator[str]:
    assert mended.fix is not None
    after = read(server.path or "", text)
    if after is None:
        yield "the list is gone"
        return
    wanted = performed([copy.deepcopy(dict(tool.wire)) for tool in server.tools], mended.fix.operations)
    if [dict(tool.wire) for tool in after.tools] != wanted:
        yield "the list is not what the fix says"
    had, left = kinds(before), kinds(findings(after))
    if left[mended.rule, mended.index] >= had[mended.rule, mended.index]:
        yield "the finding is still there"
    yield from (f"{rule} is new" for rule, index in left if left[rule, index] > had[rule, index])


def _faults_of_all(file: str, text: str, rounds: int = 10) -> Iterator[str]:
    server = read(file, text)
    had = kinds(findings(server)) if server else Counter()
    for _ in range(rounds):
        assert server is not None
        made = edits(server, [finding for finding in findings(server) if finding.fix is not None and finding.fix.safe])
        if not made:
            break
        text = applied(text, made[file])
        server = read(file, text)
    else:
        yield "there is always more to mend"
    left = kinds(findings(server)) if server else Counter()
    yield from (f"{rule} is new" for rule, index in left if left[rule, index] > had[rule, index])


def kinds(found: list[Finding]) -> Counter[tuple[str, int | None]]:
    """How many findings of each rule each tool has."""
    return Counter((finding.rule, finding.index) for finding in found)


def holds(file: str, text: str) -> int:
    """Checks the law for every safe fix of a source; how many there were."""
    found = list(faults(file, text)) or [("all", [])]
    assert not [each for each in found if each[1]]
    return len(found) - 1


def examples() -> Iterator[Any]:
    for rule in all_rules().values():
        for number, example in enumerate((*rule.bad, *rule.good)):
            yield pytest.param(example.tools, id=f"{rule.id}-{number}")


@pytest.mark.parametrize("tools", list(examples()))
def test_safe_fixes_of_the_rules_examples_keep_the_law(tools: Sequence[Mapping[str, Any]]) -> None:
    holds(*as_json(tools))
    if all(isinstance(tool, Mapping) for tool in tools):
        holds(*as_python(tools))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_safe_fixes_of_reported_failures_keep_the_law(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    holds("/depot/tools.json", text)
    tools = json.loads(text)["tools"]
    if all(isinstance(tool, Mapping) for tool in tools):
        holds(*as_python(tools))


def test_there_are_safe_fixes_in_both_kinds_of_source() -> None:
    tools = [example.tools for rule in ("required-undefined", "schema-no-properties") for example in all_rules()[rule].bad]
    assert all(holds(*as_json(each)) for each in tools)
    assert all(holds(*as_python(each)) for each in tools)


FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@FEW
@given(tool_lists(schemas()))
def test_safe_fixes_of_random_lists_keep_the_law(tools: list[Any]) -> None:
    holds(*as_json(tools))
    holds(*as_python(tools))


@FEW
@given(realistic_lists())
def test_safe_fixes_of_lists_like_real_ones_keep_the_law(tools: list[Any]) -> None:
    holds(*as_json(tools))
    holds(*as_python(tools))
