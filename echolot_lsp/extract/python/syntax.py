"""From a block's text to a syntax tree and back to characters: headers first, bodies on demand.

Reading uses ``ast`` (a tenth of libcst's cost, and it has positions). What the Python that runs us cannot parse but a newer one
can (``type X = …``, type parameters, quotes inside f-strings) is found with libcst and rewritten at equal length, so that the answer
and all positions are the same under every Python.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from echolot_lsp.extract.python.headers import BODY, DEFINITION, header_of
from echolot_lsp.model import Span

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(slots=True, eq=False)
class Unit:
    """A parsed block. ``whole`` is false when only the header of a function was parsed: ``full()`` parses the rest."""

    file: str
    key: str
    text: str
    tree: ast.Module
    whole: bool = True
    type_parameters: Mapping[int, str] = field(default_factory=dict)
    """Offset of a definition's name -> the text of its type parameters, where they had to be blanked out."""
    aliases: frozenset[int] = frozenset()
    """Offsets of names that a ``type`` statement defines, where it had to be rewritten."""
    _starts: list[int] | None = None
    _ascii: bool = True
    _full: Unit | None = None
    _answers: dict[re.Pattern[str], bool] = field(default_factory=dict)
    """What was asked of the text below the header."""
    header: str = ""
    """What was parsed, where that is not the whole."""
    cache: dict[object, object] = field(default_factory=dict)

    def offset(self, line: int, column: int) -> int:
        """The offset in code points of ``ast``'s line (from 1) and column (UTF-8 bytes)."""
        if self._starts is None:
            self._find_lines()
        assert self._starts is not None
        start = self._starts[min(line, len(self._starts)) - 1]
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        if self._ascii:
            return min(start + column, end)
        # a column may cut a character where the text that was parsed is not the one that stands here
        return start + sum(byte & 0xC0 != 0x80 for byte in self.text[start:end].encode("utf-8", "surrogatepass")[:column])

    def start(self, node: ast.AST) -> int:
        """Where a node begins, as an offset in the block."""
        return self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Where a node ends, as an offset in the block."""
        end = self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        # the ``pass`` that stands for a body is not in the text
        return min(end, len(self.header) - len(BODY)) if self.header.endswith(BODY) else end

    def span(self, node: ast.AST) -> Span:
        """The place of a node."""
        return Span(self.file, self.key, self.start(node), self.end(node))

    def name_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """The place of a definition's name."""
        start = self.text.index(node.name, _after_keyword(self.text, self.start(node)))
        return Span(self.file, self.key, start, start + len(node.name))

    def full(self) -> Unit:
        """The whole block, parsed; its own header where the body is broken."""
        if self.whole:
            return self
        if self._full is None:
            self._full = parse_whole(self.file, self.key, self.text) or self
        return self._full

    def at(self, line: int) -> int:
        """The offset at which a line (from 1) starts."""
        return self.offset(line, 0)

    def has(self, pattern: re.Pattern[str]) -> bool:
        """Whether the block's text holds something: the way to ask about a body without reading it."""
        answer = self._answers.get(pattern)
        if answer is None:
            answer = self._answers[pattern] = pattern.search(self.text) is not None
        return answer

    @property
    def opaque(self) -> bool:
        """Nobody has read below the header."""
        return not self.whole and self._full is None

    @property
    def read(self) -> str:
        """The text that everything known of the block rests on (but for answers of ``has``)."""
        return self.header if self.opaque else self.text

    def renewed(self, text: str) -> bool:
        """Takes a new text where that makes no difference to what is known of the block: whether it could."""
        if not self.opaque or header_of(text) != self.header:
            return False
        if any((pattern.search(text) is not None) != answer for pattern, answer in self._answers.items()):
            return False
        self.text = text
        self._find_lines()
        return True

    def _find_lines(self) -> None:
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        self._ascii = self.text.isascii()


def _after_keyword(text: str, start: int) -> int:
    match = re.compile(r"(?:async\s+)?(?:def|class)\s+").match(text, start)
    return match.end() if match else start


def parse(file: str, key: str, text: str) -> Unit | None:
    """A block's tree: of a function only decorators, signature and docstring. ``None`` where the block is broken."""
    header = header_of(text)
    if header is not None:
        unit = _parse(file, key, text, header, whole=False)
        if unit is not None:
            return unit
    return parse_whole(file, key, text)


