"""The report as JSON: the stable contract of ``--format json``, described by ``report.schema.json`` beside this file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from echolot_lsp.model import Cost, Finding, Related, Report, Severity, Verdict
from echolot_lsp.render.listing import plain_tools, unresolved
from echolot_lsp.render.ranges import Ranges
from echolot_lsp.render.words import dearest, largest
from echolot_lsp.schema import pointer

VERSION = 1


def report_json(reports: Sequence[Report]) -> dict[str, Any]:
    """The whole report. Keys may be added in later versions; none is renamed."""
    summary = {f"{severity.value}s": sum(report.count(severity) for report in reports) for severity in Severity}
    return {"version": VERSION, "servers": [server_json(report) for report in reports], "summary": summary}


def server_json(report: Report) -> dict[str, Any]:
    """One server of the report. Lines and characters count from 0, characters in UTF-16 units."""
    server, ranges = report.server, Ranges(report.server)
    cost = dearest(report)
    tools = [tool.name for tool in server.tools]
    return {
        "name": server.name,
        "origin": server.origin,
        "path": server.path,
        "framework": server.framework,
        "framework_version": server.framework_version,
        "python": server.python,
        "tools": plain_tools(server),
        "cost": {provider: _cost(each, server.complete) for provider, each in report.costs.items()},
        "context": None if cost is None else _context(cost, report.window),
        "largest": [
            {"index": index, "tool": tools[index], "tokens": tokens}
            for index, tokens in (largest(cost) if cost is not None and len(tools) > 1 else [])
        ],
        "verdict": {provider: _verdict(verdict) for provider, verdict in report.verdicts.items()},
        "findings": [_finding(finding, ranges) for finding in report.findings],
        "unresolved": unresolved(server, ranges),
    }


def _cost(cost: Cost, complete: bool) -> dict[str, Any]:
    return {
        "model": cost.model,
        "estimate": True,
        "at_least": cost.at_least or not complete,
        "total": cost.total,
        "surcharge": cost.surcharge,
        "tools": [tool.tokens for tool in cost.tools],
        "borrowed": cost.borrowed,
    }


def _context(cost: Cost, window: int) -> dict[str, Any]:
    return {"window": window, "provider": cost.provider, "share": round(cost.total / window, 6)}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    why = [{"tool": each.tool, "index": each.index, "field": pointer(each.path), "text": each.text} for each in verdict.why]
    return {"state": verdict.state, "why": why}


def _finding(finding: Finding, ranges: Ranges) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "tool": finding.tool,
        "index": finding.index,
        "field": pointer(finding.path),
        "message": finding.message,
        "advice": finding.advice,
        **ranges.place(finding.span),
        "related": [_related(each, ranges) for each in finding.related],
        "fix": None if finding.fix is None else {"title": finding.fix.title, "safe": finding.fix.safe},
        "default": finding.default.value,
    }


def _related(related: Related, ranges: Ranges) -> dict[str, Any]:
    return {
        "tool": related.tool,
        "index": related.index,
        "field": pointer(related.path),
        "message": related.message,
        **ranges.place(related.span),
    }
