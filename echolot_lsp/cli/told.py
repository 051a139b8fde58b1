"""How a trouble is told on one line: ``file:line:column: message``, both from 1, as editors and terminals follow it."""

from __future__ import annotations

from collections.abc import Iterable

from echolot_lsp.config.find import shown_path
from echolot_lsp.files import Files
from echolot_lsp.model import Server, Source, Trouble
from echolot_lsp.text import LineIndex


def told(trouble: Trouble, files: Files, servers: Iterable[Server] = ()) -> str:
    """The trouble with its place, as far as that is known."""
    file = "standard input" if trouble.file == "-" else shown_path(trouble.file)
    place = _position(trouble, files, servers)
    return f"{file}: {trouble.message}" if place is None else f"{file}:{place[0]}:{place[1]}: {trouble.message}"


def _position(trouble: Trouble, files: Files, servers: Iterable[Server]) -> tuple[int, int] | None:
    span = trouble.span
    if span is None:
        return None
    source = next((server.sources[span.file] for server in servers if span.file in server.sources), None)
    if source is None:
        text = files.text(span.file) if span.file != "-" else None
        if text is None:
            return None
        source = Source(span.file, text)
    try:
        position = LineIndex(source.text).position(source.resolve(span)[0], "utf-32")
    except KeyError:
        return None
    return position.line + 1, position.character + 1
