"""From findings and places to the protocol's terms, in the encoding that client and server agreed on.

Diagnostics are written as JSON at once: a bad large file has hundreds of them at every keystroke, and building, structuring and
dumping the protocol's classes would cost more than finding them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from echolot_lsp.model import Default, Finding, Severity, Source, Span, Trouble
from echolot_lsp.text import Encoding, LineIndex, Position

if TYPE_CHECKING:
    from echolot_lsp.lsp.analysis import Reading

SEVERITIES = {Severity.PROBLEM: 1, Severity.WARNING: 2, Severity.NOTE: 3}
"""LSP's DiagnosticSeverity: error, warning, information."""


@dataclass(frozen=True, slots=True)
class Announced:
    """What the client can take, as far as diagnostics go."""

    encoding: Encoding = "utf-16"
    related: bool = True
    links: bool = True
    versions: bool = True


def pages() -> Path:
    """The folder of the rules' pages: the one base of every link to one."""
    return Path(__file__).parent.parent / "rules" / "pages"


@cache
def page_uri(rule: str) -> str | None:
    """The address of a rule's page; ``None`` where there is none."""
    page = pages() / f"{rule}.md"
    return page.as_uri() if page.is_file() else None


class Lines:
    """Line indexes of texts, each made once, and ranges in them."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._known: dict[str, LineIndex] = {}

    def index(self, source: Source) -> LineIndex:
        """The line index of a source's text."""
        index = self._known.get(source.file)
        if index is None or index.text is not source.text:
            index = self._known[source.file] = LineIndex(source.text)
        return index

    def range(self, source: Source, span: Span) -> types.Range:
        """A span as a range."""
        start, end = self.positions(source, span)
        return types.Range(start=types.Position(*start), end=types.Position(*end))

    def positions(self, source: Source, span: Span) -> tuple[Position, Position]:
        """The positions of a span's ends."""
        start, end = source.resolve(span)
        index = self.index(source)
        return index.position(start, self.encoding), index.position(end, self.encoding)


def diagnostics(reading: Reading, announced: Announced, uri: Callable[[str], str]) -> Mapping[str, list[str]]:
    """Everything that is published of one reading: by file, each diagnostic as JSON. ``uri`` gives the client's URI of a path."""
    lines = Lines(announced.encoding)
    found: dict[str, list[str]] = {}
    for report in reading.reports:
        for finding in report.findings:
            if finding.default is not Default.ON:
                continue
            span = finding.span
            source = None if span is None else reading.sources.get(span.file)
            if span is None or source is None:
                source = reading.sources.get(reading.path)
                span = None if source is None else Span(source.file, next(iter(source.blocks)), 0, 0)
            if source is not None and span is not None:
                found.setdefault(source.file, []).append(_diagnostic(finding, source, span, reading, lines, announced, uri))
    if not reading.servers:
        for trouble in reading.troubles:
            source = reading.sources.get(trouble.file)
            if source is not None:
                found.setdefault(trouble.file, []).append(_trouble(trouble, source, lines))
    return found


def _diagnostic(
    finding: Finding,
    source: Source,
    span: Span,
    reading: Reading,
    lines: Lines,
    announced: Announced,
    uri: Callable[[str], str],
) -> str:
    related = ",".join(_related(finding, reading, lines, uri)) if announced.related and finding.related else ""
    return (
        f'{{"range":{_range(*lines.positions(source, span))},'
        f"{_fixed(finding.rule, finding.severity, text_of(finding), announced.links)}"
        + (f',"relatedInformation":[{related}]' if related else "")
        + "}"
    )


@lru_cache(maxsize=4096)
def _fixed(rule: str, severity: Severity, message: str, links: bool) -> str:
    """What does not move when text above a finding changes."""
    link = page_uri(rule) if links else None
    parts: dict[str, Any] = {"severity": SEVERITIES[severity], "code": rule, "source": "echolot", "message": message}
    if link is not None:
        parts["codeDescription"] = {"href": link}
    return json.dumps(parts)[1:-1]


def text_of(finding: Finding) -> str:
    """What a diagnostic says: what is wrong, then what to do."""
    return f"{finding.message} {finding.advice}".strip()


def _related(finding: Finding, reading: Reading, lines: Lines, uri: Callable[[str], str]) -> Iterable[str]:
    for each in finding.related:
        source = None if each.span is None else reading.sources.get(each.span.file)
        if each.span is not None and source is not None:
            where = f'{{"uri":{json.dumps(uri(source.file))},"range":{_range(*lines.positions(source, each.span))}}}'
            yield f'{{"location":{where},"message":{json.dumps(each.message or each.tool or "")}}}'


def _trouble(trouble: Trouble, source: Source, lines: Lines) -> str:
    """A mistake in a settings file."""
    span = trouble.span or Span(source.file, next(iter(source.blocks)), 0, 0)
    parts = {"severity": 1, "code": "settings", "source": "echolot", "message": trouble.message}
    return f'{{"range":{_range(*lines.positions(source, span))},{json.dumps(parts)[1:-1]}}}'


def _range(start: Position, end: Position) -> str:
    return (
        f'{{"start":{{"line":{start.line},"character":{start.character}}},"end":{{"line":{end.line},"character":{end.character}}}}}'
    )
