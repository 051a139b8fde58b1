"""Spans of a server as lines and characters (from 0, UTF-16 units), against the text that was analysed."""

from __future__ import annotations

from typing import Any

from echolot_lsp.model import Server, Span
from echolot_lsp.text import Encoding, LineIndex, Position


class Ranges:
    """Resolves spans of one server; each source's lines are found once."""

    def __init__(self, server: Server) -> None:
        self._sources = dict(server.sources)
        self._lines: dict[str, LineIndex] = {}

    def lines(self, file: str) -> LineIndex | None:
        """The line index of a source; ``None`` where there is no such source."""
        if file not in self._lines:
            if file not in self._sources:
                return None
            self._lines[file] = LineIndex(self._sources[file].text)
        return self._lines[file]

    def of(self, span: Span | None, encoding: Encoding = "utf-16") -> tuple[Position, Position] | None:
        """Start and end of a span; ``None`` without one."""
        index = None if span is None else self.lines(span.file)
        if span is None or index is None:
            return None
        try:
            start, end = self._sources[span.file].resolve(span)
        except KeyError:
            return None
        return index.position(start, encoding), index.position(end, encoding)

    def place(self, span: Span | None) -> dict[str, Any]:
        """``path`` and ``range`` as the JSON report has them; null where there is no source."""
        found = self.of(span)
        if span is None or found is None:
            return {"path": None, "range": None}
        start, end = found
        return {"path": span.file, "range": {"start": start._asdict(), "end": end._asdict()}}
