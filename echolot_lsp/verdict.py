"""What each provider makes of a list: refused (why), accepted with losses (which), or accepted.

Refused rests on findings whose rule says who refuses; losses rest on what the conversion to the provider's form dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

from echolot_lsp.model import PROVIDERS, Finding, ProviderName, Reason, Verdict
from echolot_lsp.providers import Change, wire_form
from echolot_lsp.providers.plain import content_key


def verdicts(tools: Sequence[Mapping[str, Any]], findings: Iterable[Finding]) -> Mapping[ProviderName, Verdict]:
    """The verdict of each provider on ``tools`` (dicts of the MCP wire), given what the rules found in them.

    ``findings`` are all that were found: a finding that settings silence is refused all the same.
    """
    found = list(findings)
    return {provider: _verdict(provider, tools, found) for provider in PROVIDERS}


def _verdict(provider: ProviderName, tools: Sequence[Mapping[str, Any]], findings: Sequence[Finding]) -> Verdict:
    refusals = tuple(
        Reason(finding.index, finding.tool, finding.path, finding.message) for finding in findings if provider in finding.refused_by
    )
    if refusals:
        return Verdict("refused", refusals)
    losses = tuple(_losses(provider, tools))
    return Verdict("lossy", losses) if losses else Verdict("accepted")


def _losses(provider: ProviderName, tools: Sequence[Mapping[str, Any]]) -> Iterable[Reason]:
    """One reason for each constraint that is lost; a root's ``additionalProperties`` (FastMCP writes it on every tool) once a list."""
    open_to_more = 0
    for index, tool in enumerate(tools):
        for change in _lossy(provider, tool):
            if change.path == ("inputSchema", "additionalProperties"):
                open_to_more += 1
            else:
                yield Reason(index, _name(tool), change.path, change.text)
    if open_to_more:
        which = "" if len(tools) == 1 else f"for {open_to_more} of {len(tools)} tools "
        text = f"There is no field for `additionalProperties`, so {which}a model is not told that no other arguments are allowed."
        yield Reason(None, None, (), text)


def _name(tool: Mapping[str, Any]) -> str | None:
    name = tool.get("name")
    return name if isinstance(name, str) else None


def _lossy(provider: ProviderName, tool: Mapping[str, Any]) -> tuple[Change, ...]:
    if provider != "gemini":
        return ()  # the other two receive the schema as it is
    key = content_key(tool)
    known = _KNOWN.get(key)
    if known is None:
        known = tuple(change for change in wire_form(provider, [tool]).changes if change.lossy)
        with _LOCK:
            if len(_KNOWN) >= _MOST:
                _KNOWN.clear()
            _KNOWN[key] = known
    return known


_MOST = 5_000
_KNOWN: dict[bytes, tuple[Change, ...]] = {}
"""The losses of tools that were seen before, by content: a hover asks for the verdict again and again."""
_LOCK = Lock()
