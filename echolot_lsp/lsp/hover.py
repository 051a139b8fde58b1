"""Hovers: on a tool what it costs and what is wrong with it, on a parameter its schema, on a server object the whole list, on an
ignore comment the rules that it names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lsprotocol import types

from echolot_lsp.lsp.code_lens import summary
from echolot_lsp.lsp.numbers import TITLES, percent, shown_costs, tokens
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View
from echolot_lsp.model import PROVIDERS, Finding, Path, Tool, Verdict, is_known

_IGNORE = re.compile(r"#[ \t]*echolot:[ \t]*ignore(?:-file)?[ \t]*\[([^\]\r\n]*)\]?")
_SCHEMA_LINES = 40
"""Longer schemas are cut in a hover."""


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    server.on(types.TEXT_DOCUMENT_HOVER, hover)


async def hover(ls: EcholotServer, params: types.HoverParams) -> types.Hover | None:
    """What is known of the place under the cursor."""
    view = ls.session.view(params.text_document.uri)
    if view is None:
        return None
    found = at(view, view.offset(params.position))
    if found is None:
        return None
    (start, end), text = found
    text += await _parameter_costs(ls, view, view.offset(params.position))
    markdown = _takes_markdown(ls)
    content = types.MarkupContent(
        kind=types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText, value=text if markdown else plain(text)
    )
    return types.Hover(contents=content, range=view.range(start, end))


def at(view: View, offset: int) -> tuple[tuple[int, int], str] | None:
    """The place that is hovered over, and the text (markdown) to show."""
    comment = _ignored_rule(view, offset)
    if comment is not None:
        return comment
    found = view.tool_at(offset)
    if found is not None:
        return _in_tool(view, *found, offset)
    for shown in view.servers:
        place = view.now(shown, shown.server.place)
        if place is not None and _assigned_from(view, place[0]) <= offset <= place[1]:
            return place, server_text(shown)
    return None


def _assigned_from(view: View, start: int) -> int:
    """Where the statement begins on the line of a server object: the name that it is given is hovered over as often as its class."""
    line = view.lines.starts[view.lines.position(start, "utf-32").line]
    before = view.document.text[line:start]
    return line + len(before) - len(before.lstrip()) if before.rstrip().endswith("=") else start


def plain(markdown: str) -> str:
    """The text for clients that show no markdown: it is written so that little has to go."""
    return re.sub(r"^```\w*(?:\n|\Z)|\*\*|`", "", markdown, flags=re.M)


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table whose columns are as wide raw as rendered; the first column is text, the others are numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row: Sequence[str]) -> str:
        return (
            "| "
            + " | ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))])
            + " |"
        )

    rule = "| " + " | ".join(["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]) + " |"
    return "\n".join([line(rows[0]), rule, *(line(row) for row in rows[1:])])


def server_text(shown: Shown) -> str:
    """A server's whole list."""
    parts = [f"**{shown.server.name}** · {summary(shown)}"]
    costs = list(shown_costs(shown))
    if costs:
        rows = [["Provider", "Tokens a turn", f"Of {shown.report.window:,}", "Once a list"]]
        for provider, cost in costs:
            share = percent(cost.total / shown.report.window)
            rows.append([TITLES[provider], tokens(cost.total, cost.at_least), share, tokens(cost.surcharge)])
        parts.append(table(rows))
        parts.append("Estimates for " + ", ".join(cost.model for _, cost in costs) + ".")
    parts.append(_findings([each for each in shown.report.findings if each.index is None]))
    count = sum(each.index is not None for each in shown.report.findings)
    if count:
        parts.append(f"{count} finding{'' if count == 1 else 's'} in its tools.")
    return "\n\n".join(part for part in parts if part)


def tool_text(shown: Shown, index: int, tool: Tool) -> str:
    """What one tool costs at each provider, and what is wrong with it."""
    count = len(shown.server.tools)
    parts = [f"**{tool.name or 'tool'}** · tool {index + 1} of {count} in {shown.server.name}"]
    rows = [["Provider", "Tokens", "Of the list", "Rank"]]
    for provider, cost in shown_costs(shown):
        if index < len(cost.tools):
            own = cost.tools[index].tokens
            rank = 1 + sum(other.tokens > own for other in cost.tools)
            rows.append([TITLES[provider], tokens(own), percent(own / cost.total) if cost.total else "", f"{rank} of {count}"])
    if len(rows) > 1:
        parts.append(table(rows))
    findings = [each for each in shown.report.findings if each.index == index]
    parts.append(_findings(findings))
    parts.append(_verdict(tool, findings))
    unknown = [each for each in shown.server.unresolved if each.index == index]
    parts += [f"Not known from the source: {each.why}" for each in unknown[:3]]
    return "\n\n".join(part for part in parts if part)


