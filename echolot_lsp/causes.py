"""One cause, one finding: what a fact of the source explains is not reported again under other names.

A parameter that should not be there at all (a leaked ``ctx``, ``self``, ``*args``) has no other finding; of a tool whose signature a
decorator lost, nothing else is said about name, description and parameters; two functions of one name are one finding.
"""

from __future__ import annotations

from echolot_lsp.model import Finding, Path, Server, Tool

BLAME_A_PARAMETER = frozenset({"context-leak", "self-leak", "varargs", "py-param-reserved"})
_LOST = "wrapped-signature-lost"
_TWICE = "py-duplicate-name"
_EXPLAINED_BY_LOST = frozenset({"name", "description", "inputSchema"})


def blamed(tool: Tool) -> frozenset[Path]:
    """The parameters that a fact names as the fault: no other rule looks at them."""
    return frozenset(fact.path for fact in tool.facts if fact.rule in BLAME_A_PARAMETER and len(fact.path) > 2)


def is_explained(finding: Finding, server: Server) -> bool:
    """Whether another finding says it already, as the cause."""
    if finding.index is None:
        return False
    tool = server.tools[finding.index]
    if not tool.facts or finding.rule in BLAME_A_PARAMETER:
        return False
    rules = {fact.rule for fact in tool.facts}
    if _LOST in rules and finding.rule != _LOST and (not finding.path or finding.path[0] in _EXPLAINED_BY_LOST):
        return True
    if finding.rule == "names-confusable" and _TWICE in rules:
        return all(place.tool == tool.name for place in finding.related)
    if any(finding.path[: len(path)] == path for path in blamed(tool)):
        return True
    return finding.rule == "required-undefined" and _names_a_reserved_one(finding, tool)


def _names_a_reserved_one(finding: Finding, tool: Tool) -> bool:
    names = {fact.details.get("parameter") for fact in tool.facts if fact.rule in BLAME_A_PARAMETER}
    return any(name is not None and finding.message.startswith(f'"{name}"') for name in names)
