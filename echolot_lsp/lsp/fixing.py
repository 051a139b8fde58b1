"""From fixes to edits of the texts: the frontend that read a tool says which characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from echolot_lsp.lsp.view import Shown
from echolot_lsp.lsp.workspace_edits import Edit, apart
from echolot_lsp.model import Finding, Operation


def edits(shown: Shown, findings: Iterable[Finding]) -> Mapping[str, list[Edit]]:
    """The edits, by file, that mend ``findings`` (those that have a fix)."""
    wanted: dict[int, list[Operation]] = {}
    for finding in findings:
        for operation in finding.fix.operations if finding.fix is not None else ():
            if operation not in wanted.setdefault(operation.index, []):
                wanted[operation.index].append(operation)
    found: dict[str, list[Edit]] = {}
    for index, operations in wanted.items():
        for path, each in _of_tool(shown, index, operations).items():
            found.setdefault(path, []).extend(each)
    return {path: apart(each) for path, each in found.items() if each}


def _of_tool(shown: Shown, index: int, operations: list[Operation]) -> Mapping[str, list[Edit]]:
    server = shown.server
    tool = server.tools[index]
    if server.origin == "json" and tool.home is not None:
        from echolot_lsp.extract.json import edits as json_edits

        return {tool.home.file: list(json_edits.edits(server.sources[tool.home.file], tool, operations))}
    if server.origin == "python":
        from echolot_lsp.extract.python import edits as python_edits

        return python_edits.edits(server, tool, operations)
    return {}
