"""A rule's page in Markdown, and the table of all rules: made from the rules themselves, so that neither can say something else.

The pages lie in ``echolot_lsp/rules/pages`` (shipped; diagnostics link there), the table in README.md between its markers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from echolot_lsp.config.own_rules import every_rule
from echolot_lsp.model import Default
from echolot_lsp.rules import Example, Rule
from echolot_lsp.words import counted, shown

FOLDER = Path(__file__).parent.parent / "rules" / "pages"
BEGIN, END = "<!-- rules -->", "<!-- /rules -->"
_SHOWN = {
    Default.ON: "shown in the editor and in the report",
    Default.REPORT: "shown in the report, on the card and in hovers",
    Default.OFF: "off unless switched on",
}
_SOURCES = {"any": "every list", "python": "Python source", "live": "live lists"}
MOST_CHARACTERS = 90
MOST_ENTRIES = 4


def page(rule: Rule) -> str:
    """The whole page of a rule, with its examples."""
    lines = [
        f"# {rule.id}",
        "",
        f"**{rule.title}** · {rule.severity.value} · {_SOURCES[rule.sees]} · {_SHOWN[rule.default]}",
        "",
        rule.page,
        "",
        f"**What to do.** {rule.advice}",
        "",
        f"**Quick fix.** {rule.fix[0].upper()}{rule.fix[1:]}." if rule.fix else "**Quick fix.** None.",
        "",
        *(["## Fires on", "", *_examples(rule.bad)] if rule.bad else []),
        *(["## Stays silent on", "", *_examples(rule.good)] if rule.good else []),
        _silence(rule),
        "",
    ]
    return "\n".join(lines)


def _silence(rule: Rule) -> str:
    setting = f'`ignore = ["{rule.id}"]` under `[tool.echolot]`'
    if rule.sees == "live":
        return f"To silence it, write {setting}."
    return f"To silence it, write `# echolot: ignore[{rule.id}]` on that line of Python, or {setting}."


def _examples(examples: Iterable[Example]) -> Iterable[str]:
    for example in examples:
        if example.title:
            yield f"{example.title}:"
            yield ""
        if example.code:
            yield from ("```python", *example.code.strip("\n").split("\n"), "```", "")
        elif example.tools:
            yield from ("```jsonc", *(_tool(tool) for tool in example.tools[:MOST_ENTRIES]))
            if len(example.tools) > MOST_ENTRIES:
                yield f"// … {counted(len(example.tools) - MOST_ENTRIES, 'more tool')}"
            yield from ("```", "")
        else:
            yield from (f"- {_told(example)}", "")


def _told(example: Example) -> str:
    return (
        "; ".join(
            ", ".join(f"{key}: {shown(value)}" for key, value in fact.details.items()) or fact.rule for _, fact in example.facts
        )
        or "nothing of the kind"
    )


def _tool(tool: Mapping[str, Any]) -> str:
    return json.dumps(_short(tool), ensure_ascii=False)


def _short(value: Any) -> Any:
    """``value`` with long texts, lists and objects cut, each saying how much was left out."""
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:20]}… ({len(value):,} characters)"
    if isinstance(value, Mapping):
        items = list(value.items())
        cut = {key: _short(item) for key, item in items[: 2 * MOST_ENTRIES]}
        return cut | ({"…": f"{len(items) - 2 * MOST_ENTRIES} more"} if len(items) > 2 * MOST_ENTRIES else {})
    if isinstance(value, (list, tuple)):
        more = len(value) - 2 * MOST_ENTRIES
        return [_short(item) for item in value[: 2 * MOST_ENTRIES]] + ([f"… {more} more"] if more > 0 else [])
    return value


def table() -> str:
    """All rules, one line each, worst first."""
    rules = sorted(every_rule().values(), key=lambda rule: (rule.severity.rank, rule.id))
    rows = [
        f"| [{rule.id}](echolot_lsp/rules/pages/{rule.id}.md) | {_severity(rule)} | {_cell(rule.title)} | {_cell(rule.advice)} |"
        for rule in rules
    ]
    return "\n".join(["| Rule | | Finds | What to do |", "| --- | --- | --- | --- |", *rows])


def _severity(rule: Rule) -> str:
    where = "" if rule.default is Default.ON else f", {rule.default.value}"
    seen = "" if rule.sees == "any" else f", {rule.sees}"
    return f"{rule.severity.value}{where}{seen}"


def with_table(readme: str) -> str:
    """``readme`` with the table between its markers, which are added at the end where there are none."""
    if BEGIN not in readme or END not in readme:
        readme = f"{readme.rstrip()}\n\n## Rules\n\n{BEGIN}\n{END}\n"
    head, _, rest = readme.partition(BEGIN)
    tail = rest.partition(END)[2]
    return f"{head}{BEGIN}\n\n{table()}\n\n{END}{tail}"


def _cell(text: str) -> str:
    """Text inside a table's cell: a bar would begin the next one."""
    return text.replace("|", "\\|")
