"""Reading and checking files off the event loop: from texts to what is known of each file.

An ``Analyser`` lives in the worker thread: its caches are touched by nobody else. Everything that it hands out is frozen.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from echolot_lsp.files import Disk
from echolot_lsp.lsp.costs import carried
from echolot_lsp.lsp.mending import Mended, mend

if TYPE_CHECKING:
    from echolot_lsp.config import Layer, Settings
    from echolot_lsp.extract import Extraction
    from echolot_lsp.extract.json import JsonReader
    from echolot_lsp.extract.python.cache import Cache
    from echolot_lsp.files import Files
    from echolot_lsp.lsp.counting import Counted
    from echolot_lsp.model import Costs, Report, Server, Source, Span, Trouble

log = logging.getLogger(__name__)

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
    cut: frozenset[str] = frozenset()
    """Files that were to be read and were not, because the job was told to stop."""


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


class Analyser:
    """Keeps the reading of every tracked file, and makes again those that a change bears on."""

    def __init__(self) -> None:
        self.readings: dict[str, Reading] = {}
        self._settings: dict[str, tuple[Settings, frozenset[str]]] = {}
        self._editor: tuple[Mapping[str, Any], Layer | None] = ({}, None)
        self._mended: dict[str, Mended] = {}
        self._json_readers: dict[str, JsonReader] = {}
        self._python_cache: Cache | None = None

    def run(self, snapshot: Snapshot, stop: Callable[[], bool] = lambda: False) -> Outcome:
        """One job. ``stop`` is asked between files."""
        self._forget(snapshot)
        self._mend(snapshot)
        whole = {path: mended.text for path, mended in self._mended.items() if mended.hunks}
        if whole:
            snapshot = replace(snapshot, buffers={**snapshot.buffers, **whole})
        wanted = list(self._touched(snapshot))
        fresh: set[str] = set()
        for index, (path, again) in enumerate(wanted):
            if index and stop():
                return Outcome(dict(self.readings), frozenset(fresh), frozenset(path for path, _ in wanted[index:]))
            try:
                self.readings[path] = self._read(path, snapshot) if again else self._checked(self.readings[path], snapshot)
            except Exception:
                log.exception("%s could not be read; what was known of it stays", path)
                self.readings.setdefault(path, Reading(path, asked=frozenset((path,))))
            fresh.add(path)
        return Outcome(dict(self.readings), frozenset(fresh))

    def _forget(self, snapshot: Snapshot) -> None:
        for path in [path for path in self.readings if path not in snapshot.tracked]:
            del self.readings[path]
            self._json_readers.pop(path, None)
        if snapshot.editor_settings != self._editor[0]:
            self._editor = (snapshot.editor_settings, None)
            self._settings.clear()
        changed = snapshot.changed
        if changed is None:
            self._settings.clear()
            self._python_cache = None
        else:
            for path in [path for path, (_, asked) in self._settings.items() if asked & changed]:
                del self._settings[path]

    def _mend(self, snapshot: Snapshot) -> None:
        """Finds what is half typed in the open texts that have to do with MCP."""
        for path in [path for path in self._mended if path not in snapshot.buffers]:
            del self._mended[path]
        read = {file for reading in self.readings.values() for file in reading.sources}
        for path, text in snapshot.buffers.items():
            if snapshot.changed is not None and path not in snapshot.changed:
                continue
            kind = kind_of(path, snapshot.languages.get(path, ""))
            if kind not in ("python", "json") or not (path in read or _may_hold(kind, text.encode("utf-8", "surrogatepass"))):
                self._mended.pop(path, None)
                continue
            self._mended[path] = mend(self._mended.get(path), text, partial(self._flaws, kind, path))

    def _flaws(self, kind: str, path: str, text: str) -> int:
        """How many parts of a text cannot be read."""
        if kind == "json":
            return len(self._json_reader(path).read(path, text).troubles)
        return sum(unit is None for unit in self._cache().units(path, text))

    def _json_reader(self, path: str) -> JsonReader:
        from echolot_lsp.extract.json import JsonReader

        return self._json_readers.setdefault(path, JsonReader())

    def _cache(self) -> Cache:
        from echolot_lsp.extract.python.cache import Cache

        if self._python_cache is None:
            self._python_cache = Cache()
        return self._python_cache

    def _touched(self, snapshot: Snapshot) -> Iterable[tuple[str, bool]]:
        """Files to do, open ones first, and whether to read (or only to check) them again."""
        for path in sorted(snapshot.tracked, key=lambda path: path not in snapshot.buffers):
            reading = self.readings.get(path)
            if reading is None or snapshot.changed is None or path in snapshot.changed or reading.asked & snapshot.changed:
                yield path, True
            elif path in snapshot.recosted:
                yield path, False

    def _read(self, path: str, snapshot: Snapshot) -> Reading:
        files = Disk(snapshot.buffers)
        kind = kind_of(path, snapshot.languages.get(path, ""))
        if kind == "settings":
            return _settings_reading(path, files)
        data = files.bytes(path)
        if data is None or not kind or not _may_hold(kind, data):
            return Reading(path, asked=frozenset(files.asked))
        settings, asked = self._settings_for(path, snapshot)
        extraction = self._extract(kind, path, files, settings, snapshot.roots)
        sources = {file: source for server in extraction.servers for file, source in server.sources.items()}
        reading = Reading(
            path=path,
            servers=extraction.servers,
            troubles=extraction.troubles,
            sources=sources,
            moved={file: self._mended[file] for file in sources if file in self._mended and self._mended[file].hunks},
            asked=frozenset(files.asked) | asked,
            about_mcp=bool(extraction.servers),
            settings=settings,
        )
        return self._checked(reading, snapshot)

    def _settings_for(self, path: str, snapshot: Snapshot) -> tuple[Settings, frozenset[str]]:
        """What is in force for a file, and the paths that this rests on. Editor settings win over the file's."""
        known = self._settings.get(path)
        if known is None:
            from echolot_lsp import config

            if self._editor[1] is None:
                layer, faults = config.from_mapping(self._editor[0])
                self._editor = (self._editor[0], layer)
                for fault in faults:
                    log.warning("In the editor's settings: %s", fault.message)
            files = Disk(snapshot.buffers)
            loaded = config.load(path, files)
            known = config.merge(loaded.layer, self._editor[1] or config.Layer({}, {})), frozenset(files.asked)
            self._settings[path] = known
        return known

    def _extract(self, kind: str, path: str, files: Files, settings: Settings, roots: tuple[str, ...]) -> Extraction:
        if kind == "json":
            return self._json_reader(path).read(path, files.text(path) or "")
        from echolot_lsp.extract.python import extract_python

        environment = settings.environment and os.path.join(settings.folder, settings.environment)
        return extract_python(
            path,
            files,
            environment=environment,
            framework=settings.framework,
            python=settings.python,
            roots=_roots_for(path, roots),
            cache=self._cache(),
        )

    def _checked(self, reading: Reading, snapshot: Snapshot) -> Reading:
        settings = reading.settings
        if not reading.servers or settings is None:
            return reading
        from echolot_lsp.check import check
        from echolot_lsp.config.apply import apply_all, running
        from echolot_lsp.rules import all_rules

        rules = running(all_rules().values(), settings)
        reports = [
            check(server, costs=cost, rules=rules, window=settings.context_window, client_prefixes=settings.client_prefixes)
            for server, cost in zip(reading.servers, _costs(reading.servers, snapshot.costs.get(reading.path, ())), strict=True)
        ]
        needs_costs = settings.budget is not None or any(rule.needs_costs for rule in rules)
        return replace(reading, reports=tuple(apply_all(reports, lambda _: settings, reading.sources)), needs_costs=needs_costs)


