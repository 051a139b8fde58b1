"""A report made by hand, so that what is drawn of it does not change with rules and counts."""

from __future__ import annotations

import json

from echolot_lsp.extract.json import extract_json
from echolot_lsp.model import (
    Cost,
    Default,
    Finding,
    Fix,
    ProviderName,
    Reason,
    Related,
    Report,
    Server,
    Severity,
    ToolCost,
    Verdict,
    place_of,
)

TEXT = """\
{
\t"name": "harbour",
\t"tools": [
\t\t{"name": "berth.find", "description": "⚓ 空いている係留場所を探し、番号と料金を返します。", "inputSchema": {"type": "object", \
"properties": {"長さ": {"type": "number"}, "date": {"description": "The first night."}}}},
\t\t{"name": "pay_fee", "inputSchema": {"type": "object", "properties": {}}},
\t\t{"name": "tide_table", "description": "Times and heights of high and low water for one harbour and one day.", "inputSchema": \
{"type": "object", "properties": {"day": {"type": "string", "pattern": "^2", "description": "The day."}}}}
\t]
}
"""


def server() -> Server:
    """The harbour's list, read from JSON with tabs and wide characters."""
    return extract_json("harbour.json", TEXT).servers[0]


def finding(rule: str, severity: Severity, index: int | None, *path: str | int, message: str, advice: str) -> Finding:
    """A finding on the harbour's list."""
    tool = None if index is None else server().tools[index]
    return Finding(
        rule=rule,
        severity=severity,
        index=index,
        tool=None if tool is None else tool.name,
        path=path,
        message=message,
        advice=advice,
        span=server().place if tool is None else place_of(tool, path),
    )


def cost(provider: ProviderName, model: str, surcharge: int, *tools: int) -> Cost:
    """A cost of the harbour's three tools."""
    return Cost(provider, model, surcharge + sum(tools), surcharge, tuple(ToolCost(each, each // 2) for each in tools))


def report() -> Report:
    """One finding of each severity and one for the report only, costs and verdicts of all kinds."""
    properties = ("inputSchema", "properties")
    free = finding("free", Severity.WARNING, 0, *properties, "長さ", message='"長さ" has no description.', advice="Say what it is.")
    note = finding(
        "long-winded",
        Severity.NOTE,
        2,
        "description",
        message="A sentence that is long enough to be wrapped on every terminal, also on a wide one, since nobody reads beyond a hundred columns.",
        advice="Advice that is long enough to be wrapped as well, so that its second line must stand below the first one's words, not its arrow.",
    )
    related = Related(1, "pay_fee", ("name",), "the other one")
    return Report(
        server=server(),
        findings=(
            finding("bad-name", Severity.PROBLEM, 0, "name", message='The name "berth.find" holds ".".', advice="Use letters."),
            finding("nothing-said", Severity.PROBLEM, 1, "name", message="No description.", advice="Say what it does."),
            Finding(**{name: getattr(free, name) for name in free.__slots__} | {"related": (related,), "fix": Fix("Add", True)}),
            note,
            Finding(
                **{name: getattr(note, name) for name in note.__slots__}
                | {"rule": "list-note", "index": None, "tool": None, "path": (), "span": None, "default": Default.REPORT}
            ),
        ),
        costs={
            "anthropic": cost("anthropic", "claude-1", 300, 205, 60, 110),
            "openai": cost("openai", "gpt-1", 20, 150, 40, 90),
            "gemini": cost("gemini", "gemini-1", 0, 1150, 45, 95),
        },
        verdicts={
            "anthropic": Verdict("refused", (Reason(0, "berth.find", ("name",), "No."),)),
            "openai": Verdict("accepted"),
            "gemini": Verdict("lossy", (Reason(2, "tide_table", (*properties, "day", "pattern"), "Dropped."),)),
        },
    )


def as_text(value: object) -> str:
    """JSON as the golden files hold it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
