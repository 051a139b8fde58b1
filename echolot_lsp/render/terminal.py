"""The report for a person at a terminal: cost, verdicts, largest tools, then the findings with place, source and advice.

Everything is ``Text`` of rich, never markup, so that names and descriptions of others stay text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from echolot_lsp.model import Default, Finding, Report, Severity, Verdict
from echolot_lsp.render.clean import clean
from echolot_lsp.render.ranges import Ranges
from echolot_lsp.render.snippet import snippet
from echolot_lsp.render.words import (
    NAMES,
    NOTHING,
    VERDICTS,
    counted,
    dearest,
    from_where,
    headline,
    largest,
    server_name,
    share,
    tool_name,
    window,
)

STYLES = {Severity.PROBLEM: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
VERDICT_STYLES = {"accepted": "green", "lossy": "yellow", "refused": "bold red"}
BAR = 24
"""Columns of the longest bar."""
ROOMY = 64
"""Columns from which the models are named."""


def report_text(reports: Sequence[Report], *, width: int, colour: bool) -> str:
    """The report as text in at most ``width`` columns (paths and source are never wrapped)."""
    console = _console(width, colour)
    with console.capture() as capture:
        for number, report in enumerate(reports):
            if number:
                console.print()
            for part in _report(report, width):
                console.print(part, soft_wrap=isinstance(part, Text) and bool(part.no_wrap))
        if len(reports) > 1:
            console.print(Text(f"\n{counted(len(reports), 'server')}: {headline(reports)}", style="bold"))
    return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))


def markdown_text(text: str, *, width: int) -> str:
    """Markdown of ours, drawn for a terminal with colours."""
    from rich.markdown import Markdown

    console = _console(width, True)
    with console.capture() as capture:
        console.print(Markdown(text, hyperlinks=False, code_theme="ansi_dark"))
    return capture.get().rstrip("\n")


def _console(width: int, colour: bool) -> Console:
    return Console(
        theme=Theme({"markdown.code": "cyan"}),
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def _report(report: Report, width: int) -> Iterator[RenderableType]:
    server = report.server
    title = Text()
    title.append(server_name(server), style="bold")
    title.append(f"  {from_where(server)}", style="dim")
    yield title
    if not server.tools:
        yield Text("  No tools.", style="dim")
    elif report.costs:
        yield Padding(Text(_size(report)), (0, 0, 0, 2))
        yield Text("")
        yield Padding(_cost_table(report, width), (0, 0, 0, 2))
        if len(server.tools) > 1:
            yield Text("\n  Largest tools", style="bold")
            yield Padding(_largest_table(report, width), (0, 0, 0, 2))
    if any(part.index is None for part in server.unresolved) or not server.complete:
        yield Text("  There is more in this list that is made at run time: check the running server too.", style="dim")
    yield Text("")
    yield _headline(report)
    ranges = Ranges(server)
    for finding in report.findings:
        yield Text("")
        yield from _finding(finding, report, ranges, width)


def _size(report: Report) -> str:
    cost = dearest(report)
    tools = counted(len(report.server.tools), "tool")
    if cost is None:
        return tools
    return f"{tools} · {share(cost.total, report.window)} of a {window(report.window)} context ({NAMES[cost.provider]})"


def _cost_table(report: Report, width: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold", pad_edge=False)
    table.add_column("Tokens a turn", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    if width >= ROOMY:
        table.add_column("counted for", overflow="ellipsis", no_wrap=True, style="dim", header_style="dim")
    table.add_column("", overflow="fold")
    for provider, cost in report.costs.items():
        at_least = cost.at_least or not report.server.complete
        tokens = Text(f"{'> ' if at_least else ''}≈ {cost.total:,}")
        model = [Text(clean(cost.model))] if width >= ROOMY else []
        table.add_row(NAMES[provider], tokens, *model, _judged(report.verdicts.get(provider)))
    return table


def _judged(verdict: Verdict | None) -> Text:
    """The verdict, and the tools that a refusal is about."""
    if verdict is None:
        return Text("")
    text = Text()
    text.append(VERDICTS[verdict.state], style=VERDICT_STYLES[verdict.state])
    if verdict.state == "refused" and verdict.why:
        text.append(f": {_culprits(verdict)}")
    return text


def _culprits(verdict: Verdict) -> str:
    names = list(dict.fromkeys(tool_name(why.tool, why.index) for why in verdict.why))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _largest_table(report: Report, width: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, show_header=False, pad_edge=False)
    table.add_column(overflow="ellipsis", no_wrap=True, max_width=max(16, width // 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    cost = dearest(report)
    ranked = largest(cost) if cost is not None else []
    bar = min(BAR, max(4, width // 4))
    for index, tokens in ranked:
        length = max(1, round(bar * tokens / max(1, ranked[0][1])))
        name = tool_name(report.server.tools[index].name, index)
        table.add_row(Text(name), Text(f"≈ {tokens:,}"), Text("█" * length, style="blue"))
    return table


def _headline(report: Report) -> Text:
    text = headline([report])
    worst = report.findings[0].severity if report.findings else None
    return Text(text if text != NOTHING else f"{NOTHING}.", style="bold green" if worst is None else STYLES[worst])


def _finding(finding: Finding, report: Report, ranges: Ranges, width: int) -> Iterator[RenderableType]:
    head = Text()
    head.append(finding.severity.value, style=STYLES[finding.severity])
    head.append(f"  {tool_name(finding.tool, finding.index)}", style="bold")
    head.append(f"  {finding.rule}", style="dim")
    if finding.default is Default.REPORT:
        head.append("  (report only)", style="dim")
    yield Padding(head, (0, 0, 0, 2))
    yield Padding(Text(clean(finding.message)), (0, 0, 0, 4))
    yield from _place(finding, report, ranges, width)
    yield Padding(_hanging("→ ", finding.advice), (0, 0, 0, 4))


def _hanging(lead: str, text: str) -> RenderableType:
    table = Table.grid()
    table.add_column(width=len(lead), no_wrap=True)
    table.add_column()
    table.add_row(Text(lead.rstrip(), style="green"), Text(clean(text), style="green"))
    return table


def _place(finding: Finding, report: Report, ranges: Ranges, width: int) -> Iterator[RenderableType]:
    span, found = finding.span, ranges.of(finding.span, "utf-32")
    if span is None or found is None:
        return
    start, end = found
    file = "standard input" if span.file == "-" else clean(span.file)
    yield _unwrapped(Text(f"    {file}:{start.line + 1}:{start.character + 1}", style="dim"))
    lines = ranges.lines(span.file)
    if lines is None:
        return
    gutter = len(str(start.line + 1))
    shown = snippet(lines, start, end, max(16, width - gutter - 7))
    source = Text(f"    {shown.number} │ ", style="dim")
    source.append(shown.line, style="not dim")
    marker = Text(f"    {' ' * gutter} │ ", style="dim")
    marker.append(shown.marker, style=f"not dim {STYLES[finding.severity]}")
    yield _unwrapped(source)
    yield _unwrapped(marker)


def _unwrapped(text: Text) -> Text:
    text.no_wrap = True
    return text
