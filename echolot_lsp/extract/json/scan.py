"""Scanning JSON as editors allow it (comments, trailing commas), with places, and going on after a mistake.

The scanner does not recurse and takes time linear in the text. A container in which something was lost (a name without a
value, a text that is not closed) becomes ``Unknown``: what it would have held is not known, and the rest stays.
"""

from __future__ import annotations

from json.decoder import scanstring  # type: ignore[attr-defined]  # the C scanner of strings, or its Python twin
from typing import Any

from echolot_lsp.extract.json.nodes import Flaw, Flawed, Frame, Node
from echolot_lsp.extract.json.tokens import (
    BRACKET,
    CLOSER,
    GAP,
    LITERALS,
    LOOSE_STRING,
    NUMBER,
    STRING,
    STRING_START,
    WORD,
    about,
    number_of,
)
from echolot_lsp.model import Unknown

MAX_DEPTH = 200
"""Levels inside one value that are read. The JSON parser of pydantic, through which the MCP Python SDK reads every message,
refuses more (jiter, "recursion limit exceeded"; ran with pydantic-core, 2026-11)."""

BROKEN = Unknown("the JSON is broken here")


class Scanner:
    """One scan of one value. ``tree``: keep places; ``strict``: raise ``Flawed`` at the first flaw."""

    def __init__(self, text: str, start: int = 0, end: int | None = None, *, tree: bool = False, strict: bool = False) -> None:
        self.text = text
        self.pos = start
        self.end = len(text) if end is None else end
        self.tree = tree
        self.strict = strict
        self.flaws: list[Flaw] = []
        """The first flaw: the others often follow from it."""
        self.lost = False
        self.done = False
        self.node: Node | None = None
        self.value: Any = BROKEN
        self.stack = [Frame("", start, None, None, True)]
        self._handlers = {
            "{": self._open,
            "[": self._open,
            "}": self._close,
            "]": self._close,
            ",": self._comma,
            ":": self._colon,
            '"': self._string,
        }

    def run(self) -> Scanner:
        """Scan to the end of the value (``pos`` stands behind it), or of the text."""
        text, end, handlers, scalar = self.text, self.end, self._handlers, self._scalar
        while not self.done:
            gap = GAP.match(text, self.pos, end)
            self.pos = pos = gap.end() if gap else self.pos
            if pos >= end:
                self._finish()
                break
            handlers.get(text[pos], scalar)(pos)
        return self

    def _flaw(self, message: str, start: int, end: int) -> None:
        if self.strict:
            raise Flawed
        if not self.flaws:
            self.flaws.append(Flaw(message, start, end))

    def _allowed(self, frame: Frame, start: int, end: int) -> None:
        """Say what is wrong when a value may not stand here; the value is then dropped or taken in, as ``frame.key`` says."""
        if frame.expect == "colon":
            self._flaw("A colon is missing before this value.", start, end)
        elif frame.expect == "key" or (frame.expect == "comma" and frame.mark == "{"):
            self._flaw("A name in double quotes is expected here.", start, end)
            frame.lost = True
            frame.key = None
        elif frame.expect == "comma":
            self._flaw("A comma is missing before this value.", start, end)

    def _add(self, value: Any, node: Node | None) -> None:
        frame = self.stack[-1]
        key: str | int | None = None
        if frame.mark == "{":
            key = frame.key
            if key is not None:
                frame.value[key] = value
            frame.key = None
        elif frame.mark == "[":
            key = len(frame.value)
            frame.value.append(value)
        else:
            self.value, self.node, self.done = value, node, True
        if node is not None:
            node.value = value
            if key is not None and frame.node is not None:
                if key in frame.node.children:
                    frame.node.repeated.append(frame.node.children[key])
                frame.node.children[key] = node
        frame.expect = "comma"

    def _leaf(self, value: Any, start: int, end: int) -> None:
        frame = self.stack[-1]
        if frame.expect != "value":
            self._allowed(frame, start, end)
        self.pos = end
        self._add(value, Node(start, end, frame.key_span if frame.mark == "{" else None) if self.tree else None)

    def _open(self, pos: int) -> None:
        frame = self.stack[-1]
        if frame.expect != "value":
            self._allowed(frame, pos, pos + 1)
        if len(self.stack) > MAX_DEPTH:
            stop = self._balanced(pos)
            if not self.flaws:  # not for ``_flaw``: it is no mistake of syntax
                self.flaws.append(Flaw(f"This is nested deeper than {MAX_DEPTH} levels; what is inside is not read.", pos, pos + 1))
            frame.expect = "value"
            self._leaf(Unknown(f"nested deeper than {MAX_DEPTH} levels"), pos, stop)
            return
        node = Node(pos, pos, frame.key_span if frame.mark == "{" else None) if self.tree else None
        mark = self.text[pos]
        self.stack.append(Frame(mark, pos, {} if mark == "{" else [], node, len(self.stack) == 1))
        self.pos = pos + 1

    def _balanced(self, pos: int) -> int:
        depth = 0
        for match in BRACKET.finditer(self.text, pos, self.end):
            if match[1]:
                depth += 1
            elif match[2]:
                depth -= 1
                if depth == 0:
                    return match.end()
        return self.end

    def _close(self, pos: int) -> None:
        mark = self.text[pos]
        self.pos = pos + 1
        wanted = "{" if mark == "}" else "["
        if self.stack[-1].mark != wanted and all(frame.mark != wanted for frame in self.stack):
            self._flaw("This bracket closes nothing.", pos, pos + 1)
            return
        while self.stack[-1].mark != wanted:
            frame = self.stack[-1]
            self._flaw(f"This bracket is not closed: a `{CLOSER[frame.mark]}` is missing.", frame.start, frame.start + 1)
            frame.lost = True
            self._pop(pos)
        self._no_name_left()
        self._pop(pos + 1)

    def _no_name_left(self) -> None:
        frame = self.stack[-1]
        if frame.mark == "{" and frame.expect in ("colon", "value"):
            self._flaw("This name has no value.", *(frame.key_span or (frame.start, frame.start + 1)))
            frame.lost = True

    def _pop(self, end: int) -> None:
        frame = self.stack.pop()
        if frame.node is not None:
            frame.node.end = end
        if len(self.stack) == 1:
            self.lost = frame.lost
        self._add(BROKEN if frame.lost and not frame.partial else frame.value, frame.node)

    def _comma(self, pos: int) -> None:
        frame = self.stack[-1]
        self.pos = pos + 1
        self._no_name_left()
        if frame.expect != "comma" and not frame.lost:
            self._flaw("A value is missing before this comma.", pos, pos + 1)
        frame.expect = "key" if frame.mark == "{" else "value"
        frame.key = None

    def _colon(self, pos: int) -> None:
        frame = self.stack[-1]
        self.pos = pos + 1
        if frame.mark == "{" and frame.expect == "colon":
            frame.expect = "value"
            return
        self._flaw("A colon does not belong here.", pos, pos + 1)
        frame.lost = True

    def _string(self, pos: int) -> None:
        frame = self.stack[-1]
        match = STRING.match(self.text, pos, self.end)
        value: Any
        if match is None:
            value, stop = self._bad_string(pos)
        elif "\\" in match[0]:
            value, stop = scanstring(self.text, pos + 1, True)
        else:
            value, stop = match[0][1:-1], match.end()
        if frame.mark == "{" and frame.expect in ("key", "comma"):
            self._name(frame, value, pos, stop)
        else:
            self._leaf(value, pos, stop)

    def _name(self, frame: Frame, value: Any, start: int, end: int) -> None:
        if frame.expect == "comma":
            self._flaw("A comma is missing before this name.", start, end)
        self.pos = end
        if isinstance(value, str):
            frame.key, frame.key_span, frame.expect = value, (start, end), "colon"
        else:
            frame.lost = True
            frame.key, frame.key_span, frame.expect = None, None, "comma"

    def _bad_string(self, pos: int) -> tuple[Any, int]:
        loose = LOOSE_STRING.match(self.text, pos, self.end)
        good = STRING_START.match(self.text, pos, self.end)
        assert loose
        assert good
        stop = loose.end()
        if stop - pos < 2 or self.text[stop - 1] != '"' or good.end() >= stop:
            self._flaw("This text is not closed: a double quote is missing.", pos, stop)
            return BROKEN, stop
        at = good.end()
        if self.text[at] == "\\":
            self._flaw("JSON has no such escape.", at, at + 2)
            return BROKEN, stop
        self._flaw("A control character must be written as an escape here.", at, at + 1)
        try:  # on a piece of the text: the error counts the lines before it
            value, end = scanstring(self.text[pos:stop], 1, False)
        except ValueError:
            return BROKEN, stop
        return (value, stop) if end == stop - pos else (BROKEN, stop)

    def _scalar(self, pos: int) -> None:
        number = NUMBER.match(self.text, pos, self.end)
        if number:
            self._leaf(number_of(number), pos, number.end())
            return
        match = WORD.match(self.text, pos, self.end)
        assert match
        word, stop = match[0], match.end()
        if word in LITERALS:
            self._leaf(LITERALS[word], pos, stop)
        elif self.stack[-1].mark == "{" and self.stack[-1].expect == "key" and word.isidentifier():
            self._flaw("A name needs double quotes.", pos, stop)
            self._name(self.stack[-1], word, pos, stop)
        elif self.text.startswith("/*", pos):
            self._flaw("This comment is not closed: a `*/` is missing.", pos, pos + 2)
            self.stack[-1].lost = True
            self.pos = self.end
        else:
            self._flaw(about(word), pos, stop)
            self._leaf(BROKEN, pos, stop)

    def _finish(self) -> None:
        """The text ends while something is open."""
        if len(self.stack) == 1:
            self._flaw("A value is expected here, and the text ends.", self.pos, self.pos)
            self.done = True
            return
        frame = self.stack[-1]
        self._flaw(f"This bracket is not closed: a `{CLOSER[frame.mark]}` is missing.", frame.start, frame.start + 1)
        while len(self.stack) > 1:
            self.stack[-1].lost = True
            self._pop(self.pos)
