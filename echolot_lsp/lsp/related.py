"""Which servers to keep an eye on because an open file is part of them: what the last scan of each folder found."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping

from echolot_lsp.lsp.reading import Reading, fullness, identity

MOST = 8
"""Servers that are followed for one open file: a helper that a hundred servers import is about none of them."""


class Related:
    """The server files of each workspace folder, with what they import.

    One that only starts a server, and tells nothing of it that is not known already, is not followed: it would be read again with
    every letter that is typed in the server.
    """

    def __init__(self) -> None:
        self._idle: dict[str, frozenset[str]] = {}
        """Server files that told nothing new, with the paths that this rests on."""
        self._found: dict[str, Mapping[str, frozenset[str]]] = {}
        self._importers: dict[str, list[str]] = {}

    def put(self, root: str, found: Mapping[str, frozenset[str]]) -> bool:
        """What a scan of a folder found: by server file, the files that it imports. Whether that is news."""
        if self._found.get(root, {}) == found:
            return False
        self._found[root] = found
        self._idle.clear()
        self._turn()
        return True

    def keep(self, roots: Collection[str]) -> None:
        """Forgets folders that are no longer of the workspace."""
        if not self._found.keys() <= set(roots):
            self._found = {root: found for root, found in self._found.items() if root in roots}
            self._turn()

    def of(self, paths: Iterable[str]) -> list[str]:
        """The server files that import one of ``paths``, the nearest ones of each."""
        found: dict[str, None] = {}
        for path in paths:
            importers = self._importers.get(path, ())
            if len(importers) > MOST:
                importers = sorted(importers, key=lambda importer: (_distance(importer, path), importer))[:MOST]
            found.update(dict.fromkeys(importers))
        return [importer for importer in found if importer not in self._idle]

    def judge(self, readings: Mapping[str, Reading], followed: Collection[str]) -> None:
        """Leaves alone the server files that tell nothing which the files that are ``followed`` anyway, or another of them, tell."""
        best: dict[object, tuple[int, bool, bool, str]] = {}
        tellings = [(path, server) for path in sorted(readings, reverse=True) for server in readings[path].servers]
        for path, server in tellings:
            telling = (*fullness(server, path), path in followed, path)
            best[identity(server)] = max(best.get(identity(server), telling), telling)
        for path, reading in readings.items():
            if path not in followed and not any(best[identity(server)][-1] == path for server in reading.servers):
                self._idle[path] = reading.asked

    def ask_again(self, changed: Iterable[str] | None) -> None:
        """Files changed on the disk (``None``: others are open): what rests on them may tell something new now."""
        if changed is None:
            self._idle.clear()
        elif self._idle:
            paths = set(changed)
            paths |= {os.path.dirname(path) for path in paths}
            self._idle = {path: asked for path, asked in self._idle.items() if not asked & paths}

    def _turn(self) -> None:
        self._importers = {}
        for found in self._found.values():
            for server, imports in found.items():
                for path in imports:
                    self._importers.setdefault(path, []).append(server)


def _distance(one: str, other: str) -> int:
    """How many folders lie between two files."""
    common = os.path.commonpath([os.path.dirname(one), os.path.dirname(other)])
    return one.count(os.sep) + other.count(os.sep) - 2 * common.count(os.sep)
