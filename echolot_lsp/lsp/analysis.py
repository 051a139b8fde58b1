"""Reading and checking files off the event loop: from texts to what is known of each file.

An ``Analyser`` lives in the worker thread: its caches are touched by nobody else. Everything that it hands out is frozen.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from echolot_lsp.files import Disk
from echolot_lsp.lsp.judging import judged, recosted, suppressed
from echolot_lsp.lsp.mending import Mended, mend
from echolot_lsp.lsp.reading import Outcome, Reading, Snapshot, kind_of

if TYPE_CHECKING:
    from echolot_lsp.config import Layer, Settings
    from echolot_lsp.extract import Extraction
    from echolot_lsp.extract.json import JsonReader
    from echolot_lsp.extract.python.cache import Cache
    from echolot_lsp.files import Files

log = logging.getLogger(__name__)


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
        before = dict(self.readings)
        self._forget(snapshot)
        self._mend(snapshot)
        whole = {path: mended.text for path, mended in self._mended.items() if mended.hunks}
        if whole:
            snapshot = replace(snapshot, buffers={**snapshot.buffers, **whole})
        wanted = list(self._touched(snapshot))
        fresh: set[str] = set()
        for index, (path, again) in enumerate(wanted):
            if index and stop():
                return Outcome(dict(self.readings), frozenset(fresh))
            try:
                self.readings[path] = (
                    self._read(path, snapshot) if again else recosted(self.readings[path], snapshot.costs.get(path, ()))
                )
            except Exception:
                log.exception("%s could not be read; what was known of it stays", path)
                self.readings.setdefault(path, Reading(path, asked=frozenset((path,))))
            fresh.add(path)
        if self._python_cache is not None and before.keys() - self.readings.keys():
            self._python_cache.keep({*snapshot.buffers, *(path for reading in self.readings.values() for path in reading.asked)})
        told = suppressed(self.readings, fresh, before)
        self.readings.update(told)
        return Outcome(dict(self.readings), frozenset((*fresh, *told)))

    def _forget(self, snapshot: Snapshot) -> None:
        for path in [path for path in self.readings if path not in snapshot.tracked]:
            del self.readings[path]
            self._json_readers.pop(path, None)
            self._settings.pop(path, None)
            if self._python_cache is not None:
                self._python_cache.forget(path)
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
            try:
                self._mended[path] = mend(self._mended.get(path), text, partial(self._flaws, kind, path))
            except Exception:
                log.exception("%s is read as it is", path)
                self._mended.pop(path, None)

    def broken(self, path: str) -> bool:
        """Whether parts of an open text cannot be read."""
        mended = self._mended.get(path)
        return mended is not None and (mended.flaws > 0 or bool(mended.hunks))

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
        extraction = self._extract(kind, path, files, settings, snapshot)
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
        return judged(reading, snapshot.costs.get(path, ()), self.readings.get(path))

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

    def _extract(self, kind: str, path: str, files: Files, settings: Settings, snapshot: Snapshot) -> Extraction:
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
            roots=roots_for(path, snapshot.roots),
            cache=self._cache(),
            changed=snapshot.changed,
        )


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


def roots_for(path: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The workspace folder that holds a file, the innermost first; its own folder where none does."""
    holding = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return tuple(sorted(holding, key=len, reverse=True)) or (os.path.dirname(path),)
