"""The places of a tool's parts, found when first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from echolot_lsp.extract.json.items import Item
from echolot_lsp.extract.json.scan import Node
from echolot_lsp.model import Path, Place, Places, Span


class ItemPlaces(Places):
    """The places of one item of a document. ``parts``: where the source has each part of the tool; empty: where the tool has it."""

    def __init__(self, item: Item, file: str, block: str, parts: Mapping[str, Path]) -> None:
        super().__init__()
        self.item = item
        self.parts = parts
        self._file = file
        self._block = block
        self._count: int | None = None

    def source_path(self, path: Path) -> Path | None:
        """The path of a tool's part in the item's own terms; ``None`` where this kind of list has no such part."""
        if not path or not self.parts:
            return path
        first = path[0]
        inside = self.parts.get(first) if isinstance(first, str) else None
        return None if inside is None else (*inside, *path[1:])

    def __getitem__(self, path: Path) -> Place:
        steps = self.source_path(path)
        if steps is None:
            raise KeyError(path)
        node = self.item.tree()
        for step in steps:
            node = node.children[step]
        return self._place(node)

    def __iter__(self) -> Iterator[Path]:
        tree = self.item.tree()
        if not self.parts:
            yield from _paths((), tree)
            return
        yield ()
        for key in self.parts:
            place = self.source_path((key,))
            node: Node | None = tree
            for step in place or ():
                node = node.children.get(step) if node is not None else None
            if node is not None:
                yield from _paths((key,), node)

    def __len__(self) -> int:
        if self._count is None:
            self._count = sum(1 for _ in self)
        return self._count

    def _place(self, node: Node) -> Place:
        key = None if node.key is None else Span(self._file, self._block, *node.key)
        return Place(key=key, value=Span(self._file, self._block, node.start, node.end))


def _paths(path: Path, node: Node) -> Iterator[Path]:
    pending = [(path, node)]
    while pending:
        here, part = pending.pop()
        yield here
        pending.extend(((*here, step), child) for step, child in reversed(part.children.items()))
