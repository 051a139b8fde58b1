"""The bounds of interpretation: steps, depth, size and time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from echolot_lsp.extract.python.values import Exhausted, Unreadable

STEPS = 3_000_000
"""Expressions and statements for one extraction."""
BLOCK_STEPS = 300_000
"""Of them for one top-level statement: a runaway loop costs only its own block."""
DEPTH = 40
"""Calls of the source inside one another."""
SIZE = 1_000_000
"""Characters of a text, items of a container."""
SECONDS = 8.0
"""Processor time for one extraction, of the thread that runs it."""


class Budget:
    """What is left of the bounds. ``Exhausted`` is raised at a bound; at the bound of depth a call is merely ``Unreadable``."""

    def __init__(self, steps: int = STEPS, seconds: float = SECONDS) -> None:
        self._steps = steps
        self._block = BLOCK_STEPS
        self._deadline = time.thread_time() + seconds
        self.depth = 0

    @property
    def left(self) -> int:
        """Steps that are left of all."""
        return self._steps

    def new_block(self) -> None:
        """Another top-level statement begins."""
        self._block = min(BLOCK_STEPS, self._steps)

    @contextmanager
    def part(self) -> Iterator[None]:
        """What happens inside may take a quarter of what is left for the statement."""
        before = self._block
        share = max(before // 4, min(before, 2_000))
        self._block = share
        try:
            yield
        finally:
            self._block = before - (share - self._block)

    def tick(self, count: int = 1) -> None:
        """``count`` steps are taken."""
        self._steps -= count
        self._block -= count
        if self._block < 0 or self._steps < 0:
            raise Exhausted("it takes too many steps")
        if self._steps & 0x3FF < count and time.thread_time() > self._deadline:
            raise Exhausted("it takes too long")

    def size(self, size: int | float) -> None:
        """A text or container of ``size`` is about to be made."""
        if size > SIZE:
            raise Exhausted("it is too large")

    def enter(self) -> None:
        """A call of the source begins."""
        if self.depth >= DEPTH:
            raise Unreadable("its calls are nested too deep")
        self.depth += 1

    def leave(self) -> None:
        """A call of the source ended."""
        self.depth -= 1
