"""From findings to edits of the texts: a rule says what to change, the frontend that read the tool says which characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from echolot_lsp.model import Finding, Fix, Operation, Server

Edit: TypeAlias = tuple[int, int, str]
"""Start, end (offsets in code points) and new text."""


def edits(server: Server, findings: Iterable[Finding]) -> Mapping[str, list[Edit]]:
    """The edits, by file, that mend ``findings`` of a server (those that have a fix). They do not overlap."""
    wanted: dict[int, list[Fix]] = {}
    for finding in findings:
        if finding.fix is not None and finding.fix.operations:
            wanted.setdefault(finding.fix.operations[0].index, []).append(finding.fix)
    found: dict[str, list[Edit]] = {}
    for index, fixes in wanted.items():
        for path, each in _of_tool(server, index, fixes).items():
            found.setdefault(path, []).extend(each)
    return {path: apart(each) for path, each in found.items() if each}


def apart(made: Iterable[Edit]) -> list[Edit]:
    """The edits in order, without those that overlap an earlier one."""
    found: list[Edit] = []
    for edit in sorted(dict.fromkeys(made), key=lambda edit: edit[:2]):
        if not found or edit[0] >= found[-1][1]:
            found.append(edit)
    return found


def applied(text: str, made: Iterable[Edit]) -> str:
    """``text`` with edits made."""
    for start, end, new in reversed(apart(made)):
        text = text[:start] + new + text[end:]
    return text


def _of_tool(server: Server, index: int, fixes: Sequence[Fix]) -> Mapping[str, list[Edit]]:
    tool = server.tools[index]
    if server.origin == "json" and tool.home is not None:
        from echolot_lsp.extract.json import edits as json_edits

        operations: list[Operation] = []
        for operation in (each for fix in fixes for each in fix.operations):
            if operation not in operations:
                operations.append(operation)
        return {tool.home.file: list(json_edits.edits(server.sources[tool.home.file], tool, operations))}
    if server.origin == "python":
        from echolot_lsp.extract.python import edits as python_edits

        return python_edits.edits(server, tool, fixes)
    return {}