def report_on(server: Server, settings: Settings) -> Report:
    """The report on a server that no file was read for (a running one), with its costs. Takes milliseconds: not for the event loop."""
    from echolot_lsp.check import check
    from echolot_lsp.config.apply import apply_all, running
    from echolot_lsp.rules import all_rules
    from echolot_lsp.tokens import costs
    from echolot_lsp.verdict import verdicts

    report = check(
        server,
        costs=costs([tool.wire for tool in server.tools], settings.models),
        rules=running(all_rules().values(), settings),
        window=settings.context_window,
        client_prefixes=settings.client_prefixes,
    )
    report = replace(report, verdicts=verdicts([tool.wire for tool in server.tools], report.findings))
    return apply_all([report], lambda _: settings, server.sources)[0]


def _costs(servers: tuple[Server, ...], counted: Counted) -> list[Costs]:
    """The costs of each server as far as the last count tells; empty where servers have come or gone."""
    if len(counted) != len(servers):
        return [{}] * len(servers)
    return [carried(server, before, costs) for server, (before, costs) in zip(servers, counted, strict=True)]


def _may_hold(kind: str, data: bytes) -> bool:
    """Whether a search of the bytes allows a file to declare tools: most files cost no more than this."""
    if kind == "json":
        from echolot_lsp.extract.json import may_hold_tools

        return may_hold_tools(data)
    from echolot_lsp.extract.python import may_hold_server

    return may_hold_server(data)


def _settings_reading(path: str, files: Files) -> Reading:
    """A settings file: what is wrong with it."""
    if path.endswith("pyproject.toml") and b"echolot" not in (files.bytes(path) or b""):
        return Reading(path, asked=frozenset((path,)))
    from echolot_lsp import config

    loaded = config.read_file(path, files)
    sources = {} if loaded.source is None else {path: loaded.source}
    return Reading(path, troubles=loaded.troubles, sources=sources, asked=frozenset((path,)), about_mcp=True)


def _roots_for(path: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The workspace folder that holds a file, the innermost first; its own folder where none does."""
    holding = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return tuple(sorted(holding, key=len, reverse=True)) or (os.path.dirname(path),)
