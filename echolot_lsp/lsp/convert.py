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
    """Line indexes of texts, each made once, and where blocks of them start."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._known: dict[str, tuple[Source, LineIndex]] = {}
        self._anchors: dict[tuple[str, str], Position] = {}

    def index(self, source: Source) -> LineIndex:
        """The line index of a source's text."""
        known = self._known.get(source.file)
        if known is None or known[0] is not source:
            known = self._known[source.file] = source, LineIndex(source.text)
        return known[1]

    def positions(self, source: Source, span: Span) -> tuple[Position, Position]:
        """The positions of a span's ends."""
        start, end = source.resolve(span)
        index = self.index(source)
        return index.position(start, self.encoding), index.position(end, self.encoding)

    def anchor(self, source: Source, span: Span) -> Position:
        """The position at which a span's block starts."""
        key = span.file, span.block
        known = self._anchors.get(key)
        if known is None:
            known = self._anchors[key] = self.index(source).position(source.blocks[span.block], self.encoding)
        return known


class Writer:
    """Writes diagnostics, and remembers what it wrote of each finding: an edit leaves most findings, and their blocks, where
    they were."""

    def __init__(self, announced: Announced, uri: Callable[[str], str]) -> None:
        self.announced = announced
        self._uri = uri
        """The client's URI of a path."""
        self._written: dict[str, dict[int, tuple[Finding, tuple[Position, ...], str]]] = {}

    def diagnostics(self, reading: Reading) -> Mapping[str, list[str]]:
        """Everything that is published of one reading: by file, each diagnostic as JSON."""
        lines = Lines(self.announced.encoding)
        before, now = self._written.get(reading.path, {}), {}
        found: dict[str, list[str]] = {}
        for report in reading.reports:
            for finding in report.findings:
                if finding.default is not Default.ON:
                    continue
                place = _place(finding, reading)
                if place is None:
                    continue
                source, span = place
                anchors = _anchors(finding, source, span, reading, lines)
                known = before.get(id(finding))
                if known is None or known[0] is not finding or known[1] != anchors:
                    known = finding, anchors, self._diagnostic(finding, source, span, reading, lines)
                now[id(finding)] = known
                found.setdefault(source.file, []).append(known[2])
        self._written[reading.path] = now
        if not reading.servers:
            for trouble in reading.troubles:
                told = reading.sources.get(trouble.file)
                if told is not None:
                    found.setdefault(trouble.file, []).append(_trouble(trouble, told, lines))
        return found

    def forget(self, path: str) -> None:
        """A file is no longer of interest."""
        self._written.pop(path, None)

    def _diagnostic(self, finding: Finding, source: Source, span: Span, reading: Reading, lines: Lines) -> str:
        related = ",".join(self._related(finding, reading, lines)) if self.announced.related and finding.related else ""
        return (
            f'{{"range":{_range(*lines.positions(source, span))},'
            f"{_fixed(finding.rule, finding.severity, text_of(finding), self.announced.links)}"
            + (f',"relatedInformation":[{related}]' if related else "")
            + "}"
        )

    def _related(self, finding: Finding, reading: Reading, lines: Lines) -> Iterable[str]:
        for each in finding.related:
            source = None if each.span is None else reading.sources.get(each.span.file)
            if each.span is not None and source is not None:
                where = f'{{"uri":{json.dumps(self._uri(source.file))},"range":{_range(*lines.positions(source, each.span))}}}'
                yield f'{{"location":{where},"message":{json.dumps(each.message or each.tool or "")}}}'


def _place(finding: Finding, reading: Reading) -> tuple[Source, Span] | None:
    """Where a finding is shown: at its place, else at the start of the file that was read."""
    if finding.span is not None and finding.span.file in reading.sources:
        return reading.sources[finding.span.file], finding.span
    source = reading.sources.get(reading.path)
    return None if source is None else (source, Span(source.file, next(iter(source.blocks)), 0, 0))


def _anchors(finding: Finding, source: Source, span: Span, reading: Reading, lines: Lines) -> tuple[Position, ...]:
    """Where the blocks start that a finding's places are in: while they stay there, its text stays right."""
    anchors = [lines.anchor(source, span)]
    for each in finding.related:
        other = None if each.span is None else reading.sources.get(each.span.file)
        if each.span is not None and other is not None:
            anchors.append(lines.anchor(other, each.span))
    return tuple(anchors)


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


def _trouble(trouble: Trouble, source: Source, lines: Lines) -> str:
    """A mistake in a settings file."""
    span = trouble.span or Span(source.file, next(iter(source.blocks)), 0, 0)
    parts = {"severity": 1, "code": "settings", "source": "echolot", "message": trouble.message}
    return f'{{"range":{_range(*lines.positions(source, span))},{json.dumps(parts)[1:-1]}}}'


def _range(start: Position, end: Position) -> str:
    return (
        f'{{"start":{{"line":{start.line},"character":{start.character}}},"end":{{"line":{end.line},"character":{end.character}}}}}'
    )
