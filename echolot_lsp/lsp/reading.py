"""What a job works on and what it makes: texts and settings in, what is known of each file out. All of it frozen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from echolot_lsp.lsp.mending import Mended

if TYPE_CHECKING:
    from echolot_lsp.config import Settings
    from echolot_lsp.lsp.counting import Counted
    from echolot_lsp.model import Report, Server, Source, Span, Trouble

PYTHON = (".py", ".pyi", ".pyw")
JSON = (".json", ".jsonc", ".jsonl", ".mcpb")
SETTINGS_FILES = ("echolot.toml", "pyproject.toml")
ENVIRONMENT_FILES = ("uv.lock", "poetry.lock", "pdm.lock", "requirements.txt", ".python-version", "pyvenv.cfg", *SETTINGS_FILES)
"""Files that bear on every reading of their workspace: settings, and the versions that a server runs on."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a job works on: the open texts, which of them are of which language, and the editor's settings."""

    buffers: Mapping[str, str]
    languages: Mapping[str, str] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    editor_settings: Mapping[str, Any] = field(default_factory=dict)
    tracked: frozenset[str] = frozenset()
    """Files to keep an eye on: those that are open, and those that were and held a server."""
    changed: frozenset[str] | None = None
    """Paths whose content, or presence, may have changed; ``None``: anything may have."""
    costs: Mapping[str, Counted] = field(default_factory=dict)
    """The servers of each file as they were counted last."""
    recosted: frozenset[str] = frozenset()
    """Files whose costs have come in since the last job."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of one file: its servers, a report on each, and the texts that their places stand in."""

    path: str
    servers: tuple[Server, ...] = ()
    raw: tuple[Report, ...] = ()
    """What the rules say, before settings and ignore comments."""
    reports: tuple[Report, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    """Every path that was looked at, present or absent: when one of them changes, the file is read again."""
    about_mcp: bool = False
    """The file has to do with MCP (or with our settings); else nothing is ever said of it."""
    settings: Settings | None = None
    moved: Mapping[str, Mended] = field(default_factory=dict)
    """Sources that are not what is on the screen, because that is half typed."""
    needs_costs: bool = False
    """A rule that is in force needs tokens."""

    def place(self, span: Span) -> tuple[int, int] | None:
        """Offsets of a span in the text that was on the screen; ``None`` in a stretch that is half typed."""
        source = self.sources.get(span.file)
        if source is None or span.block not in source.blocks:
            return None
        start, end = source.resolve(span)
        moved = self.moved.get(span.file)
        return (start, end) if moved is None else moved.span(start, end)

    def shown(self, file: str) -> str:
        """The text of a source as it was on the screen."""
        return self.moved[file].shown if file in self.moved else self.sources[file].text


@dataclass(frozen=True, slots=True)
class Outcome:
    """The readings of all tracked files, and which of them this job made."""

    readings: Mapping[str, Reading]
    fresh: frozenset[str]


def kind_of(path: str, language: str = "") -> str:
    """``python``, ``json``, ``settings`` or ``""`` (not ours)."""
    name = os.path.basename(path).lower()
    if language == "python" or name.endswith(PYTHON):
        return "python"
    if name in SETTINGS_FILES:
        return "settings"
    if language in ("json", "jsonc", "jsonl", "json5") or name.endswith(JSON):
        return "json"
    return ""


def identity(server: Server) -> object:
    """What is the same for two tellings of one server, from two of its files."""
    return id(server) if server.place is None else (server.path, server.place, server.name)


def fullness(server: Server, path: str) -> tuple[int, bool]:
    """Of several tellings of one server the greatest is the one to believe; ``path``: the file that was read."""
    return len(server.tools), server.path == path
