"""A rule's page for the terminal."""

from __future__ import annotations

from echolot_lsp.rules import Rule

_WHERE = {"on": "a diagnostic in the editor", "report": "in the report, not in the editor", "off": "off unless it is selected"}


def page_text(rule: Rule) -> str:
    """The page: id, severity, where it speaks, the text, the advice."""
    head = f"{rule.id} · {rule.severity.value} · {_WHERE[rule.default.value]}"
    parts = [f"{rule.title}\n{head}", rule.page, f"What to do: {rule.advice}"]
    if rule.fix:
        parts.append(f"Quick fix: {rule.fix}")
    parts.append(f'To silence it: # echolot: ignore[{rule.id}], or ignore = ["{rule.id}"] under [tool.echolot].')
    return "\n\n".join(part for part in parts if part)