def parse_whole(file: str, key: str, text: str) -> Unit | None:
    """The tree of a whole block; statements inside it that are broken are left out."""
    unit = _parse(file, key, text, text, whole=True)
    if unit is None:
        mended = without_broken_statements(text)
        unit = _parse(file, key, text, mended, whole=True) if mended is not None else None
    return unit


def is_unbroken(text: str) -> bool:
    """Whether the whole of a block parses, nothing left out."""
    return _parse("", "", text, text, whole=True) is not None


def without_broken_statements(text: str) -> str | None:
    """``text`` with the deepest suites' broken statements blanked out, so that the rest of a class or factory is read."""
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if DEFINITION.match(line)), None)
    if first is None:
        return None
    body = next((i for i in range(first + 1, len(lines)) if lines[i].strip() and lines[i][:1] in " \t"), None)
    if body is None:
        return None
    indent = len(lines[body]) - len(lines[body].lstrip())
    chunks = _chunks(lines, body, indent)
    kept = list(lines)
    for start, end in chunks:
        chunk = "".join(lines[start:end])
        if _compiles("if 1:\n" + chunk):
            continue
        header = header_of(_dedent(chunk, indent))
        for index in range(start, end):
            ending = lines[index][len(lines[index].rstrip("\r\n")) :]
            kept[index] = " " * indent + "pass" + " " * max(0, len(lines[index].rstrip("\r\n")) - indent - 4) + ending
        if header is not None and _compiles(header):
            _restore_header(kept, lines, start, end, chunk, indent)
    return "".join(kept)


def _restore_header(kept: list[str], lines: list[str], start: int, end: int, chunk: str, indent: int) -> None:
    header = header_of(_dedent(chunk, indent)) or ""
    ended = header.endswith(" pass")
    count = header.count("\n") + 1
    for offset in range(count):
        kept[start + offset] = lines[start + offset]
    last = start + count - 1
    line = lines[last].rstrip("\r\n")
    if ended:
        kept[last] = line + (" pass" if line.rstrip().endswith(":") else "") + "\n"
    for index in range(last + 1, end):
        kept[index] = "\n"


def _dedent(chunk: str, indent: int) -> str:
    return "".join(line[indent:] if line[:indent].isspace() else line for line in chunk.splitlines(keepends=True))


def _chunks(lines: list[str], start: int, indent: int) -> list[tuple[int, int]]:
    chunks: list[tuple[int, int]] = []
    began = start
    decorated = False
    for index in range(start, len(lines)):
        line = lines[index]
        stripped = line.lstrip()
        depth = len(line) - len(stripped)
        if (
            index > start
            and stripped.strip()
            and depth <= indent
            and not stripped.startswith((")", "]", "}", "#"))
            and not decorated
        ):
            chunks.append((began, index))
            began = index
        if stripped.strip() and depth == indent:
            decorated = stripped.startswith("@")
    chunks.append((began, len(lines)))
    return chunks


def _compiles(text: str) -> bool:
    return _ast(text) is not None


def _ast(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parse(file: str, key: str, text: str, read: str, *, whole: bool) -> Unit | None:
    tree = _ast(read)
    if tree is not None:
        return Unit(file, key, text, tree, whole, header="" if whole else read)
    if not _NEWER.search(read):
        return None
    from echolot_lsp.extract.python.newer import lower

    lowered = lower(read)
    if lowered is None:
        return None
    tree = _ast(lowered.text)
    if tree is None:
        return None
    return Unit(file, key, text, tree, whole, lowered.type_parameters, lowered.aliases, header="" if whole else read)


_NEWER = re.compile(r"^[ \t]*type[ \t]+\w+|\b(?:def|class)[ \t]+\w+[ \t]*\[|\b[rR]?[fF][rR]?[\"']", re.M)


def position_in(unit: Unit, offset: int) -> tuple[int, int]:
    """The line (from 1) and the offset at which it starts, of an offset in the block."""
    unit.offset(1, 0)
    starts = unit._starts or [0]
    line = bisect_right(starts, offset)
    return line, starts[line - 1]
