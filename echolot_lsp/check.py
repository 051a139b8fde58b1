"""check(server, settings, costs) -> Report: every rule over one list, worst finding first.

Pure: the settings and the costs are inputs like the tools. A rule that raises is logged and skipped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from echolot_lsp.model import Costs, Finding, ProviderName, Related, Report, Server, Verdict, place_of
from echolot_lsp.rules import Context, Hit, Rule, all_rules

log = logging.getLogger(__name__)


def check(
    server: Server,
    *,
    costs: Costs | None = None,
    verdicts: Mapping[ProviderName, Verdict] | None = None,
    rules: Iterable[Rule] | None = None,
    window: int = 200_000,
    client_prefixes: tuple[str, ...] = (),
    on_error: Callable[[Rule, Exception], None] | None = None,
) -> Report:
    """All findings on one server, worst first, then in the order of tools and rules.

    ``rules``: those to run (default: all). ``on_error``: called in place of logging when a rule raises.
    """
    context = Context(server=server, costs=costs or {}, client_prefixes=client_prefixes)
    findings: list[Finding] = []
    for rule in all_rules().values() if rules is None else rules:
        if rule.needs_costs and not context.costs:
            continue
        try:
            findings.extend(_finding(server, rule, hit) for hit in _hits(rule, server, context))
        except Exception as error:  # a rule must never take the report down with it
            if on_error is None:
                log.exception("rule %s failed and was skipped", rule.id)
            else:
                on_error(rule, error)
    findings.sort(key=_order)
    return Report(server=server, findings=tuple(findings), costs=context.costs, verdicts=verdicts or {}, window=window)


def _hits(rule: Rule, server: Server, context: Context) -> list[Hit]:
    hits: list[Hit] = []
    if rule.tool is not None:
        for index, tool in enumerate(server.tools):
            hits.extend(rule.tool(index, tool, context))
    if rule.list is not None:
        hits.extend(rule.list(server, context))
    return hits


def _finding(server: Server, rule: Rule, hit: Hit) -> Finding:
    tool = None if hit.index is None else server.tools[hit.index]
    return Finding(
        rule=rule.id,
        severity=hit.severity or rule.severity,
        index=hit.index,
        tool=None if tool is None else tool.name,
        path=hit.path,
        message=hit.message,
        advice=hit.advice or rule.advice,
        span=server.place if tool is None else place_of(tool, hit.path),
        related=tuple(
            Related(
                index=mark.index,
                tool=None if mark.index is None else server.tools[mark.index].name,
                path=mark.path,
                message=mark.message,
                span=server.place if mark.index is None else place_of(server.tools[mark.index], mark.path),
            )
            for mark in hit.related
        ),
        fix=hit.fix,
        default=rule.default,
        refused_by=rule.refused_by if hit.refused_by is None else hit.refused_by,
    )


def _order(finding: Finding) -> tuple[int, int, str]:
    return finding.severity.rank, -1 if finding.index is None else finding.index, finding.rule
