"""From a fix to the text: the smallest edits that make it, in the document's own layout.

Comments, indentation, line ends and everything round the place stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from echolot_lsp.extract.json import forms
from echolot_lsp.extract.json.draft import Draft, Edit
from echolot_lsp.extract.json.nodes import Node
from echolot_lsp.extract.json.places import ItemPlaces
from echolot_lsp.extract.json.scan import Scanner
from echolot_lsp.extract.json.tokens import GAP
from echolot_lsp.model import Operation, Path, Source, Tool

Edits: TypeAlias = list[Edit]

_LINE_COMMENTS = re.compile(r"(?:[ \t]*+(?://[^\r\n]*+|/\*(?:[^*\r\n]++|\*(?!/))*+\*/))*+")
_REST_OF_LINE = re.compile(_LINE_COMMENTS.pattern + r"[ \t]*+(?=[\r\n])")
_SPACES = re.compile(r"[ \t]*+")
_LINE_END = re.compile(r"\r\n|\n|\r")
_COLON = re.compile(r"[ \t]*+:[ \t]*+")


def edits(source: Source, tool: Tool, operations: Iterable[Operation]) -> Edits:
    """The edits that make ``operations`` on a tool of a JSON document: (start, end, new text), in order, in offsets of the source.

    The paths of all operations are those of the tool as it is now: what is written comes first, then what is removed, from the
    end. An operation on a part that this kind of list does not have is left out; a tool that is broken gets no edits.
    """
    places = tool.places
    if not isinstance(places, ItemPlaces) or tool.home is None or places.item.flaws:
        return []
    base, _ = source.resolve(tool.home)
    draft = Draft(source.text)
    wanted = list(operations)
    for operation in wanted:
        path = places.source_path(operation.path)
        if operation.kind == "set" and path is not None:
            value = operation.value
            if places.form.google and operation.path[:1] == ("inputSchema",):
                value = forms.google_value(value, operation.path)
            draft.apply(_set(_Layout.of(draft.text, base), path, value))
    removed = {path for operation in wanted if operation.kind == "remove" and (path := places.source_path(operation.path))}
    for path in sorted(removed, key=_order, reverse=True):
        while cuts := _remove(_Layout.of(draft.text, base), path):
            draft.apply(cuts)
            if isinstance(path[-1], int):
                break
    return draft.edits


def _order(path: Path) -> list[tuple[int, str]]:
    return [(step, "") if isinstance(step, int) else (-1, step) for step in path]


@dataclass(frozen=True, slots=True)
class _Layout:
    """A tool's text, its places (offsets of the text) and how it is laid out."""

    text: str
    root: Node
    newline: str
    unit: str
    """One step of indentation; empty: all on one line."""
    colon: str
    ascii: bool

    @staticmethod
    def of(text: str, base: int) -> _Layout:
        root = Scanner(text, base, tree=True).run().node
        assert root is not None
        own = text[root.start : root.end]
        line_end = _LINE_END.search(own)
        unit, colon = "", ": "
        first = min((child for child in root.children.values() if child.key), key=lambda child: child.start, default=None)
        if first is not None and first.key is not None:
            inside = _own_line(text, first.key[0])
            outside = _indent(text, root.end - 1)
            if inside is not None:
                unit = inside[len(outside) :] if inside.startswith(outside) and inside != outside else "  "
            spelled = _COLON.fullmatch(text, first.key[1], first.start)
            colon = spelled[0] if spelled else colon
        return _Layout(text, root, line_end[0] if line_end else "\n", unit, colon, own.isascii() and "\\u" in own)

    def write(self, value: Any, indent: str | None) -> str:
        """JSON text of a value; ``indent``: that of the line on which it starts, ``None``: on one line."""
        comma = ", " if self.colon.endswith(" ") else ","
        if indent is None or not self.unit:
            return self._dump(value, indent=None, separators=(comma, self.colon))
        text = self._dump(value, indent=self.unit, separators=(",", self.colon))
        return text.replace("\n", self.newline + indent)

    def _dump(self, value: Any, **how: Any) -> str:
        text = json.dumps(value, ensure_ascii=self.ascii, **how)
        surrogate = any("\ud800" <= character <= "\udfff" for character in text)
        return json.dumps(value, ensure_ascii=True, **how) if surrogate else text


def _indent(text: str, pos: int) -> str:
    line = max(text.rfind("\n", 0, pos), text.rfind("\r", 0, pos)) + 1
    spaces = _SPACES.match(text, line, pos)
    return spaces[0] if spaces else ""


