"""What was counted before, by content: bounded, and safe to share between threads."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import TypeAlias

from echolot_lsp.model import ToolCost

Key: TypeAlias = tuple[str, bool, bytes]
"""Model family, whether titles are written out, and the tool's content."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The cost of one tool, whether it has a description, and whether a part of it is unknown."""

    cost: ToolCost
    has_description: bool
    unknown: bool


class Cache:
    """Counted tools by key. When it is full (``most`` entries) the oldest quarter goes."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._counted: dict[Key, Counted] = {}
        self._lock = Lock()

    def get(self, key: Key) -> Counted | None:
        """What was counted under ``key``."""
        return self._counted.get(key)

    def put(self, key: Key, counted: Counted) -> None:
        """Keep a count."""
        with self._lock:
            if len(self._counted) >= self._most:
                for old in list(islice(self._counted, self._most // 4)):
                    del self._counted[old]
            self._counted[key] = counted
