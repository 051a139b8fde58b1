"""From a JSON document to servers: one for each list of tools in it, most often one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.json import forms
from echolot_lsp.extract.json.items import Item, Reading
from echolot_lsp.extract.json.nodes import Flaw, Node
from echolot_lsp.extract.json.outline import ItemNode, Outline
from echolot_lsp.extract.json.places import ItemPlaces
from echolot_lsp.extract.json.shapes import Entry, Listing, listings, server_name
from echolot_lsp.extract.json.tokens import GAP
from echolot_lsp.model import Path, Server, Source, Span, Tool, Trouble, Unknown, Unresolved

_MOST_TROUBLES = 20
_RECORD = re.compile(r"^[ \t]*(?:data:[ \t]*)?(?=[{\[])", re.MULTILINE)
"""A line that begins a value: in JSON Lines, or in an event stream."""
_EVENT = re.compile(r"(?:data|event|id|retry)?:")
_LINE_END = re.compile(r"[\r\n]")


class JsonReader:
    """Reads documents again and again, and keeps what did not change: the same text of a tool gives the same ``Tool`` object.

    One reader holds about the size of its documents' texts; ``forget`` lets go of one.
    """

    def __init__(self) -> None:
        self._items: dict[str, list[Item]] = {}
        self._last: dict[str, tuple[str, str | None, Extraction]] = {}

    def read(self, file: str, text: str, *, name: str | None = None) -> Extraction:
        """As ``extract_json``."""
        last = self._last.get(file)
        if last is None or last[0] != text or last[1] != name:
            last = text, name, self._read(file, text, name)
            self._last = {file: last}
        return last[2]

    def _read(self, file: str, text: str, name: str | None) -> Extraction:
        reading = Reading(text, self._items.get(file, ()))
        document = _Document(reading)
        found = _newest(_joined(document.listings))
        troubles = _troubles(file, text, document, found)
        if not found:
            self._items.pop(file, None)
            return Extraction((), troubles)
        self._items[file] = reading.items
        title = name or document.name or _stem(file)
        servers = tuple(_server(file, text, listing, name or listing.name or title, reading) for listing in found)
        return Extraction(servers, troubles)

    def forget(self, file: str) -> None:
        """Let go of a document."""
        self._items.pop(file, None)
        self._last.pop(file, None)


class _Document:
    """The values of one text: a single one, or one a record of JSON Lines or of an event stream."""

    def __init__(self, reading: Reading) -> None:
        self.listings: list[Listing] = []
        self.flaws: list[Flaw] = []
        self.name: str | None = None
        self._reading = reading
        text = reading.text
        start = 1 if text.startswith("\ufeff") else 0
        self.empty = not text[start:].strip()
        if self.empty:
            return
        first = _after_gap(text, start)
        if text[first : first + 1] not in ("{", "["):
            if _EVENT.match(text, first):
                self._records(start)
            else:
                self.flaws.append(Flaw("This is not a JSON object or list.", first, first + 1))
            return
        end = self._value(first)
        rest = _after_gap(text, end)
        if rest < len(text):
            if text[rest] in "{[" and _RECORD.search(text, end, rest + 1):
                self._records(end)
            else:
                self.flaws.append(Flaw("The document ends before this.", rest, max(rest + 1, len(text.rstrip()))))

    def _value(self, pos: int, end: int | None = None) -> int:
        outline = Outline(self._reading, pos, end)
        outline.run()
        self.flaws.extend(outline.flaws)
        if outline.node is not None:
            self.listings.extend(listings(outline.node, self._expand))
            self.name = self.name or server_name(outline.node.value)
        return outline.pos

    def _records(self, pos: int) -> None:
        text = self._reading.text
        while record := _RECORD.search(text, pos):
            line = _LINE_END.search(text, record.end())
            line_end = len(text) if line is None else line.start()
            end = self._reading.record_end(record.end(), line_end)
            pos = line_end if end is None else self._value(record.end(), end)

    def _expand(self, node: Node) -> Node:
        outline = Outline(self._reading, node.start, node.end)
        outline.run()
        return outline.node or node


def _after_gap(text: str, pos: int) -> int:
    gap = GAP.match(text, pos)
    return gap.end() if gap else pos


def _joined(pages: Sequence[Listing]) -> list[Listing]:
    """Pages of one list are one list. Tools one a record are one list as well."""
    joined: list[Listing] = []
    for page in pages:
        last = joined[-1] if joined else None
        if last is not None and (last.more or (_is_single(page) and last.entries[-1].form is page.entries[0].form)):
            joined[-1] = replace(last, entries=last.entries + page.entries, more=page.more, name=last.name or page.name)
        else:
            joined.append(page)
    return joined


def _is_single(listing: Listing) -> bool:
    return len(listing.entries) == 1 and listing.place == (listing.entries[0].node.start, listing.entries[0].node.start + 1)


def _newest(found: Sequence[Listing]) -> list[Listing]:
    """A list that the document holds again later (a session that asked twice) counts once, as it is last."""
    kept: list[Listing] = []
    seen: set[str] = set()
    for listing in reversed(found):
        names = {name for entry in listing.entries if isinstance(name := _name(entry), str)}
        if names and len(names & seen) * 2 >= len(names):
            continue
        seen |= names
        kept.insert(0, listing)
    return kept


def _name(entry: Entry) -> Any:
    return forms.read_name(entry.node.value, entry.form)


def _troubles(file: str, text: str, document: _Document, found: Sequence[Listing]) -> tuple[Trouble, ...]:
    if document.empty:
        return (Trouble(file, "The file is empty.", Span(file, "", 0, len(text)), fatal=True),)
    flaws = list(document.flaws)
    odd = text.find("\ufffd") if found else -1
    if odd >= 0:
        flaws.append(Flaw("This is U+FFFD, which stands for bytes that are not UTF-8.", odd, odd + 1))
    flaws.sort(key=lambda flaw: flaw.start)
    return tuple(
        Trouble(file, flaw.message, Span(file, "", flaw.start, flaw.end), fatal=not found) for flaw in flaws[:_MOST_TROUBLES]
    )


def _server(file: str, text: str, listing: Listing, name: str, reading: Reading) -> Server:
    blocks: dict[str, int] = {"": 0}
    tools: list[Tool] = []
    unresolved: list[Unresolved] = []
    for index, entry in enumerate(listing.entries):
        item = _item(entry.node, reading)
        block = _block_key(item, blocks)
        blocks[block] = entry.node.start
        tool = _tool(item, entry.node.value, entry.form, file, block)
        tools.append(tool)
        if item.lost or entry.form.schema_unknown or item.flaws:
            unresolved.extend(_unresolved(index, tool))
    return Server(
        name=name,
        origin="json",
        path=None if file == "-" else file,
        tools=tuple(tools),
        sources={file: Source(file, text, blocks)},
        place=Span(file, "", *listing.place),
        unresolved=tuple(unresolved),
        complete=listing.complete and not listing.more,
    )


def _item(node: Node, reading: Reading) -> Item:
    if isinstance(node, ItemNode):
        return node.item
    if isinstance(node.value, dict):
        return reading.item(node.start)[0]
    return Item(reading.text[node.start : node.end], node.value)


def _block_key(item: Item, taken: dict[str, int]) -> str:
    """A key that stays while other blocks are edited: a digest of the text, numbered where the text repeats."""
    key = item.digest
    number = 1
    while key in taken:
        number += 1
        key = f"{item.digest}#{number}"
    return key


def _tool(item: Item, value: Any, form: forms.Form, file: str, block: str) -> Tool:
    known = item.tools.get((form.name, file, block))
    if isinstance(known, Tool):
        return known
    wire = forms.read_back(value, form, lost=item.lost)
    tool = Tool(wire=wire, places=ItemPlaces(item, file, block, form), home=Span(file, block, 0, len(item.text)))
    item.tools[form.name, file, block] = tool
    return tool


def _unresolved(index: int, tool: Tool) -> Iterator[Unresolved]:
    pending: list[tuple[Path, Any]] = [((), tool.wire)]
    while pending:
        path, part = pending.pop()
        if isinstance(part, Unknown):
            place = tool.places.get(path)
            yield Unresolved(index, path, part.why, place.value if place is not None else tool.home)
        elif isinstance(part, dict):
            pending.extend(((*path, key), value) for key, value in reversed(part.items()))
        elif isinstance(part, list):
            pending.extend(((*path, at), value) for at, value in reversed(list(enumerate(part))))


def _stem(file: str) -> str:
    if file == "-":
        return "standard input"
    base = re.split(r"[\\/]", file)[-1]
    stem, dot, _ = base.rpartition(".")
    return stem if dot and stem else base
