"""check(server, settings, costs) -> Report: every rule over one list, worst finding first.

Pure: the settings and the costs are inputs like the tools. A rule that raises is logged and skipped. What a rule says of one tool is
kept as long as the tool lives, so checking a list again after one tool changed looks at that tool and at the list as a whole.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary, ref

from echolot_lsp.causes import is_explained
from echolot_lsp.model import Costs, Finding, Path, ProviderName, Related, Report, Server, Span, Tool, Verdict, place_of
from echolot_lsp.rules import Context, Hit, Rule, all_rules
from echolot_lsp.safety import all_unsafe, guilty, tried

log = logging.getLogger(__name__)

OnError = Callable[[Rule, Exception], None]


def check(
    server: Server,
    *,
    costs: Costs | None = None,
    verdicts: Mapping[ProviderName, Verdict] | None = None,
    rules: Iterable[Rule] | None = None,
    window: int = 200_000,
    client_prefixes: tuple[str, ...] = (),
    on_error: OnError | None = None,
) -> Report:
    """All findings on one server, worst first, then in the order of tools and rules.

    ``rules``: those to run (default: all). ``on_error``: called in place of logging when a rule raises.
    """
    context = Context(server=server, costs=costs or {}, client_prefixes=client_prefixes)
    chosen = tuple(all_rules().values()) if rules is None else tuple(rules)
    findings = [finding for finding in _all(chosen, context, on_error or _log) if not is_explained(finding, server)]
    findings.sort(key=_order)
    return Report(server=server, findings=tuple(findings), costs=context.costs, verdicts=verdicts or {}, window=window)


def _all(rules: tuple[Rule, ...], context: Context, on_error: OnError) -> Iterator[Finding]:
    """What the rules say; one that raises over a tool (or the list) says nothing of that."""
    server = context.server
    lasting = tuple(rule for rule in rules if rule.tool is not None and not rule.needs_costs)
    about = server.origin, server.name, server.framework, server.framework_version, server.python, context.client_prefixes
    under = about, tuple(rule.tool for rule in lasting)
    said: list[tuple[Finding, ...]] = []
    mended: dict[int, Tool] = {}
    for index, tool in enumerate(server.tools if lasting else ()):
        known = _known.get(tool)
        if known is None or known[0] != index or known[1] != under:
            judge = partial(_of_tool, lasting, index, context=context, on_error=on_error)
            known = _known[tool] = index, under, *tried(tool, judge(tool), judge)
        said.append(known[2])
        if known[3] is not None:
            mended[index] = known[3]
    of_list = [finding for rule in rules for finding in _beside_others(rule, context, on_error)]
    worse = guilty(server.tools, mended, of_list, partial(_hits, rules, context, on_error)) if mended else set()
    for index, findings in enumerate(said):
        yield from all_unsafe(findings) if index in worse else findings
    yield from of_list


def _beside_others(rule: Rule, context: Context, on_error: OnError) -> list[Finding]:
    """What a rule says of the list, and of tools by their costs."""
    server = context.server
    if rule.needs_costs and not context.costs:
        return []
    try:
        by_costs = rule.tool if rule.needs_costs else None
        hits = [hit for index, tool in enumerate(server.tools) for hit in by_costs(index, tool, context)] if by_costs else []
        hits += rule.list(server, context) if rule.list is not None else ()
        return [_kept(server, rule, hit) for hit in hits]
    except Exception as error:  # a rule must never take the report down with it
        on_error(rule, error)
        return []


def _hits(rules: tuple[Rule, ...], context: Context, on_error: OnError, tools: Sequence[Tool]) -> Iterator[tuple[str, Hit]]:
    """What the list's rules would say of other tools in the place of the server's."""
    server = replace(context.server, tools=tuple(tools))
    supposed = replace(context, server=server)
    for rule in rules:
        if rule.list is not None and not rule.needs_costs:
            try:
                yield from [(rule.id, hit) for hit in rule.list(server, supposed)]
            except Exception as error:
                on_error(rule, error)


def _log(rule: Rule, error: Exception) -> None:
    log.error("rule %s failed and was skipped", rule.id, exc_info=error)


_known: WeakKeyDictionary[Tool, tuple[int, Any, tuple[Finding, ...], Tool | None]] = WeakKeyDictionary()
"""What was found on a tool, with what it was found under: the position, the rules, what a rule may know of the server. Last the
tool as it were after its safe fixes."""


def _of_tool(rules: tuple[Rule, ...], index: int, tool: Tool, context: Context, on_error: OnError) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    for rule in rules:
        try:
            findings.extend([_finding(context.server, rule, hit) for hit in rule.tool(index, tool, context)] if rule.tool else ())
        except Exception as error:
            on_error(rule, error)
    return tuple(findings)


_said: WeakKeyDictionary[Tool, dict[Any, tuple[Hit, tuple[ref[Tool], ...], Span | None, Finding]]] = WeakKeyDictionary()
"""What was said last of a tool beside others (of the list: by its first tool), with the hit, the tools that it rests on, and the
list's own place where it stands there."""


def _kept(server: Server, rule: Rule, hit: Hit) -> Finding:
    """The finding of a hit: the one of the last check where nothing that it rests on has changed, so that an editor knows it."""
    if not server.tools:
        return _finding(server, rule, hit)
    # weakly: a value that holds its own key would keep every tool that ever was
    indexes = (hit.index, *(mark.index for mark in hit.related))
    about = tuple(ref(server.tools[index]) for index in indexes if index is not None)
    place = server.place if None in indexes else None
    said = _said.setdefault(server.tools[hit.index or 0], {})
    known = said.get((rule.id, hit.path))
    if known is None or known[0] != hit or known[1] != about or known[2] != place or known[3].default is not rule.default:
        known = said[rule.id, hit.path] = hit, about, place, _finding(server, rule, hit)
    return known[3]


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
        span=hit.span or (server.place if tool is None else _place(tool, hit.path)),
        related=tuple(
            Related(
                index=mark.index,
                tool=None if mark.index is None else server.tools[mark.index].name,
                path=mark.path,
                message=mark.message,
                span=server.place if mark.index is None else _place(server.tools[mark.index], mark.path),
            )
            for mark in hit.related
        ),
        fix=hit.fix,
        default=rule.default,
        refused_by=rule.refused_by if hit.refused_by is None else hit.refused_by,
    )


_placed: WeakKeyDictionary[Tool, dict[Path, Span | None]] = WeakKeyDictionary()
"""Where parts of a tool stand that were named before: what is said of a list names many at every check."""


def _place(tool: Tool, path: Path) -> Span | None:
    known = _placed.setdefault(tool, {})
    if path not in known:
        known[path] = place_of(tool, path)
    return known[path]


def _order(finding: Finding) -> tuple[int, int, str]:
    return finding.severity.rank, -1 if finding.index is None else finding.index, finding.rule
