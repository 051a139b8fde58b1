"""What each provider makes of a list: refused (why), accepted with losses (which), or accepted.

Refused rests on findings of the rules that say who refuses; losses rest on what the conversion to the provider's form dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from echolot_lsp.model import PROVIDERS, Finding, ProviderName, Reason, Verdict
from echolot_lsp.providers import Change, wire_form
from echolot_lsp.rules import all_rules


def verdicts(tools: Sequence[Mapping[str, Any]], findings: Iterable[Finding]) -> Mapping[ProviderName, Verdict]:
    """The verdict of each provider on ``tools`` (dicts of the MCP wire), given what the rules found in them."""
    found = list(findings)
    return {provider: _verdict(provider, tools, found) for provider in PROVIDERS}


def _verdict(provider: ProviderName, tools: Sequence[Mapping[str, Any]], findings: Sequence[Finding]) -> Verdict:
    rules = all_rules()
    refusals = tuple(
        Reason(finding.index, finding.tool, finding.path, finding.message)
        for finding in findings
        if finding.rule in rules and provider in rules[finding.rule].refused_by
    )
    if refusals:
        return Verdict("refused", refusals)
    losses = tuple(_losses(tools, wire_form(provider, tools).changes))
    return Verdict("lossy", losses) if losses else Verdict("accepted")


def _losses(tools: Sequence[Mapping[str, Any]], changes: Iterable[Change]) -> Iterable[Reason]:
    closed = 0
    for change in changes:
        if not change.lossy:
            continue
        if change.path == ("inputSchema", "additionalProperties"):
            closed += 1
            continue
        name = tools[change.index].get("name")
        yield Reason(change.index, name if isinstance(name, str) else None, change.path, change.text)
    if closed:
        yield Reason(
            None, None, (), f"No field for `additionalProperties`: {closed} of {len(tools)} tools may get further arguments."
        )