def _in_tool(view: View, shown: Shown, index: int, tool: Tool, offset: int) -> tuple[tuple[int, int], str] | None:
    name = view.name_place(shown, tool)
    path = view.part_at(shown, tool, offset)
    parameter = _parameter(path)
    if parameter is not None:
        place = tool.places[parameter]
        where = view.now(shown, place.key or place.value)
        if where is not None:
            return where, parameter_text(tool, parameter, shown.report.findings, index)
    if name is not None and (name[0] <= offset <= name[1] or (path is None and offset < name[0])):
        return name, tool_text(shown, index, tool)
    return None


async def _parameter_costs(ls: EcholotServer, view: View, offset: int) -> str:
    """What a parameter adds to its tool's cost, counted there and then."""
    found = view.tool_at(offset)
    path = None if found is None else _parameter(view.part_at(found[0], found[2], offset))
    if found is None or path is None or not is_known(found[2].wire):
        return ""
    shown, _, tool = found
    models = shown.reading.settings.models if shown.reading.settings else {}
    costs = await ls.session.count([tool.wire, without(tool.wire, path)], models)
    parts = [
        f"{TITLES[provider]} {tokens(max(0, cost.tools[0].tokens - cost.tools[1].tokens))}"
        for provider, cost in (costs or {}).items()
        if any(provider == each for each, _ in shown_costs(shown))
    ]
    return f"\n\nTokens: {' · '.join(parts)}" if parts else ""


def without(wire: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """A tool without one of its parameters."""
    copy = json.loads(json.dumps(wire))
    holder = copy
    for step in path[:-2]:
        holder = holder[step]
    holder["properties"].pop(path[-1], None)
    if isinstance(holder.get("required"), list):
        holder["required"] = [name for name in holder["required"] if name != path[-1]]
    return copy  # type: ignore[no-any-return]


def _parameter(path: Path | None) -> Path | None:
    """The innermost parameter that a path lies in."""
    if path is None:
        return None
    for length in range(len(path), 2, -1):
        if path[length - 2] == "properties" and path[0] == "inputSchema":
            return path[:length]
    return None


def parameter_text(tool: Tool, path: Path, findings: Iterable[Finding], index: int) -> str:
    """A parameter's schema as the model gets it, and what is wrong with it."""
    holder: Any = tool.wire
    for step in path[:-2]:
        holder = holder[step]
    schema = holder.get("properties", {}).get(path[-1]) if isinstance(holder, Mapping) else None
    required = holder.get("required") if isinstance(holder, Mapping) else None
    how = "required" if isinstance(required, list) and path[-1] in required else "optional"
    parts = [f"**{path[-1]}** · {how} parameter of {tool.name or 'the tool'}"]
    if schema is not None and is_known(schema):
        lines = json.dumps(schema, ensure_ascii=False, indent=2).splitlines()
        if len(lines) > _SCHEMA_LINES:
            lines = [*lines[:_SCHEMA_LINES], "…"]
        parts.append("```json\n" + "\n".join(lines) + "\n```")
    parts.append(_findings([each for each in findings if each.index == index and _concerns(each, path)]))
    return "\n\n".join(part for part in parts if part)


def _concerns(finding: Finding, path: Path) -> bool:
    return finding.path[: len(path)] == path or any(each.path[: len(path)] == path for each in finding.related)


def _findings(findings: Iterable[Finding]) -> str:
    return "\n".join(f"- {each.severity.value}: {each.message} {each.advice} `{each.rule}`" for each in findings)


def _verdict(tool: Tool, findings: Sequence[Finding]) -> str:
    from echolot_lsp.verdict import verdicts

    found: Mapping[Any, Verdict] = verdicts([tool.wire], findings)
    told = {finding.path for finding in findings}
    lines = []
    for provider in PROVIDERS:
        verdict = found.get(provider)
        if verdict is None or verdict.state == "accepted":
            continue
        word = "refuses it" if verdict.state == "refused" else "loses part of it"
        untold = next((reason.text for reason in verdict.why if reason.path not in told), None)
        lines.append(f"- {TITLES[provider]} {word}" + (f": {untold}" if untold else "."))
    return "\n".join(lines)


def _ignored_rule(view: View, offset: int) -> tuple[tuple[int, int], str] | None:
    """The page of the rule under the cursor in an ignore comment."""
    line = view.lines.position(offset, "utf-32").line
    start = view.lines.starts[line]
    for comment in _IGNORE.finditer(view.lines.line(line)):
        for word in re.finditer(r"[a-z][a-z0-9-]+", comment[1]):
            first, last = start + comment.start(1) + word.start(), start + comment.start(1) + word.end()
            if first <= offset <= last:
                text = rule_page(word[0])
                return None if text is None else ((first, last), text)
    return None


def rule_page(rule: str) -> str | None:
    """A rule's page (markdown); ``None`` where there is no such rule."""
    from echolot_lsp.lsp.convert import pages

    page = pages() / f"{rule}.md"
    return page.read_text(encoding="utf-8") if re.fullmatch(r"[a-z0-9-]+", rule) and page.is_file() else None


def _takes_markdown(ls: EcholotServer) -> bool:
    text = ls.capabilities.text_document
    formats = text.hover.content_format if text and text.hover else None
    return not formats or types.MarkupKind.Markdown in formats
