"""Whether a fix that calls itself safe is: it is tried on the tools as data, and what the rules then say may hold nothing new.

A fix mends one finding and could bring another: a part that is written out where it was referred to brings its faults along, once
for each place. Such a fix is still offered, but as one to look over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from echolot_lsp.model import Finding, Places, Tool
from echolot_lsp.operations import performed
from echolot_lsp.rules import Hit

Judge = Callable[[Tool], Iterable[Finding]]
JudgeList = Callable[[Sequence[Tool]], Iterable[tuple[str, Hit]]]


def tried(tool: Tool, findings: Sequence[Finding], judge: Judge) -> tuple[tuple[Finding, ...], Tool | None]:
    """The findings on a tool, with fixes that are not safe called so, and the tool after all that are; ``None``: there is none."""
    before = Counter(finding.rule for finding in findings)
    told = tuple(_unsafe(each) if _is_safe(each) and not _mends(tool, each, before, judge) else each for each in findings)
    safe = [finding for finding in told if _is_safe(finding)]
    after = _after(tool, safe) if safe else None
    if len(safe) > 1 and (after is None or Counter(finding.rule for finding in judge(after)) - before):
        return all_unsafe(told), None
    return told, after


def guilty(tools: Sequence[Tool], after: Mapping[int, Tool], before: Iterable[Finding], judge: JudgeList) -> set[int]:
    """The positions of the tools that bring a finding on the list which was not there (``before``), once they are mended (``after``)."""
    had = Counter((finding.rule, finding.index) for finding in before)
    left = dict(after)
    while left:
        found = list(judge([left.get(index, tool) for index, tool in enumerate(tools)]))
        new = Counter((rule, hit.index) for rule, hit in found) - had
        if not new:
            break
        named = {
            index for rule, hit in found if (rule, hit.index) in new for index in (hit.index, *(mark.index for mark in hit.related))
        }
        left = {index: tool for index, tool in left.items() if index not in named} if named & left.keys() else {}
    return set(after) - set(left)


def all_unsafe(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings with every fix called unsafe."""
    return tuple(_unsafe(finding) if _is_safe(finding) else finding for finding in findings)


def _mends(tool: Tool, finding: Finding, before: Counter[str], judge: Judge) -> bool:
    """Whether the fix of a finding takes it away and brings no other."""
    after = _after(tool, [finding])
    return after is not None and not Counter(each.rule for each in judge(after)) - (before - Counter([finding.rule]))


def _after(tool: Tool, findings: Sequence[Finding]) -> Tool | None:
    operations = [operation for finding in findings if finding.fix is not None for operation in finding.fix.operations]
    try:
        return replace(tool, wire=performed(tool.wire, operations), places=Places())
    except (LookupError, TypeError):
        return None


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.safe


def _unsafe(finding: Finding) -> Finding:
    assert finding.fix is not None
    return replace(finding, fix=replace(finding.fix, safe=False))
