"""What the client is told of files, and told again only when it changed: diagnostics by the files that they stand in.

A file's diagnostics come from every server that has something in it, and from running servers that were checked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from echolot_lsp.lsp.convert import Announced, Writer
from echolot_lsp.lsp.documents import Documents
from echolot_lsp.lsp.reading import Outcome, Reading

Written = Mapping[str, Mapping[str, list[str]]]
"""By the file that was read: diagnostics (JSON) by the file that they stand in."""
Send = Callable[[str, int | None, str], None]
"""Sends the diagnostics of a document: its URI, its version, a JSON array."""


class Publishing:
    """Keeps what the client knows. Called on the event loop, but for ``write``."""

    def __init__(self, send: Send, documents: Documents, announced: Announced) -> None:
        self.announced = announced
        self._send = send
        self._documents = documents
        self._writer = Writer(announced, documents.uri)
        self._told: dict[str, tuple[int | None, str]] = {}
        """By path: the version and the diagnostics that the client was told last."""
        self._homes: dict[str, Mapping[str, list[str]]] = {}
        self._live: dict[str, Mapping[str, list[str]]] = {}
        """By running server that was checked: its diagnostics, until one of their files changes."""
        self._owed: set[str] = set()
        """Files whose document had moved on when they were to be published."""

    def write(self, outcome: Outcome) -> Written:
        """The diagnostics of the fresh readings. For the worker thread: a bad large file has hundreds."""
        fresh = (outcome.readings[path] for path in outcome.fresh)
        return {reading.path: {reading.path: [], **self._writer.diagnostics(reading)} for reading in fresh if reading.about_mcp}

    def take(self, outcome: Outcome, written: Written, buffers: Mapping[str, str]) -> Collection[str]:
        """Publishes what a job found, but for documents that are no longer what it read; the files that it bears on."""
        affected, self._owed = self._owed, set()
        for path in [path for path in self._homes if path not in outcome.readings or path in outcome.fresh]:
            affected.update(self._homes.pop(path))
            if path not in written:
                self._writer.forget(path)
        for path, found in written.items():
            self._homes[path] = found
            affected.update(found)
        for path in sorted(affected):
            document = self._documents.get(path)
            if document is None or document.text is buffers.get(path):
                self._publish(path)
            else:
                self._owed.add(path)
        return affected

    def opened(self, path: str) -> None:
        """A document was opened: the client is told of it even if it knew."""
        if path in self._told:
            self._told[path] = (None, self._told[path][1])

    def touched(self, paths: Iterable[str]) -> None:
        """Files changed: what a running server's check said of them is out of date."""
        for path in paths:
            self._live = {name: found for name, found in self._live.items() if path not in found}

    def show_live(self, reading: Reading) -> None:
        """What was found in a running server's list (``path``: its label), in place of what was found in it before."""
        before = self._live.pop(reading.path, {})
        self._live[reading.path] = Writer(self.announced, self._documents.uri).diagnostics(reading)
        for path in sorted({*before, *self._live[reading.path]}):
            self._publish(path)

    def published(self) -> Mapping[str, str]:
        """What the client was told last, by path: a JSON array each. Files with nothing are left out."""
        return {path: items for path, (_, items) in self._told.items() if items != "[]"}

    def _publish(self, path: str) -> None:
        """Tells the client what is wrong in a file, unless it knows that already."""
        document = self._documents.get(path)
        homes = (*(self._homes[each] for each in sorted(self._homes)), *self._live.values())
        at_home = [home[path] for home in homes if path in home]
        items = f"[{','.join(dict.fromkeys(item for found in at_home for item in found))}]"
        version, before = self._told.get(path, (None, "[]"))
        now = None if document is None else document.version
        if items == before and (document is None or not at_home or version == now):
            return
        if at_home and (document is not None or items != "[]"):
            self._told[path] = (now, items)
        else:
            self._told.pop(path, None)
        self._send(self._documents.uri(path), now if self.announced.versions else None, items)
