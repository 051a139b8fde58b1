"""The state of one connection: open documents, what is known of each file, what the client has been told.

It lives on the event loop and knows nothing of the transport: a ``Client`` sends what it decides. Work is done by an ``Analyser``
in a worker thread; what comes back is dropped where a document has moved on meanwhile.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from echolot_lsp.files import Disk
from echolot_lsp.lsp.analysis import Analyser
from echolot_lsp.lsp.convert import Announced
from echolot_lsp.lsp.costs import labels
from echolot_lsp.lsp.counting import Count, Counted, Counting
from echolot_lsp.lsp.documents import Documents, path_of
from echolot_lsp.lsp.publishing import Publishing, Written
from echolot_lsp.lsp.reading import ENVIRONMENT_FILES, Outcome, Reading, Snapshot, kind_of
from echolot_lsp.lsp.related import Related
from echolot_lsp.lsp.schedule import Schedule
from echolot_lsp.lsp.view import Shown, View, shown_in

if TYPE_CHECKING:
    from echolot_lsp.config import Settings
    from echolot_lsp.model import Costs, ProviderName

log = logging.getLogger(__name__)


class Client(Protocol):
    """What a session asks of the other side."""

    def publish(self, uri: str, version: int | None, items: str) -> None:
        """Sends the diagnostics of a document: a JSON array."""

    def changed(self, paths: Collection[str], numbers: bool) -> None:
        """What is known of these files has changed. ``numbers``: so have tokens that hints and lenses show."""


class Session:
    """Everything that the server knows. All methods are called on the event loop."""

    def __init__(self, client: Client, announced: Announced | None = None, count: Count | None = None) -> None:
        self.client = client
        self.shows_numbers = True
        """The client draws hints or lenses, so tokens are wanted even where no rule needs them."""
        self.documents = Documents()
        self._publishing = Publishing(self._send, self.documents, announced or Announced())
        self.readings: Mapping[str, Reading] = {}
        self.roots: tuple[str, ...] = ()
        self.editor_settings: Mapping[str, Any] = {}
        self._analyser = Analyser()
        self._schedule: Schedule[tuple[Snapshot, Outcome, Written]] = Schedule(self._prepare, self._done)
        self._changed: set[str] | None = set()
        self._kept: set[str] = set()
        """Files that are not open, and held a server when they were."""
        self._related = Related()
        self._waiting = False
        """Some of the servers that open files are part of are still to be read: one a job, so that no edit waits for them all."""
        self._stop = threading.Event()
        self._counting = None if count is None else Counting(count, self._counted)
        self._costs: dict[str, Counted] = {}
        self._models: dict[str, Mapping[ProviderName, str]] = {}
        self._recosted: set[str] = set()
        self._labels: dict[str, Any] = {}
        """By file: the numbers that were drawn last."""

    @property
    def announced(self) -> Announced:
        """What the client can take."""
        return self._publishing.announced

    @announced.setter
    def announced(self, announced: Announced) -> None:
        self._publishing = Publishing(self._send, self.documents, announced)

    def _send(self, uri: str, version: int | None, items: str) -> None:
        self.client.publish(uri, version, items)

    # What the client says

    def open(self, uri: str, language: str, version: int, text: str) -> None:
        """A document was opened: from now on its text is the client's."""
        document = self.documents.put(uri, language, version, text)
        self._related.ask_again(None)
        self._publishing.opened(document.path)
        self._touch([document.path])

    def change(self, uri: str, version: int, text: str) -> None:
        """A document has a new text."""
        known = self.documents.at(uri)
        document = self.documents.put(uri, known.language if known else "", version, text)
        self._touch([document.path])

    def close(self, uri: str) -> None:
        """A document was closed: from now on its text is the disk's."""
        document = self.documents.remove(uri)
        if document is None:
            return
        path = document.path
        reading = self.readings.get(path)
        if reading is not None and reading.about_mcp and os.path.isabs(path):
            self._kept.add(path)
        self._related.ask_again(None)
        self._touch([path])

    def files_changed(self, paths: Iterable[str]) -> None:
        """Files on the disk were made, changed or deleted (or folders of them)."""
        changed = list(paths)
        self._related.ask_again(changed)
        if any(os.path.basename(path) in ENVIRONMENT_FILES for path in changed):
            self._touch(None)
            return
        self._touch([*changed, *{os.path.dirname(path) for path in changed}])

    def renamed(self, old: str, new: str) -> None:
        """A file or folder was renamed on the disk: what was kept under the old name is kept under the new one."""
        moved = {path for path in self._kept if path == old or path.startswith(old + os.sep)}
        self._kept = (self._kept - moved) | {new + path[len(old) :] for path in moved}
        self.files_changed([old, new, *moved, *(new + path[len(old) :] for path in moved)])

    def set_roots(self, roots: Iterable[str]) -> None:
        """The workspace's folders."""
        self.roots = tuple(dict.fromkeys(roots))
        self._related.keep(self.roots)
        self._touch(None)

    def set_settings(self, settings: Mapping[str, Any]) -> None:
        """The editor's ``echolot`` settings. Editors send every key that they know: what is empty is not set."""
        said = {key: value for key, value in settings.items() if value not in (None, "", [], {}) and key not in ("server", "trace")}
        if said != self.editor_settings:
            self.editor_settings = said
            self._touch(None)

    def follow(self, path: str) -> None:
        """A file is kept an eye on, as one that was open and held a server."""
        self._kept.add(path)
        self._touch(())

    def found(self, root: str, servers: Mapping[str, frozenset[str]]) -> None:
        """The files below a folder that may make servers, each with the files that it imports."""
        if self._related.put(root, servers):
            self._schedule.touch(now=True)

    # What features ask

    def servers(self, uri: str) -> list[Shown]:
        """The servers that have something in a document, open or not."""
        path = path_of(uri)
        return shown_in(path, self.readings.values())

    def view(self, uri: str) -> View | None:
        """An open document with what is known of it; ``None`` where it has nothing to do with MCP."""
        document = self.documents.at(uri)
        servers = [] if document is None else self.servers(uri)
        return View(document, servers, self.announced.encoding) if document is not None and servers else None

    def broken(self, path: str) -> bool:
        """Whether the text that was read last of an open file cannot be read in parts."""
        return self._analyser.broken(path)

    def settings_of(self, uri: object) -> Settings:
        """The settings that are in force for a document. Where it declares no server they are read now: not for the event loop."""
        path = path_of(uri) if isinstance(uri, str) else os.path.join(*self.roots[:1], "mcp.json")
        reading = self.readings.get(path)
        if reading is not None and reading.settings is not None:
            return reading.settings
        from echolot_lsp import config

        layer, _ = config.from_mapping(self.editor_settings)
        return config.merge(config.load(path, Disk(self.documents.buffers())).layer, layer)

    def show_live(self, reading: Reading) -> None:
        """Publishes what was found in a running server's list (``path``: its label), in place of what was found in it before."""
        self._publishing.show_live(reading)

    async def count(self, tools: list[Mapping[str, Any]], models: Mapping[ProviderName, str]) -> Costs | None:
        """The costs of a list that is no file's; ``None`` where nothing is counted, or not soon enough for a hover."""
        if self._counting is None:
            return None
        return await self._counting.aside(tools, models)

    async def at_rest(self) -> None:
        """Waits until all that was said has been read and checked (tokens may still be counted)."""
        await self._schedule.idle()

    async def counted(self) -> None:
        """Waits until nothing is left to do, tokens included."""
        while self._schedule.busy or (self._counting is not None and self._counting.busy):
            await self._schedule.idle()
            if self._counting is not None:
                await self._counting.idle()

    def published(self) -> Mapping[str, str]:
        """What the client was told last, by path: a JSON array each. Files with nothing are left out."""
        return self._publishing.published()

    async def shutdown(self) -> None:
        """Ends all work; nothing is sent any more."""
        self._stop.set()
        self._schedule.close()
        if self._counting is not None:
            await self._counting.close()

    # Work

    def _touch(self, paths: Iterable[str] | None) -> None:
        paths = None if paths is None else list(paths)
        self._publishing.touched(paths or ())
        if paths is None:
            self._changed = None
        elif self._changed is not None:
            self._changed.update(paths)
        self._schedule.touch()

    def _tracked(self) -> frozenset[str]:
        opened = {each.path: kind for each in self.documents.all() if (kind := kind_of(each.path, each.language))}
        files = {*opened, *self._kept}
        related = [
            path for path in self._related.of(path for path, kind in opened.items() if kind == "python") if path not in files
        ]
        new = [path for path in related if path not in self.readings]
        self._waiting = len(new) > 1
        return frozenset((*files, *(path for path in related if path not in new[1:])))

    def _prepare(self) -> Callable[[], tuple[Snapshot, Outcome, Written]]:
        changed = None if self._changed is None else frozenset(self._changed)
        recosted, self._changed, self._recosted = frozenset(self._recosted), set(), set()
        snapshot = Snapshot(
            buffers=self.documents.buffers(),
            languages={each.path: each.language for each in self.documents.all()},
            roots=self.roots,
            editor_settings=self.editor_settings,
            tracked=self._tracked(),
            changed=changed,
            costs=dict(self._costs),
            recosted=recosted,
        )

        def job() -> tuple[Snapshot, Outcome, Written]:
            try:
                outcome = self._analyser.run(snapshot, self._stop.is_set)
                return snapshot, outcome, self._publishing.write(outcome)
            except Exception:
                self._changed = None  # nobody has heard of what this job found: the next one reads everything
                raise

        return job

    def _done(self, result: tuple[Snapshot, Outcome, Written]) -> None:
        snapshot, outcome, written = result
        self.readings = outcome.readings
        for path in [path for path in self._costs if path not in outcome.readings]:
            del self._costs[path]
            self._models.pop(path, None)
            if self._counting is not None:
                self._counting.forget(path)
        for path in outcome.fresh:
            self._count(outcome.readings[path])
        self._kept -= {path for path in self._kept if path in outcome.readings and not outcome.readings[path].about_mcp}
        affected = self._publishing.take(outcome, written, snapshot.buffers)
        self.client.changed(affected, self._drawn_anew(outcome))
        opened = {each.path for each in self.documents.all()}
        self._related.judge(outcome.readings, outcome.readings.keys() & (self._kept | opened))
        if self._waiting:
            self._schedule.touch(now=True)

    def _count(self, reading: Reading) -> None:
        """Has a file's lists counted, unless that was done just now or nobody wants to know."""
        if self._counting is None or not reading.servers or not (self.shows_numbers or reading.needs_costs):
            return
        models = reading.settings.models if reading.settings else {}
        known = [(server.tools, self._models.get(reading.path)) for server, _ in self._costs.get(reading.path, ())]
        if known != [(server.tools, models) for server in reading.servers]:
            self._models[reading.path] = models
            self._counting.want(reading.path, reading.servers, models)

    def _counted(self, path: str, counted: Counted) -> None:
        """Costs have come in: the file is checked once more, unless they are what it was checked with."""
        self._costs[path] = counted
        reading = self.readings.get(path)
        if reading is not None and [report.costs for report in reading.reports] == [costs for _, costs in counted]:
            return
        self._recosted.add(path)
        self._schedule.touch(now=True)

    def _drawn_anew(self, outcome: Outcome) -> bool:
        """Whether what hints and lenses say has changed: servers, how many tools they have, tokens."""
        now = {
            path: tuple((report.server.name, len(report.server.tools), *labels(report.costs)) for report in reading.reports)
            for path, reading in outcome.readings.items()
            if reading.reports
        }
        changed = any(self._labels.get(path) != numbers for path, numbers in now.items())
        self._labels = now
        return changed
