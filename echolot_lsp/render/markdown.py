"""A JSON report as Markdown: for a pull request, an issue, a chat. Text of others stays text: nothing in it becomes a link or markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_TITLES = {"anthropic": "Anthropic", "openai": "OpenAI", "gemini": "Google Gemini"}
_STATES = {"accepted": "accepted", "lossy": "accepted, with losses", "refused": "refused"}
_SIGNS = {"problem": "🟥", "warning": "🟨", "note": "🟦"}
MOST_FINDINGS = 100
LONGEST = 400

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~@&:$])")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]+")


def render_markdown(report: Mapping[str, Any]) -> str:
    """The report of one or more servers, ending with a line end."""
    servers = report["servers"]
    if not servers:
        return "No MCP server was found.\n"
    return "\n".join("\n".join(_server(server)) + "\n" for server in servers)


def _server(server: Mapping[str, Any]) -> Iterator[str]:
    tools = server["tools"]
    yield f"## How a model sees {text(server['name'])}"
    yield ""
    if not tools:
        unresolved = server.get("unresolved") or []
        yield "Its tools are made while it runs; the source does not say which." if unresolved else "It has no tools."
        return
    yield _context(server)
    yield ""
    yield from _costs(server)
    if len(tools) > 1 and server.get("largest"):
        listed = ", ".join(f"{code(each.get('tool') or 'a tool')} {each['tokens']:,}" for each in server["largest"])
        yield f"Largest tools, in tokens: {listed}."
        yield ""
    yield from _findings(server)
    yield from _unresolved(server)


def _context(server: Mapping[str, Any]) -> str:
    count = len(server["tools"])
    tools = "1 tool" if count == 1 else f"{count:,} tools"
    context = server.get("context")
    if not context or not server.get("cost"):
        return f"{tools}."
    share = context["share"]
    shown = "less than 0.1 %" if 0 < share < 0.001 else f"{share:.1%}".replace("%", " %")
    provider = _TITLES.get(context["provider"], text(str(context["provider"])))
    return f"{tools}, {shown} of a {context['window'] // 1000}k context at {provider}, the dearest of the three."


def _costs(server: Mapping[str, Any]) -> Iterator[str]:
    costs, verdicts = server.get("cost") or {}, server.get("verdict") or {}
    names = [name for name in _TITLES if costs.get(name) or verdicts.get(name)]
    if not names:
        return
    yield "| Provider | Tokens a turn | Model | The list is |"
    yield "|---|--:|---|---|"
    for name in names:
        cost, verdict = costs.get(name) or {}, verdicts.get(name) or {}
        tokens = "not counted" if "total" not in cost else _tokens(cost)
        state = _STATES.get(verdict.get("state", ""), "not judged")
        yield f"| {_TITLES[name]} | {tokens} | {text(str(cost.get('model', '')))} | {state} |"
    yield ""


def _tokens(cost: Mapping[str, Any]) -> str:
    sign = "≈ " if cost.get("estimate", True) else ""
    return f"{'at least ' if cost.get('at_least') else ''}{sign}{cost['total']:,}"


def headline(findings: Sequence[Mapping[str, Any]]) -> str:
    """``1 problem, 2 warnings``, or that there is nothing."""
    parts = []
    for severity in ("problem", "warning", "note"):
        count = sum(finding["severity"] == severity for finding in findings)
        if count:
            parts.append(f"{count:,} {severity}{'' if count == 1 else 's'}")
    return ", ".join(parts) or "Nothing a model would stumble over"


def _findings(server: Mapping[str, Any]) -> Iterator[str]:
    findings = server.get("findings") or []
    yield f"**{headline(findings)}**"
    if not findings:
        return
    yield ""
    yield "| | Tool | What is wrong | What to do | Where |"
    yield "|---|---|---|---|---|"
    for finding in findings[:MOST_FINDINGS]:
        tool = code(finding["tool"]) if finding.get("tool") else "the list"
        sign = f"{_SIGNS.get(finding['severity'], '')} {finding['severity']}".strip()
        yield f"| {sign} | {tool} | {text(finding['message'])} | {text(finding['advice'])} | {_place(finding)} |"
    if len(findings) > MOST_FINDINGS:
        yield ""
        yield f"And {len(findings) - MOST_FINDINGS:,} more."


def _unresolved(server: Mapping[str, Any]) -> Iterator[str]:
    parts = server.get("unresolved") or []
    if parts:
        yield ""
        yield f"{len(parts):,} part{'' if len(parts) == 1 else 's'} of the list could not be read from the source and {'is' if len(parts) == 1 else 'are'} not judged."


def _place(finding: Mapping[str, Any]) -> str:
    path, where = finding.get("path"), finding.get("range")
    if not path:
        return ""
    return code(f"{path}:{where['start']['line'] + 1}" if where else str(path))


def text(value: str) -> str:
    """Words of others as Markdown that shows exactly them, on one line and not without end."""
    value = _UNSEEN.sub(" ", value)
    if len(value) > LONGEST:
        value = f"{value[:LONGEST]}…"
    return _SPECIAL.sub(r"\\\1", value).strip()


def code(value: str) -> str:
    """A name as code; a fence longer than any run of backticks in it, and no pipe that would end a table's cell."""
    value = _UNSEEN.sub(" ", value)
    value = f"{value[:LONGEST]}…" if len(value) > LONGEST else value
    longest = max((len(run) for run in re.findall("`+", value)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if value.startswith("`") or value.endswith("`") or not value.strip() else ""
    return f"{fence}{pad}{value}{pad}{fence}".replace("|", "\\|")
