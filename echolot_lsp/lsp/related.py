"""Which servers to keep an eye on because an open file is part of them: what the last scan of each folder found."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping

MOST = 8
"""Servers that are followed for one open file: a helper that a hundred servers import is about none of them."""


class Related:
    """The server files of each workspace folder, with what they import."""

    def __init__(self) -> None:
        self._found: dict[str, Mapping[str, frozenset[str]]] = {}
        self._importers: dict[str, list[str]] = {}

    def put(self, root: str, found: Mapping[str, frozenset[str]]) -> bool:
        """What a scan of a folder found: by server file, the files that it imports. Whether that is news."""
        if self._found.get(root, {}) == found:
            return False
        self._found[root] = found
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
        return list(found)

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
