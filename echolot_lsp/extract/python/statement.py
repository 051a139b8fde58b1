"""One top-level statement of a source as a syntax tree with places, for edits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from echolot_lsp.model import Source, Span


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter or a field of a class: where its name ends, its annotation and its default."""

    name_end: int
    annotation: cst.BaseExpression | None
    default: cst.BaseExpression | None


class Statement:
    """A top-level statement, up to the next one. Offsets are code points of ``text``, which begins at ``base`` in the source."""

    def __init__(self, source: Source, base: int, text: str, module: cst.Module) -> None:
        self.file = source.file
        self.base = base
        self.text = text
        self._resolve = source.resolve
        self._wrapper = MetadataWrapper(module, unsafe_skip_copy=True)

    @cached_property
    def _spans(self) -> Mapping[cst.CSTNode, tuple[int, int]]:
        found = self._wrapper.resolve(ByteSpanPositionProvider)
        if self.text.isascii():
            return {node: (span.start, span.start + span.length) for node, span in found.items()}
        data = self.text.encode("utf-8", "surrogatepass")

        def offset(byte: int) -> int:
            return len(data[:byte].decode("utf-8", "surrogatepass"))

        return {node: (offset(span.start), offset(span.start + span.length)) for node, span in found.items()}

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node stands."""
        return self._spans[node]

    def local(self, span: Span) -> tuple[int, int]:
        """A span of the source, in the offsets of this statement."""
        start, end = self._resolve(span)
        return start - self.base, end - self.base

    @property
    def newline(self) -> str:
        """The line end that the statement uses."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def unit(self) -> str:
        """One step of indentation."""
        return self._wrapper.module.default_indent

    def indent_of(self, node: cst.CSTNode) -> str:
        """The white space before the line on which a node starts."""
        start = self.span(node)[0]
        line = self.text[max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1 : start]
        return line[: len(line) - len(line.lstrip())]

    def function_at(self, span: Span) -> cst.FunctionDef | None:
        """The function whose declaration (``def``, ``async def``) begins where a span does."""
        start = self.local(span)[0]
        return next((node for node, place in self._spans.items() if isinstance(node, cst.FunctionDef) and place[0] == start), None)

    def declared_at(self, span: Span) -> Declared | None:
        """The parameter, or the field of a class, whose name begins where a span does. One of a lambda has no place for an annotation."""
        start = self.local(span)[0]
        for node in self._spans:
            if isinstance(node, cst.Param) and self.span(node.name)[0] == start:
                if any(isinstance(each, cst.Lambda) and node in _parameters(each) for each in self._spans):
                    return None
                annotation = None if node.annotation is None else node.annotation.annotation
                return Declared(self.span(node.name)[1], annotation, node.default)
            if isinstance(node, cst.AnnAssign) and self.span(node.target)[0] == start:
                return Declared(self.span(node.target)[1], node.annotation.annotation, node.value)
        return None


def _parameters(function: cst.Lambda) -> list[cst.Param]:
    own = function.params
    return [*own.posonly_params, *own.params, *own.kwonly_params]


def statement_at(source: Source, span: Span) -> Statement | None:
    """The statement that holds a span; ``None`` where it cannot be parsed now."""
    start, _ = source.resolve(span)
    starts = sorted(source.blocks.values())
    index = bisect_right(starts, start) - 1
    base = starts[index] if index >= 0 else 0
    text = source.text[base : starts[index + 1] if index + 1 < len(starts) else len(source.text)]
    try:
        return Statement(source, base, text, cst.parse_module(text))
    except (cst.ParserSyntaxError, RecursionError):
        return None
