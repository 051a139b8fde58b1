"""What is kept from one extraction to the next: blocks and their trees, by text."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from echolot_lsp.extract.python.blocks import Block, pieces_of_broken, split, split_again
from echolot_lsp.extract.python.syntax import Unit, is_unbroken, parse
from echolot_lsp.model import Path, Source, Tool


@dataclass(frozen=True, slots=True)
class KeptTool:
    """A tool as it was written (``None``: it is not listed), and the parts of it that are unknown."""

    tool: Tool | None
    unknown: tuple[tuple[Path, str], ...]


_SUSPICIOUS = ("'''", '"""')


class Cache:
    """Parsed blocks of the files that were read last. Not for use by two threads at once.

    ``again``: whether files will be read again as they are typed, so that it pays to keep the whole interpretation of each.
    """

    def __init__(self, *, again: bool = True) -> None:
        self.again = again
        self._blocks: dict[str, tuple[str, list[Block]]] = {}
        self._slots: dict[str, tuple[list[Block], list[list[tuple[str, str]]]]] = {}
        self._units: dict[str, dict[tuple[str, str], Unit | None]] = {}
        self._tools: dict[str, dict[Hashable, KeptTool]] = {}
        self._used: dict[str, dict[Hashable, KeptTool]] = {}
        self._sources: dict[str, tuple[list[Block], Source]] = {}
        self.kept: dict[str, Any] = {}
        """By file: the extraction before (``again.Kept``)."""

    def blocks(self, path: str, text: str) -> list[Block]:
        """The blocks of a file, from those of its earlier text."""
        before = self._blocks.get(path)
        if before is not None and before[0] == text:
            return before[1]
        blocks = split(text) if before is None else split_again(text, before[1])
        self._blocks[path] = (text, blocks)
        return blocks

    def units(self, path: str, text: str) -> Iterator[Unit | None]:
        """The trees of a file's blocks, in order; ``None`` for a block that is broken. A block that differs only where nobody has
        read keeps its ``Unit``."""
        known = self._units.get(path, {})
        by_key = {key: unit for (key, _), unit in known.items()}
        fresh: dict[tuple[str, str], Unit | None] = {}
        self._units[path] = fresh
        self.blocks(path, text)
        for slots in self._cut(path):
            for slot in slots:
                if slot not in fresh:
                    fresh[slot] = known[slot] if slot in known else self._read(path, slot, by_key.get(slot[0]))
                yield fresh[slot]

    @staticmethod
    def _read(path: str, slot: tuple[str, str], before: Unit | None) -> Unit | None:
        key, text = slot
        return before if before is not None and before.renewed(text) else parse(path, key, text)

    def unit(self, path: str, block: Block) -> Unit | None:
        """The tree of one block of a file of which not everything is read."""
        known = self._units.setdefault(path, {})
        slot = (block.key, block.text)
        if slot not in known:
            known[slot] = parse(path, block.key, block.text)
        return known[slot]

    def tool(self, path: str, key: Hashable | None) -> KeptTool | None:
        """The tool that was written for a key when this file was read before."""
        found = None if key is None else self._tools.get(path, {}).get(key)
        if found is not None:
            self._used.setdefault(path, {})[key] = found
        return found

    def keep_tool(self, path: str, key: Hashable | None, tool: KeptTool) -> None:
        """Keep a tool for the next time."""
        if key is not None:
            self._used.setdefault(path, {})[key] = tool

    def replace_tool(self, path: str, before: Hashable | None, key: Hashable | None, tool: KeptTool) -> None:
        """Keep a tool in the place of what it was."""
        self._used.pop(path, None)
        tools = self._tools.setdefault(path, {})
        tools.pop(before, None)
        if key is not None:
            tools[key] = tool

    def forget_unused(self, path: str) -> None:
        """Keep only what this extraction has used."""
        self._tools[path] = self._used.pop(path, {})

    def source(self, path: str) -> Source | None:
        """The text of a file as it was read last, and where its blocks start."""
        if path not in self._blocks:
            return None
        text, blocks = self._blocks[path]
        known = self._sources.get(path)
        if known is None or known[0] is not blocks:
            starts: dict[str, int] = {}
            for block, slots in zip(blocks, self._cut(path), strict=True):
                at = block.start
                for key, piece in slots:
                    starts[key] = at
                    at += len(piece)
            known = self._sources[path] = blocks, Source(path, text, starts)
        return known[1]

    def forget(self, path: str) -> None:
        """A file is no longer of interest, or what is known of it is no longer sure."""
        self.kept.pop(path, None)
        self._tools.pop(path, None)

    def keep(self, paths: Collection[str]) -> None:
        """Only these files are still of interest: the texts and trees of all others are let go."""
        for known in (self._blocks, self._slots, self._units, self._tools, self._used, self._sources, self.kept):
            for path in known.keys() - paths:
                del known[path]

    def _cut(self, path: str) -> list[list[tuple[str, str]]]:
        """The blocks of a file as they are parsed: by key, or what a block is made of where a string in it never ends."""
        blocks = self._blocks.get(path, ("", []))[1]
        known = self._slots.get(path)
        if known is None or known[0] is not blocks:
            before = {} if known is None else {slots[0]: slots for slots in known[1] if len(slots) == 1}
            known = blocks, [before.get((block.key, block.text)) or _pieces(block) for block in blocks]
            self._slots[path] = known
        return known[1]

    def text(self, path: str) -> str | None:
        """The text of a file as it was read last."""
        known = self._blocks.get(path)
        return None if known is None else known[0]


def _pieces(block: Block) -> list[tuple[str, str]]:
    """A block, or what it is made of where a string that never ends has swallowed definitions."""
    if not any(quotes in block.text for quotes in _SUSPICIOUS):
        return [(block.key, block.text)]
    pieces = pieces_of_broken(block.text)
    if len(pieces) == 1 or is_unbroken(block.text):
        return [(block.key, block.text)]
    return [(block.key if index == 0 else f"{block.key}+{index}", piece) for index, piece in enumerate(pieces)]
