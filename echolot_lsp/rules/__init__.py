"""The rules: one file each, found by walking this package.

A rule module is named after its rule (``no_description.py`` holds ``no-description``). Its docstring is the rule's page (what it
is, why it matters to a model, what to write instead, who refuses and since when, with source and date); it defines ``RULE``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any, Literal

from echolot_lsp.model import Cost, Costs, Default, Fact, Fix, Path, ProviderName, Server, Severity, Span, Tool


@dataclass(frozen=True, slots=True)
class Mark:
    """Another place that a hit belongs with: a tool by position, a path in it, a few words."""

    index: int | None
    path: Path
    message: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule says: which tool (``None``: the list), where in it, what is wrong, and perhaps how to mend it.

    ``message`` is one plain sentence about *this* tool. ``advice`` overrides the rule's own where more can be said.
    ``severity`` overrides the rule's own (a rule whose severity depends on the framework).
    """

    index: int | None
    path: Path
    message: str
    related: tuple[Mark, ...] = ()
    fix: Fix | None = None
    advice: str | None = None
    severity: Severity | None = None
    refused_by: tuple[ProviderName, ...] | None = None
    """Overrides the rule's own where it depends on what is there."""
    span: Span | None = None
    """The characters to underline where the tool's places do not say it (a fact brings its own)."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may know beside the tools: the costs (or not yet), the server's facts, and the settings that rules read."""

    server: Server
    costs: Costs = field(default_factory=dict)
    client_prefixes: tuple[str, ...] = ()
    """Prefixes that clients put before a tool's name, e.g. ``mcp__depot__``; empty: not known."""

    def dearest(self) -> Cost | None:
        """The cost at the provider with the largest total; ``None`` while the costs are not in."""
        return max(self.costs.values(), key=lambda cost: cost.total, default=None)


ToolCheck = Callable[[int, Tool, Context], Iterable[Hit]]
ListCheck = Callable[[Server, Context], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Example:
    """A tool list that the tests run: with what the rule must say of it.

    ``tools`` are wire tools; ``expect`` holds (tool index or None, JSON pointer) of every finding of this rule, in order; empty
    for a good example.
    """

    tools: tuple[Mapping[str, Any], ...]
    expect: tuple[tuple[int | None, str], ...] = ()
    title: str = ""
    facts: tuple[tuple[int | None, Fact], ...] = ()
    """What only the source, or only the live listing shows: by tool index, ``None`` for facts about the list."""
    server: str = ""
    """The server's name, where the rule reads it."""
    code: str = ""
    """The Python source that the example stands for, where the wire does not show it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``tool`` looks at one tool, ``list`` at the whole list; most rules have one of them.

    ``title`` names the defect in a few words ("Parameter without a type"); ``advice`` is one sentence: what to do.
    ``needs_costs``: silent while the costs are not in.
    """

    id: str
    severity: Severity
    title: str
    advice: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    tool: ToolCheck | None = None
    list: ListCheck | None = None
    default: Default = Default.ON
    needs_costs: bool = False
    refused_by: tuple[ProviderName, ...] = ()
    """The providers that refuse the request for such a tool: the verdict "refused" rests on these."""
    sees: Literal["any", "python", "live"] = "any"
    fix: str = ""
    """What its quick fix does, in a few words; empty: it has none."""
    page: str = ""


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by id, in alphabetical order, with its page."""
    found: dict[str, Rule] = {}
    for module_info in pkgutil.iter_modules(__path__):
        if module_info.name.startswith("_"):
            continue
        module = import_module(f"{__name__}.{module_info.name}")
        rule: Rule = module.RULE
        found[rule.id] = replace(rule, page=(module.__doc__ or "").strip())
    return dict(sorted(found.items()))
