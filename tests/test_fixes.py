"""The law of fixes, in the text: after a safe fix its finding is gone, no new one has come, and the list differs only as the fix says."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.check import check
from echolot_lsp.extract.json import extract_json
from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.fixes import applied, edits
from echolot_lsp.model import Finding, Operation, Server
from echolot_lsp.rules import all_rules

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


def key(finding: Finding) -> tuple[str, int | None]:
    return finding.rule, finding.index


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


def holds(file: str, text: str) -> int:
    """Checks the law for every safe fix of a source; how many there were."""
    server = read(file, text)
    if server is None:
        return 0
    before = findings(server)
    count = 0
    for finding in before:
        if finding.fix is None or not finding.fix.safe:
            continue
        made = edits(server, [finding])
        if not made:
            continue
        count += 1
        after = read(file, applied(text, made[file]))
        assert after is not None
        wanted = performed([copy.deepcopy(dict(tool.wire)) for tool in server.tools], finding.fix.operations)
        assert [dict(tool.wire) for tool in after.tools] == wanted
        left = findings(after)
        assert (finding.rule, finding.index, finding.path) not in [(one.rule, one.index, one.path) for one in left]
        assert {key(one) for one in left} <= {key(one) for one in before}
    return count


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
