"""The short texts: which servers and tools there are, and findings one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from echolot_lsp.model import Report, Server, Tool
from echolot_lsp.render.cells import cells, cut, padded
from echolot_lsp.render.clean import clean
from echolot_lsp.render.ranges import Ranges
from echolot_lsp.render.words import counted, from_where, headline, server_name, tool_name

NAME_WIDTH = 32


def overview(servers: Sequence[Server], width: int = 100) -> str:
    """Each server in a line of its own with its tools below, one a line, their descriptions cut to ``width`` columns."""
    return "\n\n".join("\n".join(_server(server, width)) for server in servers)


def _server(server: Server, width: int) -> Iterator[str]:
    yield f"{server_name(server)} · {from_where(server)} · {counted(len(server.tools), 'tool')}"
    names = [tool_name(tool.name, index) for index, tool in enumerate(server.tools)]
    column = min(NAME_WIDTH, max((cells(name) for name in names), default=0))
    for name, tool in zip(names, server.tools, strict=True):
        about = _first_line(tool)
        yield f"  {padded(name, column)}  {cut(about, max(0, width - 4 - max(column, cells(name))))}".rstrip()
    if any(part.index is None for part in server.unresolved) or not server.complete:
        yield "  … and more that is made at run time: check the running server"


def _first_line(tool: Tool) -> str:
    description = tool.wire.get("description")
    lines = description.strip().splitlines() if isinstance(description, str) else []
    return clean(lines[0]) if lines else ""


def lines_of(reports: Sequence[Report]) -> str:
    """Every finding as ``file:line:column: severity: message [rule]``, places from 1; the headline last."""
    return "\n".join([*(line for report in reports for line in _findings(report)), headline(reports)])


def _findings(report: Report) -> Iterator[str]:
    ranges = Ranges(report.server)
    for finding in report.findings:
        place = ranges.of(finding.span, "utf-32")
        file = finding.span.file if finding.span is not None else report.server.path or report.server.name
        where = clean(file) if place is None else f"{clean(file)}:{place[0].line + 1}:{place[0].character + 1}"
        yield f"{where}: {finding.severity.value}: {clean(finding.message)} [{finding.rule}]"
