"""From a file's servers to reports on them: rules with what is known of costs, then settings and ignore comments.

Comments are weighed over all servers that share a file: one that hides something in any of them is not unused.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from echolot_lsp.lsp.costs import carried
from echolot_lsp.lsp.reading import Reading, fullness, identity

if TYPE_CHECKING:
    from echolot_lsp.config import Settings
    from echolot_lsp.lsp.counting import Counted
    from echolot_lsp.model import Costs, Finding, Report, Server

log = logging.getLogger(__name__)


def judged(reading: Reading, counted: Counted, before: Reading | None = None) -> Reading:
    """The reading with what the rules say of its servers; ``counted`` is the last count of their tokens, ``before`` the reading that
    this one follows: where only the texts round its tools have changed, so have only the texts in its reports."""
    settings = reading.settings
    if not reading.servers or settings is None:
        return reading
    costs = _costs(reading.servers, counted)
    if before is not None and _is_all_said(before, reading, costs):
        raw = tuple(replace(report, server=server) for report, server in zip(before.raw, reading.servers, strict=True))
        return replace(reading, raw=raw, reports=raw, needs_costs=before.needs_costs)
    from echolot_lsp.check import check
    from echolot_lsp.config.apply import running
    from echolot_lsp.rules import all_rules

    rules = running(all_rules().values(), settings)
    reports = [
        check(server, costs=cost, rules=rules, window=settings.context_window, client_prefixes=prefixes(settings))
        for server, cost in zip(reading.servers, costs, strict=True)
    ]
    needs_costs = settings.budget is not None or any(rule.needs_costs for rule in rules)
    return replace(reading, raw=tuple(reports), reports=tuple(reports), needs_costs=needs_costs)


def _is_all_said(before: Reading, reading: Reading, costs: Sequence[Costs]) -> bool:
    """Whether the reports of ``before`` say all that is to say: the tools are the same objects, and nothing but texts is another."""
    return (
        before.settings is reading.settings
        and [report.costs for report in before.raw] == costs
        and all(
            replace(server, sources=report.server.sources) == report.server
            for report, server in zip(before.raw, reading.servers, strict=True)
        )
    )


def recosted(reading: Reading, counted: Counted) -> Reading:
    """The reading after its tokens were counted: only the rules that need them are asked again."""
    settings = reading.settings
    if settings is None or len(reading.raw) != len(reading.servers):
        return judged(reading, counted)
    from echolot_lsp.check import check
    from echolot_lsp.config.apply import running
    from echolot_lsp.rules import all_rules

    rules = [rule for rule in running(all_rules().values(), settings) if rule.needs_costs]
    dropped = {rule.id for rule in rules}
    raw: list[Report] = []
    for report, costs in zip(reading.raw, _costs(reading.servers, counted), strict=True):
        new = check(report.server, costs=costs, rules=rules, client_prefixes=prefixes(settings)).findings
        findings = sorted((*(each for each in report.findings if each.rule not in dropped), *new), key=_order)
        raw.append(replace(report, findings=tuple(findings), costs=costs))
    return replace(reading, raw=tuple(raw), reports=tuple(raw))


def _order(finding: Finding) -> tuple[int, int, str]:
    """As ``check`` orders them: worst first, then tools, then rules."""
    return finding.severity.rank, -1 if finding.index is None else finding.index, finding.rule


def suppressed(readings: Mapping[str, Reading], fresh: Collection[str], before: Mapping[str, Reading]) -> Mapping[str, Reading]:
    """The ``fresh`` readings, and those that share a file with one or shared one with what was there ``before``, after settings and
    ignore comments."""
    from echolot_lsp.config.apply import apply_all

    # of a file that somebody has left, others now say what its comments hide and what is wrong with them
    left = {file for path, old in before.items() if path in fresh or path not in readings for file in old.sources}
    again = [path for path, reading in readings.items() if path in fresh or not left.isdisjoint(reading.sources)]
    done: dict[str, Reading] = {}
    for path in again:
        if path in done or not readings[path].raw:
            continue
        group = _sharing(readings, path)
        owner = {id(report.server): reading for reading in group for report in reading.raw}

        def settings_of(server: Server, owner: Mapping[int, Reading] = owner) -> Settings:
            settings = owner[id(server)].settings
            assert settings is not None
            return settings

        raw = [report for reading in group for report in reading.raw]
        try:
            reports = apply_all(raw, settings_of)
        except Exception:  # what the rules say is then told as they say it
            log.exception("Settings and comments could not be applied to %s.", path)
            reports = raw
        reports = _list_told_once(reports, [reading.path for reading in group for _ in reading.raw])
        for reading in group:
            own, reports = reports[: len(reading.raw)], reports[len(reading.raw) :]
            done[reading.path] = replace(reading, reports=tuple(own))
    return done


def _list_told_once(reports: Sequence[Report], paths: Sequence[str]) -> list[Report]:
    """Of a server that several files tell of, only the fullest telling speaks of the list as a whole. ``paths``: the files."""
    from echolot_lsp.config import own_rules

    about_comments = own_rules.UNKNOWN_RULE.id, own_rules.UNUSED_IGNORE.id
    best: dict[object, int] = {}
    for number, report in enumerate(reports):
        known = best.setdefault(identity(report.server), number)
        if fullness(report.server, paths[number]) > fullness(reports[known].server, paths[known]):
            best[identity(report.server)] = number
    told: list[Report] = []
    for number, report in enumerate(reports):
        kept = [each for each in report.findings if each.index is not None or each.rule in about_comments]
        told.append(report if number in best.values() else replace(report, findings=tuple(kept)))
    return told


def _sharing(readings: Mapping[str, Reading], path: str) -> list[Reading]:
    """The reading of ``path`` and all that share a file with it, or with one that does."""
    group, files = {path}, set(readings[path].sources)
    grown = True
    while grown:
        grown = False
        for other, reading in readings.items():
            if other not in group and reading.raw and not files.isdisjoint(reading.sources):
                group.add(other)
                files.update(reading.sources)
                grown = True
    return [readings[each] for each in sorted(group)]


def prefixes(settings: Settings) -> tuple[str, ...]:
    """What clients put before a tool's name, as far as the settings say."""
    if settings.client_prefixes or settings.server_name is None:
        return settings.client_prefixes
    return (f"mcp__{settings.server_name}__",)


def report_on(server: Server, settings: Settings) -> Report:
    """The report on a server that no file was read for (a running one), with its costs. Takes milliseconds: not for the event loop."""
    from echolot_lsp.check import check
    from echolot_lsp.config.apply import apply_all, running
    from echolot_lsp.rules import all_rules
    from echolot_lsp.tokens import costs
    from echolot_lsp.verdict import verdicts

    report = check(
        server,
        costs=costs([tool.wire for tool in server.tools], settings.models),
        rules=running(all_rules().values(), settings),
        window=settings.context_window,
        client_prefixes=prefixes(settings),
    )
    report = replace(report, verdicts=verdicts([tool.wire for tool in server.tools], report.findings))
    return apply_all([report], lambda _: settings, server.sources)[0]


def _costs(servers: tuple[Server, ...], counted: Counted) -> list[Costs]:
    """The costs of each server as far as the last count tells; empty where servers have come or gone."""
    if len(counted) != len(servers):
        return [{}] * len(servers)
    return [carried(server, before, costs) for server, (before, costs) in zip(servers, counted, strict=True)]
