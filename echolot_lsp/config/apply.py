"""The one step after ``check``: settings and ignore comments decide which findings speak, how loudly and where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from echolot_lsp.config.comments import Comments, Ignore, read_comments
from echolot_lsp.config.globs import name_matches, path_matches
from echolot_lsp.config.headers import header_lines
from echolot_lsp.config.own_rules import OVER_BUDGET, UNKNOWN_RULE, UNUSED_IGNORE, every_rule, rule_ids
from echolot_lsp.config.settings import RuleId, RulePattern, Settings
from echolot_lsp.model import Default, Finding, Report, Server, Source, Span
from echolot_lsp.rules import Rule
from echolot_lsp.text import LineIndex


def running(rules: Iterable[Rule], settings: Settings) -> list[Rule]:
    """The rules that can speak somewhere, or that a verdict rests on: the others need not be asked. Overrides can wake any rule."""
    if settings.overrides:
        return list(rules)
    return [rule for rule in rules if rule.refused_by or _volume(rule.id, rule.default, None, settings) is not Default.OFF]


def apply(report: Report, settings: Settings, sources: Mapping[str, Source] | None = None) -> Report:
    """``report`` as the settings and the comments in ``sources`` (default: the server's own) want it, worst finding first."""
    return apply_all([report], lambda server: settings, sources)[0]


def apply_all(
    reports: Sequence[Report],
    settings_of: Callable[[Server], Settings],
    sources: Mapping[str, Source] | None = None,
) -> list[Report]:
    """``apply`` for servers that may share files: a comment that hides something in one of them is not unused in another."""
    pages: dict[str, _Page] = {}
    for report in reports:
        for file, source in {**report.server.sources, **(sources or {})}.items():
            if report.server.origin == "python" and file not in pages:
                pages[file] = _Page(source)
    done: list[Report] = []
    for report in reports:
        settings = settings_of(report.server)
        speaking = [_adjusted(finding, report, settings) for finding in (*report.findings, *_over_budget(report, settings))]
        findings = [each for each in speaking if each is not None and not _commented(each, report.server, pages)]
        done.append(replace(report, findings=tuple(findings), window=settings.context_window))
    told: set[str] = set()
    for number, report in enumerate(done):
        settings = settings_of(report.server)
        own: list[Finding] = []
        for file in report.server.sources:
            if file in pages and file not in told:
                told.add(file)
                own += pages[file].findings(reports, settings)
        added = [each for each in (_adjusted(finding, report, settings) for finding in own) if each is not None]
        done[number] = replace(report, findings=tuple(sorted((*report.findings, *added), key=_order)))
    return done


def _order(finding: Finding) -> tuple[int, int, str]:
    return finding.severity.rank, -1 if finding.index is None else finding.index, finding.rule


def _adjusted(finding: Finding, report: Report, settings: Settings) -> Finding | None:
    """The finding with the severity and default that are in force for it; ``None`` where it does not speak."""
    file = finding.span.file if finding.span is not None else report.server.path
    if _ignored(finding, report.server.name, file, settings):
        return None
    default = _volume(finding.rule, finding.default, file, settings)
    if default is Default.OFF:
        return None
    severity = settings.severity.get(_id(finding.rule), finding.severity)
    for override in settings.overrides:
        if any(path_matches(file, pattern, settings.folder) for pattern in override.paths):
            severity = override.severity.get(_id(finding.rule), severity)
    if severity is finding.severity and default is finding.default:
        return finding  # the same object: what an editor made of it is still good
    return replace(finding, severity=severity, default=default)


def _volume(rule: str, own: Default, file: str | None, settings: Settings) -> Default:
    """Where a rule speaks in a file: ``ignore`` beats ``select``, an override beats what stands above it."""
    chosen = own
    layers = [(settings.select, settings.ignore, settings.default)]
    layers += [
        (override.select, override.ignore, override.default)
        for override in settings.overrides
        if any(path_matches(file, pattern, settings.folder) for pattern in override.paths)
    ]
    for select, ignore, default in layers:
        if select is not None:
            chosen = own if _names(rule, select) else Default.OFF
            if own is Default.OFF and rule in select:
                chosen = Default.ON
        chosen = default.get(_id(rule), chosen)
        if _names(rule, ignore):
            chosen = Default.OFF
    return chosen


def _names(rule: str, patterns: Sequence[RulePattern]) -> bool:
    return any(name_matches(rule, pattern) for pattern in patterns)


def _ignored(finding: Finding, server: str, file: str | None, settings: Settings) -> bool:
    return any(
        (entry.server is None or name_matches(server, entry.server))
        and (entry.tool is None or name_matches(finding.tool, entry.tool))
        and (entry.path is None or path_matches(file, entry.path, settings.folder))
        and (not entry.rules or _names(finding.rule, entry.rules))
        for entry in settings.ignored
    )


def _id(rule: str) -> RuleId:
    return RuleId(rule)


def _over_budget(report: Report, settings: Settings) -> Iterable[Finding]:
    shown = [cost for provider, cost in report.costs.items() if provider in settings.providers]
    dearest = max(shown, key=lambda cost: cost.total, default=None)
    if settings.budget is None or dearest is None or dearest.total <= settings.budget:
        return
    rule = OVER_BUDGET
    yield Finding(
        rule=rule.id,
        severity=rule.severity,
        index=None,
        tool=None,
        path=(),
        message=f"The list costs about {dearest.total:,} tokens a turn ({dearest.model}), "
        f"{dearest.total - settings.budget:,} more than the budget of {settings.budget:,}.",
        advice=rule.advice,
        span=report.server.place,
    )


def _commented(finding: Finding, server: Server, pages: Mapping[str, _Page]) -> bool:
    """Whether a comment silences the finding, where it stands or on the header of its tool."""
    tool = None if finding.index is None else server.tools[finding.index]
    home = None if tool is None else tool.home
    silenced = False
    file = finding.span.file if finding.span is not None else server.path
    if file is not None and file in pages:
        silenced = pages[file].silences(finding, finding.span, home)
    if home is not None and home.file != file and home.file in pages:
        silenced = pages[home.file].silences(finding, None, home) or silenced
    return silenced


class _Page:
    """A source with its comments, and which of their rules have silenced something."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.comments: Comments = read_comments(source.text)
        self._lines = LineIndex(source.text) if self.comments.ignores else None
        self._used: set[tuple[int, str]] = set()

    def silences(self, finding: Finding, span: Span | None, home: Span | None) -> bool:
        """Whether a comment of this file is about ``finding``; all that are count as used."""
        if self._lines is None:
            return False
        lines = self._span_lines(span)
        if home is not None and self._holds(home):
            start, end = self.source.resolve(home)
            lines |= set(header_lines(self._lines, self._line(start), self._line(end)))
        hit = False
        for ignore in self.comments.ignores:
            if (ignore.whole_file or self._line(ignore.start) in lines) and _covers(ignore, finding.rule):
                self._used.add((ignore.start, finding.rule))
                hit = True
        return hit

    def findings(self, reports: Sequence[Report], settings: Settings) -> Iterable[Finding]:
        """What is wrong with the comments themselves. A rule that did not run leaves its ignore unjudged."""
        for start, end in self.comments.misspelt:
            yield self._finding(UNKNOWN_RULE, "This is no ignore comment.", start, end, "Write `# echolot: ignore[rule]`.")
        for ignore in self.comments.ignores:
            used = {rule for start, rule in self._used if start == ignore.start}
            if ignore.rules is None:
                if not used:
                    yield self._finding(
                        UNUSED_IGNORE, "Nothing is found here: the comment hides nothing.", ignore.start, ignore.end
                    )
                continue
            for named in ignore.rules:
                if named.rule not in rule_ids():
                    import difflib

                    near = difflib.get_close_matches(named.rule, rule_ids(), n=1)
                    advice = f"Did you mean `{near[0]}`?" if near else None
                    yield self._finding(UNKNOWN_RULE, f"There is no rule `{named.rule}`.", named.start, named.end, advice)
                elif named.rule not in used and self._ran(named.rule, reports, settings):
                    message = f"`{named.rule}` finds nothing here."
                    yield self._finding(UNUSED_IGNORE, message, named.start, named.end)

    def _ran(self, name: str, reports: Sequence[Report], settings: Settings) -> bool:
        rule = every_rule()[name]
        if rule.needs_costs and not all(report.costs for report in reports):
            return False
        return rule.sees != "live" and _volume(name, rule.default, self.source.file, settings) is not Default.OFF

    def _finding(self, rule: Rule, message: str, start: int, end: int, advice: str | None = None) -> Finding:
        return Finding(
            rule=rule.id,
            severity=rule.severity,
            index=None,
            tool=None,
            path=(),
            message=message,
            advice=advice or rule.advice,
            span=span_at(self.source, start, end),
        )

    def _holds(self, span: Span) -> bool:
        """Whether a place is one of this text (and not of another one that the file had)."""
        return span.file == self.source.file and span.block in self.source.blocks

    def _span_lines(self, span: Span | None) -> set[int]:
        if span is None or not self._holds(span):
            return set()
        start, end = self.source.resolve(span)
        return set(range(self._line(start), self._line(end) + 1))

    def _line(self, offset: int) -> int:
        assert self._lines is not None
        return bisect_right(self._lines.starts, offset) - 1


def _covers(ignore: Ignore, rule: str) -> bool:
    return ignore.rules is None or any(named.rule == rule for named in ignore.rules)


def span_at(source: Source, start: int, end: int) -> Span:
    """Absolute offsets (code points) as a span of the block that they lie in."""
    block, base = max(
        ((block, base) for block, base in source.blocks.items() if base <= start),
        key=lambda item: item[1],
        default=(next(iter(source.blocks)), next(iter(source.blocks.values()))),
    )
    return Span(source.file, block, start - base, end - base)
