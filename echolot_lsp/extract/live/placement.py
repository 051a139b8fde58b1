"""Where a server of another language registers a tool: the string literal that holds its name, if there is exactly one.

A bounded search in the text, no parser: TypeScript, JavaScript, Go, Rust, C#, Java, Kotlin. A name that stands in quotes at
several places is placed nowhere, rather than at the wrong one; a place right after a registering call wins over others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence

from echolot_lsp.files import Files
from echolot_lsp.model import Source, Span

SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".go", ".rs", ".cs", ".java", ".kt", ".kts")
SKIPPED = {"node_modules", "dist", "build", "out", "target", "vendor", "bin", "obj", "coverage", "__pycache__"}
MAX_FILES = 2_000
MAX_FILE_BYTES = 1 << 20
MAX_TOTAL_BYTES = 64 << 20

_LITERAL = re.compile(r"""(["'`])([A-Za-z0-9_.\-/]{1,128})\1""")
_REGISTERS = re.compile(
    r"""(?:\b(?:registerTool|tool|addTool|AddTool|NewTool|defineTool|McpServerTool|Tool)\s*(?:<[^>]*>)?\s*[({]\s*|\b(?:name|Name)\s*[:=]\s*)$"""
)


def place_names(names: Iterable[str], folders: Sequence[str], files: Files) -> tuple[dict[str, Span], dict[str, Source]]:
    """The place of each name that has exactly one, and the sources that those places are in."""
    wanted = set(names)
    found: dict[str, list[tuple[Span, bool]]] = {}
    sources: dict[str, Source] = {}
    budget = MAX_TOTAL_BYTES
    for path in _sources(folders, files):
        data = files.bytes(path)
        if data is None or len(data) > MAX_FILE_BYTES:
            continue
        budget -= len(data)
        if budget < 0:
            break
        text = data.decode("utf-8-sig", "replace")
        for match in _LITERAL.finditer(text):
            if match[2] in wanted:
                registers = _REGISTERS.search(text, max(0, match.start() - 80), match.start()) is not None
                found.setdefault(match[2], []).append((Span(path, "", match.start(), match.end()), registers))
                sources[path] = Source(path, text)
    places: dict[str, Span] = {}
    for name, spans in found.items():
        only = [span for span, registers in spans if registers] or [span for span, _ in spans]
        if len(only) == 1:
            places[name] = only[0]
    return places, used(sources, places)


def used(sources: Mapping[str, Source], places: Mapping[str, Span]) -> dict[str, Source]:
    """The sources that some place is in."""
    files = {span.file for span in places.values()}
    return {path: source for path, source in sources.items() if path in files}


def _sources(folders: Sequence[str], files: Files) -> Iterable[str]:
    pending = list(folders)
    seen = 0
    while pending and seen < MAX_FILES:
        folder = pending.pop()
        for name in files.names(folder):
            path = os.path.join(folder, name)
            if name.endswith(SUFFIXES) and not name.endswith(".d.ts"):
                seen += 1
                if seen > MAX_FILES:
                    return
                yield path
            elif "." not in name and name not in SKIPPED and files.is_folder(path):
                pending.append(path)
