"""The outer structure of a document: the members round its lists of tools, and the lists' items as blocks of their own."""

from __future__ import annotations

import re
from typing import Any

from echolot_lsp.extract.json.items import Item, Reading, indentation
from echolot_lsp.extract.json.nodes import Flaw, Frame, Node
from echolot_lsp.extract.json.scan import Scanner

EXPANDED = frozenset(
    {
        "tools",
        "result",
        "functions",
        "functionDeclarations",
        "function_declarations",
        "contributes",
        "languageModelTools",
        "servers",
    }
)
"""Members that may hold a list of tools, or lead to one."""
_EXPANDED_DEPTH = 4


class ItemNode(Node):
    """The place of an item in the document."""

    __slots__ = ("item",)

    def __init__(self, start: int, end: int, item: Item) -> None:
        super().__init__(start, end, None)
        self.item = item


class Outline(Scanner):
    """A scan that keeps the places of the outer members and reads every other value in one piece."""

    def __init__(self, reading: Reading, start: int = 0, end: int | None = None) -> None:
        super().__init__(reading.text, start, end, tree=True)
        self._reading = reading
        self.broken = False
        """Something was wrong: what is wrong between the values from here on may only follow from it."""

    def _open(self, pos: int) -> None:
        frame = self.stack[-1]
        if not frame.mark or (frame.mark == "{" and frame.key in EXPANDED and len(self.stack) <= _EXPANDED_DEPTH):
            super()._open(pos)
            self.stack[-1].partial = True
            return
        if frame.expect != "value":
            self._allowed(frame, pos, pos + 1)
        if frame.mark == "[" and self.text[pos] == "{":
            item, end = self._reading.item(pos)
            self._take(item.value, ItemNode(pos, end, item), [Flaw(f.message, f.start + pos, f.end + pos) for f in item.flaws[:1]])
        else:
            value, end, scanner = self._reading.value(pos)
            node = Node(pos, end, frame.key_span if frame.mark == "{" else None)
            self._take(value, node, [] if scanner is None else scanner.flaws[:1])

    def _take(self, value: Any, node: Node, flaws: list[Flaw]) -> None:
        if flaws:
            self.broken = True
            self.flaws.extend(flaws)
        self.pos = node.end
        self._add(value, node)

    def _flaw(self, message: str, start: int, end: int) -> None:
        if not self.broken:
            self.flaws.append(Flaw(message, start, end))
            self.broken = True

    def _colon(self, pos: int) -> None:
        if not (self.stack[-1].mark == "[" and self._resume(pos)):
            super()._colon(pos)

    def _close(self, pos: int) -> None:
        if not (self.stack[-1].mark == "[" and self.text[pos] == "}" and self._resume(pos)):
            super()._close(pos)

    def _resume(self, pos: int) -> bool:
        """Go on at the next item after text that belongs to none (a bracket that closes an item too early)."""
        frame = self.stack[-1]
        last = _last_item(frame)
        if last is None:
            return False
        indent = indentation(self.text, last.start)
        if indent is None:
            return False
        following = self._reading.search(re.compile(rf"[\r\n]{re.escape(indent)}(?:\}}[ \t]*+,[ \t]*+)?(?=\{{)"), pos)
        if following is None:
            return False
        self._flaw("This does not belong here: a bracket before it closes too early.", pos, pos + 1)
        text = self.text[last.start : last.end]
        last.item = Item(text, last.item.value, whole=False, lost=True, flaws=last.item.flaws)
        self.pos = following.end()
        frame.expect = "value"
        return True


def _last_item(frame: Frame) -> ItemNode | None:
    """The last object of a list; what was taken for items after it is dropped."""
    children = frame.node.children if frame.node is not None else {}
    while children:
        index = len(frame.value) - 1
        node = children[index]
        if isinstance(node, ItemNode):
            return node
        del children[index], frame.value[index]
    return None
