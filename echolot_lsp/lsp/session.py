"""The state of one connection: open documents, what is known of each file, what the client has been told.

It lives on the event loop and knows nothing of the transport: a ``Client`` sends what it decides. Work is done by an ``Analyser``
in a worker thread; what comes back is dropped where a document has moved on meanwhile.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol

from echolot_lsp.lsp.analysis import ENVIRONMENT_FILES, Analyser, Outcome, Reading, Snapshot, kind_of
from echolot_lsp.lsp.convert import Announced, diagnostics
from echolot_lsp.lsp.documents import Documents, path_of
from echolot_lsp.lsp.schedule import Schedule

log = logging.getLogger(__name__)


class Client(Protocol):
    """What a session asks of the other side."""

    def publish(self, uri: str, version: int | None, items: str) -> None:
        """Sends the diagnostics of a document: a JSON array."""

    def changed(self, paths: Collection[str], numbers: bool) -> None:
        """What is known of these files has changed. ``numbers``: so have tokens that hints and lenses show."""


class Session:
    """Everything that the server knows. All methods are called on the event loop."""

    def __init__(self, client: Client, announced: Announced | None = None, *, count: bool = True) -> None:
        self.client = client
        self.announced = announced or Announced()
        self.documents = Documents()
        self.readings: Mapping[str, Reading] = {}
        self.roots: tuple[str, ...] = ()
        self.editor_settings: Mapping[str, Any] = {}
        self._analyser = Analyser()
        self._schedule: Schedule[tuple[Snapshot, Outcome]] = Schedule(self._prepare, self._done)
        self._changed: set[str] | None = set()
        self._told: dict[str, tuple[int | None, str]] = {}
        """By path: the version and the diagnostics that the client was told last."""
        self._homes: dict[str, dict[str, list[str]]] = {}
        """By the file that was read: diagnostics by the file that they stand in."""
        self._kept: set[str] = set()
        """Files that are not open, and held a server when they were."""
        self._stop = threading.Event()

    # What the client says

    def open(self, uri: str, language: str, version: int, text: str) -> None:
        """A document was opened: from now on its text is the client's."""
        document = self.documents.put(uri, language, version, text)
        if document.path in self._told:
            self._told[document.path] = (None, self._told[document.path][1])
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
        self._touch([path])

    def files_changed(self, paths: Iterable[str]) -> None:
        """Files on the disk were made, changed or deleted (or folders of them)."""
        changed = list(paths)
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
        self._touch(None)

    def set_settings(self, settings: Mapping[str, Any]) -> None:
        """The editor's ``echolot`` settings."""
        if settings != self.editor_settings:
            self.editor_settings = dict(settings)
            self._touch(None)

    # What features ask

    def reading(self, uri: str) -> Reading | None:
        """What is known of a document, of the text that was analysed last (see ``at_rest`` for the newest)."""
        return self.readings.get(path_of(uri))

    async def at_rest(self) -> None:
        """Waits until all that was said has been taken in."""
        await self._schedule.idle()

    def published(self) -> Mapping[str, str]:
        """What the client was told last, by path: a JSON array each. Files with nothing are left out."""
        return {path: items for path, (_, items) in self._told.items() if items != "[]"}

    def shutdown(self) -> None:
        """Ends all work; nothing is sent any more."""
        self._stop.set()
        self._schedule.close()

    # Work

    def _touch(self, paths: Iterable[str] | None) -> None:
        if paths is None:
            self._changed = None
        elif self._changed is not None:
            self._changed.update(paths)
        self._schedule.touch()

    def _tracked(self) -> frozenset[str]:
        opened = (each.path for each in self.documents.all() if kind_of(each.path, each.language))
        return frozenset((*opened, *self._kept))

    def _prepare(self) -> Callable[[], tuple[Snapshot, Outcome]]:
        changed = None if self._changed is None else frozenset(self._changed)
        self._changed = set()
        snapshot = Snapshot(
            buffers=self.documents.buffers(),
            languages={each.path: each.language for each in self.documents.all()},
            roots=self.roots,
            editor_settings=self.editor_settings,
            tracked=self._tracked(),
            changed=changed,
        )
        return lambda: (snapshot, self._analyser.run(snapshot, self._stop.is_set))

    def _done(self, result: tuple[Snapshot, Outcome]) -> None:
        snapshot, outcome = result
        self.readings = outcome.readings
        affected: set[str] = set()
        for path in [path for path in self._homes if path not in outcome.readings]:
            affected.update(self._homes.pop(path))
        for path in outcome.fresh:
            affected.update(self._homes.pop(path, ()))
            reading = outcome.readings[path]
            if reading.about_mcp:
                found = diagnostics(reading, self.announced, self.documents.uri)
                self._homes[path] = {path: [], **found}
                affected.update(self._homes[path])
        self._kept -= {path for path in self._kept if path in outcome.readings and not outcome.readings[path].about_mcp}
        for path in sorted(affected):
            self._publish(path, snapshot)
        self.client.changed(affected, False)

    def _publish(self, path: str, snapshot: Snapshot) -> None:
        """Tells the client what is wrong in a file, unless it knows that already or the document has moved on."""
        document = self.documents.get(path)
        if document is not None and document.text is not snapshot.buffers.get(path):
            return
        at_home = [home[path] for home in self._homes.values() if path in home]
        items = f"[{','.join(dict.fromkeys(item for found in at_home for item in found))}]"
        version, before = self._told.get(path, (None, "[]"))
        now = None if document is None else document.version
        if items == before and (document is None or not at_home or version == now):
            return
        if at_home and (document is not None or items != "[]"):
            self._told[path] = (now, items)
        else:
            self._told.pop(path, None)
        self.client.publish(self.documents.uri(path), now if self.announced.versions else None, items)
