"""A document as it is now, together with what is known of it: places of the text that was analysed, found again in today's.

Features answer from what is stored. While a text is being typed that is a moment old, so a place is carried over the edit, or
left out where it lies inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lsprotocol import types

from echolot_lsp.lsp.documents import Document
from echolot_lsp.lsp.reading import Reading, fullness, identity
from echolot_lsp.lsp.shift import Shift
from echolot_lsp.model import Cost, Path, Report, Server, Severity, Source, Span, Tool
from echolot_lsp.text import Encoding, LineIndex, Position


@dataclass(frozen=True, slots=True)
class Checked:
    """When a running server was asked for its list (seconds since the epoch), and how to ask it again."""

    at: float
    again: bool
    """It had been asked before; ``changes`` says what was different then."""
    changes: tuple[str, ...]
    files: frozenset[str]
    """What it was started from: when one of these is saved, the list may be another."""
    argument: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """A server, the report on it, and the file that it was read from (of a running server: its label)."""

    server: Server
    report: Report
    reading: Reading
    checked: Checked | None = None
    """A running server: when."""

    def dearest(self) -> Cost | None:
        """The cost at the provider where the list costs most; ``None`` while it is not known."""
        return max(self.report.costs.values(), key=lambda cost: cost.total, default=None)

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return self.report.count(severity)


def shown_in(path: str, readings: Iterable[Reading]) -> list[Shown]:
    """The servers that have something in a file. One that several files tell of is there once, as the fullest telling has it."""
    found: dict[object, Shown] = {}
    for reading in readings:
        for server, report in zip(reading.servers, reading.reports, strict=True):
            if path in server.sources:
                known = found.get(identity(server))
                if known is None or fullness(server, reading.path) > fullness(known.server, known.reading.path):
                    found[identity(server)] = Shown(server, report, reading)
    return list(found.values())


class View:
    """One document and the servers that have something in it."""

    def __init__(self, document: Document, servers: list[Shown], encoding: Encoding) -> None:
        self.document = document
        self.path = document.path
        self.encoding = encoding
        self.servers = servers
        self._forward: dict[int, Shift] = {}

    @cached_property
    def lines(self) -> LineIndex:
        """The line index of the text as it is now."""
        return LineIndex(self.document.text)

    def offset(self, position: types.Position) -> int:
        """The offset (code points) of a client's position in the text as it is now."""
        return self.lines.offset(Position(position.line, position.character), self.encoding)

    def position(self, offset: int) -> types.Position:
        """The client's position of an offset in the text as it is now."""
        line, character = self.lines.position(offset, self.encoding)
        return types.Position(line=line, character=character)

    def range(self, start: int, end: int) -> types.Range:
        """The client's range of two offsets in the text as it is now."""
        return types.Range(start=self.position(start), end=self.position(end))

    def source(self, shown: Shown) -> Source:
        """This document's text as it was analysed for a server."""
        return shown.server.sources[self.path]

    def now(self, shown: Shown, span: Span | None) -> tuple[int, int] | None:
        """Where a span stands in the text as it is now; ``None`` in another file, or where it is being edited."""
        if span is None or span.file != self.path:
            return None
        place = shown.reading.place(span)
        if place is None:
            return None
        text = shown.reading.shown(self.path)
        if text is self.document.text:
            return place
        shift = self._forward.get(id(text))
        if shift is None:
            shift = self._forward[id(text)] = Shift(text, self.document.text)
        return shift.span(*place)

    def tools(self) -> Iterator[tuple[Shown, int, Tool]]:
        """Every tool that stands in this document, with its position in its list."""
        for shown in self.servers:
            for index, tool in enumerate(shown.server.tools):
                if tool.home is not None and tool.home.file == self.path:
                    yield shown, index, tool

    def tool_at(self, offset: int) -> tuple[Shown, int, Tool] | None:
        """The tool whose declaration holds an offset."""
        for shown, index, tool in self.tools():
            home = self.now(shown, tool.home)
            if home is not None and home[0] <= offset <= home[1]:
                return shown, index, tool
        return None

    def name_place(self, shown: Shown, tool: Tool) -> tuple[int, int] | None:
        """Where a tool's name stands now."""
        place = tool.places.get(("name",))
        span = None if place is None else place.value or place.key
        return self.now(shown, span or tool.home)

    def part_at(self, shown: Shown, tool: Tool, offset: int) -> Path | None:
        """The smallest part of a tool whose key or value holds an offset."""
        best: tuple[int, Path] | None = None
        for path, place in tool.places.items():
            for span in (place.key, place.value):
                found = self.now(shown, span)
                if found is not None and found[0] <= offset <= found[1] and (best is None or found[1] - found[0] < best[0]):
                    best = found[1] - found[0], path
        return None if best is None else best[1]
