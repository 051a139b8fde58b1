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

from echolot_lsp.model import Default, Finding, Severity, Span, Trouble
from echolot_lsp.text import Encoding, LineIndex, Position

if TYPE_CHECKING:
    from echolot_lsp.lsp.reading import Reading

MOST_RELATED = 20
"""Places that belong to one finding: an editor lists them all, and nobody reads a hundred."""
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
    """The line indexes of a reading's texts as they are on the screen, each made once, and where blocks of them start."""

    def __init__(self, reading: Reading, encoding: Encoding) -> None:
        self.reading = reading
        self.encoding = encoding
        self._known: dict[str, LineIndex] = {}
        self._anchors: dict[str, Mapping[str, Position]] = {}

    def positions(self, span: Span) -> tuple[Position, Position] | None:
        """The positions of a span's ends; ``None`` in a stretch that is half typed."""
        place = self.reading.place(span)
        if place is None:
            return None
        index, anchor = self._index(span.file), self.anchor(span)
        if anchor is None:
            return index.position(place[0], self.encoding), index.position(place[1], self.encoding)
        start = index.onward(place[0] - span.start, anchor, place[0], self.encoding)
        return start, index.onward(place[0], start, place[1], self.encoding)

    def anchor(self, span: Span) -> Position | None:
        """The position at which a span's block starts; ``None`` in a text with half-typed stretches, where that says nothing."""
        if span.file not in self._anchors:
            source = None if span.file in self.reading.moved else self.reading.sources.get(span.file)
            self._anchors[span.file] = {} if source is None else self._index(span.file).positions(source.blocks, self.encoding)
        return self._anchors[span.file].get(span.block)

    def _index(self, file: str) -> LineIndex:
        if file not in self._known:
            self._known[file] = LineIndex(self.reading.shown(file))
        return self._known[file]


class Writer:
    """Writes diagnostics, and remembers what it wrote of each finding: an edit leaves most findings, and their blocks, where
    they were."""

    def __init__(self, announced: Announced, uri: Callable[[str], str]) -> None:
        self.announced = announced
        self._uri = uri
        """The client's URI of a path."""
        self._written: dict[str, dict[int, tuple[Finding, tuple[Position | None, ...], str]]] = {}

    def diagnostics(self, reading: Reading) -> Mapping[str, list[str]]:
        """Everything that is published of one reading: by file, each diagnostic as JSON."""
        lines = Lines(reading, self.announced.encoding)
        before, now = self._written.get(reading.path, {}), {}
        found: dict[str, list[str]] = {}
        for report in reading.reports:
            for finding in report.findings:
                span = _span(finding, reading)
                if finding.default is not Default.ON or span is None:
                    continue
                anchors = tuple(lines.anchor(each) for each in (span, *_related_spans(finding)))
                known = before.get(id(finding))
                if known is None or known[0] is not finding or None in anchors or known[1] != anchors:
                    known = finding, anchors, self._diagnostic(finding, span, lines)
                now[id(finding)] = known
                if known[2]:
                    found.setdefault(span.file, []).append(known[2])
        self._written[reading.path] = now
        if not reading.servers:
            for trouble in reading.troubles:
                if trouble.file in reading.sources:
                    found.setdefault(trouble.file, []).append(_trouble(trouble, lines))
        return found

    def forget(self, path: str) -> None:
        """A file is no longer of interest."""
        self._written.pop(path, None)

    def _diagnostic(self, finding: Finding, span: Span, lines: Lines) -> str:
        """A diagnostic as JSON; empty where its place is half typed."""
        place = lines.positions(span)
        if place is None:
            return ""
        related = ",".join(self._related(finding, lines)) if self.announced.related and finding.related else ""
        return (
            f'{{"range":{_range(*place)},{_fixed(finding.rule, finding.severity, text_of(finding), self.announced.links)}'
            + (f',"relatedInformation":[{related}]' if related else "")
            + "}"
        )

    def _related(self, finding: Finding, lines: Lines) -> Iterable[str]:
        for each in finding.related[:MOST_RELATED]:
            place = None if each.span is None else lines.positions(each.span)
            if each.span is not None and place is not None:
                where = f'{{"uri":{json.dumps(self._uri(each.span.file))},"range":{_range(*place)}}}'
                yield f'{{"location":{where},"message":{json.dumps(each.message or each.tool or "")}}}'


def _span(finding: Finding, reading: Reading) -> Span | None:
    """Where a finding is shown: at its place, else at the start of the file that was read."""
    if finding.span is not None and finding.span.file in reading.sources:
        return finding.span
    source = reading.sources.get(reading.path)
    return None if source is None else Span(source.file, next(iter(source.blocks)), 0, 0)


def _related_spans(finding: Finding) -> Iterable[Span]:
    return (each.span for each in finding.related[:MOST_RELATED] if each.span is not None)


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


def _trouble(trouble: Trouble, lines: Lines) -> str:
    """A mistake in a settings file."""
    source = lines.reading.sources[trouble.file]
    place = lines.positions(trouble.span or Span(source.file, next(iter(source.blocks)), 0, 0))
    parts = {"severity": 1, "code": "settings", "source": "echolot", "message": trouble.message}
    return f'{{"range":{_range(*(place or (Position(0, 0), Position(0, 0))))},{json.dumps(parts)[1:-1]}}}'


def _range(start: Position, end: Position) -> str:
    return (
        f'{{"start":{{"line":{start.line},"character":{start.character}}},"end":{{"line":{end.line},"character":{end.character}}}}}'
    )
