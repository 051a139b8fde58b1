"""What a scan keeps: where values stand, what is wrong, and the containers that are open."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Flaw(NamedTuple):
    """What is wrong, and the characters it is about."""

    message: str
    start: int
    end: int


class Flawed(Exception):
    """A strict scan met a flaw."""


class Node:
    """Where a value stands: its name's characters (with quotes), its own, and its parts' by key or index."""

    __slots__ = ("children", "end", "key", "repeated", "start", "value")

    def __init__(self, start: int, end: int, key: tuple[int, int] | None) -> None:
        self.start = start
        self.end = end
        self.key = key
        self.value: Any = None
        self.children: dict[str | int, Node] = {}
        self.repeated: list[Node] = []
        """Members whose name comes again: the last one counts."""


class Frame:
    """An open container, and what may come next in it."""

    __slots__ = ("expect", "key", "key_span", "lost", "mark", "node", "partial", "start", "value")

    def __init__(self, mark: str, start: int, value: Any, node: Node | None, partial: bool) -> None:
        self.mark = mark
        self.start = start
        self.value = value
        self.node = node
        self.partial = partial
        """Its value stands even when something in it was lost."""
        self.expect: Literal["key", "colon", "value", "comma"] = "key" if mark == "{" else "value"
        self.key: str | None = None
        self.key_span: tuple[int, int] | None = None
        self.lost = False
