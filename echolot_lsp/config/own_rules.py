"""The rules that settings bring along: they judge ignores and budgets, not tools, so no tool list can be an example of them."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache

from echolot_lsp import rules as rule_package
from echolot_lsp.model import Severity
from echolot_lsp.rules import Rule, all_rules

UNUSED_IGNORE = Rule(
    id="unused-ignore",
    severity=Severity.NOTE,
    title="Ignore that suppresses nothing",
    advice="Remove the rule from the comment.",
    bad=(),
    good=(),
    page="""A `# echolot: ignore[…]` comment names a rule that finds nothing here.

**Why it matters.** It may have been needed once. Left in place it would hide the next finding of that rule, which nobody has looked at.

**Instead.** The rules that are still found, or no comment at all.""",
)

UNKNOWN_RULE = Rule(
    id="unknown-rule",
    severity=Severity.WARNING,
    title="Ignore of a rule that does not exist",
    advice="Write the id of a rule as a finding shows it.",
    bad=(),
    good=(),
    page="""A `# echolot: ignore[…]` comment names a rule that does not exist, or is not written as such a comment is.

**Why it matters.** What it was meant to hide is still shown.

**Instead.** `# echolot: ignore[no-description, param-no-type]` on the line, the decorator, the `def` or the parameter, or
`# echolot: ignore-file[no-description]` anywhere in the file.""",
)

OVER_BUDGET = Rule(
    id="over-budget",
    severity=Severity.PROBLEM,
    title="List over its budget",
    advice="Shorten the largest tools, offer fewer, or raise `budget` in the settings.",
    bad=(),
    good=(),
    needs_costs=True,
    page="""The list costs more tokens a turn than `budget` in the settings allows, at the dearest of the providers that are shown.

**Why it matters.** The whole list is sent, and paid for, with every turn of a conversation.

**Instead.** Shorter descriptions and schemas of the largest tools, or fewer tools at a time.""",
)

OWN_RULES: Mapping[str, Rule] = {rule.id: rule for rule in (OVER_BUDGET, UNKNOWN_RULE, UNUSED_IGNORE)}


@cache
def rule_ids() -> frozenset[str]:
    """The ids of all rules, without importing them: a rule's module is named after it."""
    found = (module.name for module in pkgutil.iter_modules(rule_package.__path__) if not module.name.startswith("_"))
    return frozenset(name.replace("_", "-") for name in found) | OWN_RULES.keys()


@cache
def every_rule() -> Mapping[str, Rule]:
    """Every rule by id, these included."""
    return dict(sorted({**all_rules(), **OWN_RULES}.items()))
