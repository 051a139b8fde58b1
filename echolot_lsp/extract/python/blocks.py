"""A module's text as top-level blocks: found by a string- and bracket-aware scan, without a parse.

A block is a top-level statement with its decorators (and the comments that follow it). The scan is in a clean state wherever a
block starts, so a changed text is scanned only from the last untouched block to the first one that is met again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"#[^\r\n]*"
    r"|\"\"\"(?:[^\"\\]|\\(?:.|\n)|\"(?!\"\"))*(?:\"\"\"|\Z)"
    r"|'''(?:[^'\\]|\\(?:.|\n)|'(?!''))*(?:'''|\Z)"
    r"|\"(?:[^\"\\\r\n]|\\(?:\r\n|.|\n))*\"?"
    r"|'(?:[^'\\\r\n]|\\(?:\r\n|.|\n))*'?"
    r"|[(\[{]|[)\]}]"
    r"|\\(?:\r\n|\r|\n)"
    r"|\r\n|\r|\n"
)
_STARTS = re.compile(r"(?:@|(?:async[ \t]+)?def\b|class\b)")
_DECORATOR = re.compile(r"@[^\W\d][\w.]*(?:\(|[ \t]*(?:#[^\r\n]*)?(?:[\r\n]|\Z))")
_GOES_ON = re.compile(r"(?:else|elif|except|finally)\b")
_NAME = re.compile(
    r"(?:@[^\r\n]*(?:\r\n|\r|\n)|[#\s][^\r\n]*(?:\r\n|\r|\n))*?(?:(?:async[ \t]+)?def|class|type)[ \t]+(\w+)|(\w+)[ \t]*[:=]"
)
_SUSPECT = re.compile(r"^(?=(?:@|(?:async[ \t]+)?def\b|class\b))", re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level statement. ``key`` is unique in its file and stays while other blocks are edited; ``start`` is its offset."""

    key: str
    start: int
    text: str


def split(text: str) -> list[Block]:
    """The blocks of ``text``, in order; together they are the whole text."""
    return _with_keys(list(_pieces(text, 0)))


def split_again(text: str, before: Sequence[Block]) -> list[Block]:
    """What ``split(text)`` answers, scanning only what differs from the blocks of an earlier text."""
    head: list[str] = []
    at = 0
    for block in before:
        if not text.startswith(block.text, at) or at + len(block.text) >= len(text):
            break
        head.append(block.text)
        at += len(block.text)
    if head:  # the edit may join the block before it: an ``else:`` typed below, a decorator completed
        at -= len(head.pop())
    tail: dict[int, int] = {}
    end = len(text)
    for index in range(len(before) - 1, len(head), -1):
        piece = before[index].text
        if end - len(piece) <= at or not text.endswith(piece, at, end):
            break
        end -= len(piece)
        tail[end] = index
    pieces = list(head)
    for piece in _pieces(text, at):
        pieces.append(piece)
        at += len(piece)
        if at in tail:
            pieces.extend(block.text for block in before[tail[at] :])
            break
    return _with_keys(pieces)


def pieces_of_broken(text: str) -> list[str]:
    """A block that does not parse because a string in it never ends, cut at the definitions it has swallowed."""
    cuts = [match.start() for match in _SUSPECT.finditer(text)]
    pieces: list[str] = []
    last = 0
    for cut in cuts:
        before = text[last:cut]
        if cut > last and not _only_decorators(before):
            pieces.append(before)
            last = cut
    pieces.append(text[last:])
    return pieces if len(pieces) > 1 else [text]


def _only_decorators(text: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith(("@", "#")) for line in text.splitlines())


def _pieces(text: str, start: int) -> Iterator[str]:
    """The texts of the blocks from ``start``, where a block begins."""
    depth = 0
    began = start
    has_code = decorated = False
    at_line = True
    position = start
    size = len(text)
    while position <= size:
        if at_line:
            at_line = False
            first = text[position : position + 1]
            if first and first not in " \t\f\r\n#\\":
                starts = _STARTS.match(text, position)
                if depth and starts:
                    depth = 0
                if not depth and not (first in ")]}" or _GOES_ON.match(text, position)):
                    if has_code and not decorated:
                        yield text[began:position]
                        began = position
                    has_code = True
                    decorated = first == "@"
        match = _TOKEN.search(text, position)
        if match is None:
            break
        token = match.group()
        position = match.end()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(0, depth - 1)
        elif token[0] in "\r\n":
            at_line = True
            if depth:  # inside brackets only what can stand in no expression begins a block
                at_line = bool(_STARTS.match(text, position)) and (text[position] != "@" or bool(_DECORATOR.match(text, position)))
        if position >= size:
            break
    if began < size or began == start:
        yield text[began:]


def _with_keys(pieces: Sequence[str]) -> list[Block]:
    blocks: list[Block] = []
    seen: dict[str, int] = {}
    at = 0
    for piece in pieces:
        key = _key(piece)
        count = seen[key] = seen.get(key, 0) + 1
        blocks.append(Block(key if count == 1 else f"{key}/{count}", at, piece))
        at += len(piece)
    return blocks


def _key(text: str) -> str:
    match = _NAME.match(text)
    if match:
        return match.group(1) or match.group(2)
    return " ".join(text[:60].split())