def _own_line(text: str, pos: int) -> str | None:
    """The indentation before ``pos`` when nothing else stands before it on its line."""
    line = max(text.rfind("\n", 0, pos), text.rfind("\r", 0, pos)) + 1
    return text[line:pos] if line and not text[line:pos].strip(" \t") else None


def _set(layout: _Layout, path: Path, value: Any) -> Edits:
    node, depth = layout.root, 0
    while depth < len(path) and path[depth] in node.children:
        node = node.children[path[depth]]
        depth += 1
    if depth == len(path):
        old = layout.text[node.start : node.end]
        in_line = len(node.children) > 0 and not _LINE_END.search(old)
        return [(node.start, node.end, layout.write(value, None if in_line else _indent(layout.text, node.start)))]
    for step in reversed(path[depth + 1 :]):
        if not isinstance(step, str):
            return []
        value = {step: value}
    step = path[depth]
    if isinstance(node.value, dict) and isinstance(step, str):
        return _insert(layout, node, step, value)
    if isinstance(node.value, list) and step == len(node.value):
        return _insert(layout, node, None, value)
    return []


def _insert(layout: _Layout, node: Node, key: str | None, value: Any) -> Edits:
    """Add a member (or, without a key, an item) at the end of a container."""
    text, close = layout.text, node.end - 1
    if not node.children:
        return _fill(layout, node, key, value)
    last = max(node.children.values(), key=lambda child: child.end)
    first = min(child.key[0] if child.key else child.start for child in node.children.values())
    indent = _own_line(text, first)
    member = _member(layout, key, value, indent)
    after = _gap_end(text, last.end)
    trailing = after < close and text[after] == ","
    if indent is None:
        space = " " if layout.colon.endswith(" ") else ""
        return [(after + 1, after + 1, f"{space}{member},")] if trailing else [(last.end, last.end, f",{space}{member}")]
    comments = _LINE_COMMENTS.match(text, after + 1 if trailing else last.end)
    at = comments.end() if comments else last.end
    line = layout.newline + indent + member
    if trailing:
        return [(at, at, line + ",")]
    return [(at, at, "," + line)] if at == last.end else [(last.end, last.end, ","), (at, at, line)]


def _fill(layout: _Layout, node: Node, key: str | None, value: Any) -> Edits:
    """The first member of an empty container."""
    start, close = node.start + 1, node.end - 1
    outside = _indent(layout.text, node.start)
    indent = outside + layout.unit if layout.unit else None
    member = _member(layout, key, value, indent)
    blank = not layout.text[start:close].strip()
    if indent is None:
        return [(start, close, member)] if blank else [(start, start, member + " ")]
    line = layout.newline + indent + member
    return [(start, close, line + layout.newline + outside)] if blank else [(start, start, line)]


def _member(layout: _Layout, key: str | None, value: Any, indent: str | None) -> str:
    text = layout.write(value, indent)
    return text if key is None else layout.write(key, None) + layout.colon + text


def _gap_end(text: str, pos: int) -> int:
    gap = GAP.match(text, pos)
    return gap.end() if gap else pos


def _remove(layout: _Layout, path: Path) -> Edits:
    text, parent = layout.text, layout.root
    for step in path[:-1]:
        if step not in parent.children:
            return []
        parent = parent.children[step]
    child = parent.children.get(path[-1])
    if child is None:
        return []
    start, end = child.key[0] if child.key else child.start, child.end
    after = _gap_end(text, end)
    before = [part.end for part in (*parent.children.values(), *parent.repeated) if part.end <= start]
    if text[after] == ",":
        cuts = [_with_its_line(text, start, after + 1, last=False)]
    elif before:
        comma = _gap_end(text, max(before))
        cuts = [(comma, comma + 1), _with_its_line(text, start, end, last=True)]
    else:
        cuts = [_with_its_line(text, start, end, last=True)]
    if not before and len(parent.children) + len(parent.repeated) == 1:
        left = text[parent.start + 1 : max(cuts[-1][0], parent.start + 1)] + text[cuts[-1][1] : parent.end - 1]
        if not left.strip():
            cuts = [(parent.start + 1, parent.end - 1)]
    return [(start, end, "") for start, end in cuts]


def _with_its_line(text: str, start: int, end: int, *, last: bool) -> tuple[int, int]:
    """A part that is cut, with the white space that belongs to it: its lines when nothing else is on them."""
    rest = _REST_OF_LINE.match(text, end)
    indent = _own_line(text, start)
    if rest is not None and indent is not None:
        line = start - len(indent)
        return line - (2 if text.endswith("\r\n", 0, line) else 1), rest.end()
    if last:
        return start - len(text[:start]) + len(text[:start].rstrip(" \t")), end
    spaces = _SPACES.match(text, end)
    return start, spaces.end() if spaces else end
