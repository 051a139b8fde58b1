"""From findings to edits of the texts: a rule says what to change, the frontend that read the tool says which characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from echolot_lsp.model import Finding, Operation, Server

Edit: TypeAlias = tuple[int, int, str]
"""Start, end (offsets in code points) and new text."""


def edits(server: Server, findings: Iterable[Finding]) -> Mapping[str, list[Edit]]:
    """The edits, by file, that mend ``findings`` of a server (those that have a fix). They do not overlap."""
    wanted: dict[int, list[Operation]] = {}
    for finding in findings:
        for operation in finding.fix.operations if finding.fix is not None else ():
            if operation not in wanted.setdefault(operation.index, []):
                wanted[operation.index].append(operation)
    found: dict[str, list[Edit]] = {}
    for index, operations in wanted.items():
        for path, each in _of_tool(server, index, operations).items():
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


def _of_tool(server: Server, index: int, operations: list[Operation]) -> Mapping[str, list[Edit]]:
    tool = server.tools[index]
    if server.origin == "json" and tool.home is not None:
        from echolot_lsp.extract.json import edits as json_edits

        return {tool.home.file: list(json_edits.edits(server.sources[tool.home.file], tool, operations))}
    if server.origin == "python":
        from echolot_lsp.extract.python import edits as python_edits

        return python_edits.edits(server, tool, operations)
    return {}
