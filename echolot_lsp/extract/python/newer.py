"""Syntax of newer Pythons, rewritten at equal length for the Python that runs us (with libcst, which parses them all).

``type X = T`` becomes ``X      = T``; type parameters of functions and classes become spaces; a quote inside an f-string's
expression becomes the other quote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from echolot_lsp.extract.python.nesting import is_shallow
from echolot_lsp.text import LineIndex


@dataclass(frozen=True, slots=True)
class Lowered:
    """The rewritten text, and what was taken out of it: type parameters by the offset of the name that they follow, and the
    offsets of the names that ``type`` statements define."""

    text: str
    type_parameters: Mapping[int, str]
    aliases: frozenset[int]


def lower(text: str) -> Lowered | None:
    """``text`` without newer syntax; ``None`` where it does not parse in any Python, or is nested beyond all bounds."""
    if not is_shallow(text):
        return None
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        visitor = _Newer(text)
        wrapper.visit(visitor)
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError, ValueError):
        return None
    return Lowered("".join(visitor.characters), visitor.type_parameters, frozenset(visitor.aliases))


class _Newer(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.characters = list(text)
        self.lines = LineIndex(text)
        self.type_parameters: dict[int, str] = {}
        self.aliases: list[int] = []
        self._strings: list[str] = []

    def _range(self, node: cst.CSTNode) -> tuple[int, int]:
        place = self.get_metadata(PositionProvider, node)
        starts = self.lines.starts
        return starts[place.start.line - 1] + place.start.column, starts[place.end.line - 1] + place.end.column

    def _blank(self, start: int, end: int) -> None:
        for index in range(start, end):
            if self.characters[index] not in "\r\n":
                self.characters[index] = " "

    def visit_TypeAlias(self, node: cst.TypeAlias) -> None:
        start, _ = self._range(node)
        name, name_end = self._range(node.name)
        if node.type_parameters is not None:
            parameters, parameters_end = self._range(node.type_parameters)
            self.type_parameters[start] = self.text[parameters:parameters_end]
            self._blank(parameters, parameters_end)
        self._blank(start, name_end)
        for index, character in enumerate(self.text[name:name_end]):
            self.characters[start + index] = character
        self.aliases.append(start)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._take_parameters(node.name, node.type_parameters)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._take_parameters(node.name, node.type_parameters)

    def _take_parameters(self, name: cst.Name, parameters: cst.TypeParameters | None) -> None:
        if parameters is None:
            return
        start, end = self._range(parameters)
        self.type_parameters[self._range(name)[0]] = self.text[start:end]
        self._blank(start, end)

    def visit_FormattedString(self, node: cst.FormattedString) -> None:
        self._strings.append(node.quote)

    def leave_FormattedString(self, original_node: cst.FormattedString) -> None:
        self._strings.pop()

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        if not self._strings or node.quote != self._strings[-1] or len(node.quote) > 1:
            return
        other = "'" if node.quote == '"' else '"'
        start, end = self._range(node)
        if other not in self.text[start:end]:
            self.characters[start + len(node.prefix)] = other
            self.characters[end - 1] = other
