"""The places of a tool's parts, found when first asked for."""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.extract.json.forms import Form
from echolot_lsp.extract.json.items import Item
from echolot_lsp.extract.json.nodes import Node
from echolot_lsp.model import Path, Place, Places, Span


class ItemPlaces(Places):
    """The places of one item of a document. ``form`` says where the source has each part of the tool."""

    def __init__(self, item: Item, file: str, block: str, form: Form) -> None:
        super().__init__()
        self.item = item
        self.form = form
        self._parts = form.keys
        self._file = file
        self._block = block
        self._count: int | None = None

    def source_path(self, path: Path) -> Path | None:
        """The path of a tool's part in the item's own terms; ``None`` where this kind of list has no such part."""
        if not path or not self._parts:
            return path
        first = path[0]
        inside = self._parts.get(first) if isinstance(first, str) else None
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
        if not self._parts:
            yield from _paths((), tree)
            return
        yield ()
        for key in self._parts:
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
