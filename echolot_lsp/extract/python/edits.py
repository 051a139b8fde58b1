"""From a fix to the text: the smallest edits of Python source that make it. Formatting and comments stay as they are.

libcst reads only the top-level statement that an edit stands in, so a broken file elsewhere keeps nobody from mending this one. What
cannot be said without changing something else (a quoted annotation, a schema that is computed) gets no edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import libcst as cst

from echolot_lsp.extract.python.imports import import_edits
from echolot_lsp.extract.python.literals import described_in_quotes, docstring, escaped, is_text, like, literal
from echolot_lsp.extract.python.statement import Declared, Statement, statement_at
from echolot_lsp.model import Fix, Operation, Path, Server, Span, Tool

Edit: TypeAlias = tuple[int, int, str]
"""Start and end (code points of the source), and the new text."""


def edits(server: Server, tool: Tool, fixes: Iterable[Fix]) -> Mapping[str, list[Edit]]:
    """The edits, by file, that make ``fixes`` on a tool of a Python server. A safe one that cannot be made whole is left out; of
    another what can be made is made, since somebody looks it over."""
    writer = _Writer(server, tool)
    for fix in fixes:
        writer.make(fix.operations, whole=fix.safe)
    return writer.found()


class _Writer:
    """Collects edits; imports are added once a file, behind those that it has."""

    def __init__(self, server: Server, tool: Tool) -> None:
        self._server = server
        self._tool = tool
        self._edits: dict[str, list[Edit]] = {}
        self._imports: dict[str, set[str]] = {}
        self._statements: dict[tuple[str, str], Statement | None] = {}

    def found(self) -> Mapping[str, list[Edit]]:
        for file, names in self._imports.items():
            self._edits[file] += import_edits(self._server.sources[file], names) or ()
        return {file: sorted(made) for file, made in self._edits.items() if made}

    def make(self, operations: Sequence[Operation], *, whole: bool) -> None:
        """As many of ``operations`` as can be made; ``whole``: all of them or none."""
        at_first = self._state()
        for operation in operations:
            before = self._state()
            if not self._made(operation):
                self._edits, self._imports = before
                if whole:
                    self._edits, self._imports = at_first
                    return

    def _state(self) -> tuple[dict[str, list[Edit]], dict[str, set[str]]]:
        edits = {file: list(made) for file, made in self._edits.items()}
        return edits, {file: set(names) for file, names in self._imports.items()}

    def _made(self, operation: Operation) -> bool:
        before = sum(len(made) for made in self._edits.values())
        self._apply(operation)
        known = all(import_edits(self._server.sources[file], names) is not None for file, names in self._imports.items())
        return known and sum(len(made) for made in self._edits.values()) > before

    def _apply(self, operation: Operation) -> None:
        path = operation.path
        place = self._tool.places.get(path)
        if operation.kind == "remove":
            self._remove(path)
        elif place is not None and place.value is not None and is_text(self._text(place.value)):
            self._put(place.value, like(self._text(place.value), operation.value))
        elif path == ("name",):
            self._name(str(operation.value))
        elif path == ("description",):
            self._description(str(operation.value))
        elif not self._member(path, operation.value):
            self._of_parameter(path, operation.value)

    # the tool itself
    def _name(self, name: str) -> None:
        """``name="…"`` in the decorator that registers the function, so that its callers are untouched."""
        statement = self._statement(self._tool.home)
        function = statement and self._tool.home and statement.function_at(self._tool.home)
        if not statement or not function:
            return
        for decorator in reversed(function.decorators):
            called = decorator.decorator
            target = called.func if isinstance(called, cst.Call) else called
            if not _ends_in_tool(target):
                continue
            if isinstance(called, cst.Call):
                if any(argument.keyword is None or argument.keyword.value == "name" for argument in called.args):
                    return  # it is computed: no place to write to
                start = statement.span(called.func)[1]
                opening = statement.text.index("(", start) + 1
                self._insert(statement, opening, f'name="{name}"' + (", " if called.args else ""))
            else:
                self._insert(statement, statement.span(called)[1], f'(name="{name}")')
            return

    def _description(self, text: str) -> None:
        statement = self._statement(self._tool.home)
        if not statement or not self._tool.home:
            return
        function = statement.function_at(self._tool.home)
        if function is None:
            self._argument(statement, "description", text)
            return
        body = function.body
        newline = statement.newline
        indent = statement.indent_of(function) + statement.unit
        if isinstance(body, cst.SimpleStatementSuite):
            start = statement.span(body.body[0])[0]
            colon = statement.text.rindex(":", 0, start) + 1
            self._edit(statement, colon, start, f"{newline}{indent}{docstring(text)}{newline}{indent}")
            return
        first = body.body[0] if body.body else None
        if first is None:
            return
        start = statement.span(first)[0]
        if isinstance(first, cst.SimpleStatementLine) and _is_blank_docstring(first):
            self._edit(statement, start, statement.span(first.body[0])[1], docstring(text))
        else:
            self._insert(statement, start, f"{docstring(text)}{newline}{indent}")

    def _argument(self, statement: Statement, name: str, text: str) -> None:
        """A keyword behind the tool's name, in ``Tool(name=…)``."""
        place = self._tool.places.get(("name",))
        if place is not None and place.value is not None and place.value.file == statement.file:
            self._insert(statement, statement.local(place.value)[1], f', {name}="{escaped(text)}"')

    # a schema that is written out
    def _member(self, path: Path, value: Any) -> bool:
        """Adds a member to the dictionary literal that holds ``path``."""
        parent = self._tool.places.get(path[:-1])
        if parent is None or parent.value is None:
            return False
        text = self._text(parent.value)
        if not (text.startswith("{") and text.endswith("}")) or not isinstance(path[-1], str):
            return False
        inner = text[1:-1]
        entry = f'"{path[-1]}": {literal(value)}'
        end = parent.value.end - 1
        if inner.strip() and not inner.rstrip().endswith(","):
            at = parent.value.start + 1 + len(inner.rstrip())
            if "#" in inner.rsplit("\n", 1)[-1]:
                return True  # a comment behind the last member: no place to write to
            self._put(Span(parent.value.file, parent.value.block, at, at), f", {entry}")
        elif inner.strip():
            at = parent.value.start + 1 + len(inner.rstrip())
            self._put(Span(parent.value.file, parent.value.block, at, at), f" {entry}")
        else:
            self._put(Span(parent.value.file, parent.value.block, parent.value.start + 1, end), entry)
        return True

    def _remove(self, path: Path) -> None:
        """Takes a member or an item out of a literal, with its comma."""
        place = self._tool.places.get(path)
        if place is None or place.value is None:
            return
        first = place.key or place.value
        source = self._server.sources[first.file]
        start, end = source.resolve(first)[0], source.resolve(place.value)[1]
        behind = re.compile(r"[ \t]*,[ \t]*").match(source.text, end)
        before = re.compile(r",\s*$").search(source.text, 0, start)
        if behind is not None:
            end = behind.end()
        elif before is not None:
            start = before.start()
        self._edits.setdefault(first.file, []).append((start, end, ""))

    # a parameter, or a field of a model
    def _of_parameter(self, path: Path, value: Any) -> None:
        if len(path) < 3 or path[-3] != "properties":
            return
        place = self._tool.places.get(path[:-1])
        if place is None or place.key is None:
            return
        statement = self._statement(place.key)
        declared = None if statement is None else statement.declared_at(place.key)
        if statement is None or declared is None:
            return
        if path[-1] == "type" and declared.annotation is None:
            self._annotate(statement, declared, "str")
        elif path[-1] == "description":
            self._describe(statement, declared, str(value))

    def _annotate(self, statement: Statement, declared: Declared, annotation: str) -> None:
        """An annotation behind a name, and spaces round the ``=`` that now follows an annotation."""
        if declared.default is None:
            self._insert(statement, declared.name_end, f": {annotation}")
        else:
            self._edit(statement, declared.name_end, statement.span(declared.default)[0], f": {annotation} = ")

    def _describe(self, statement: Statement, declared: Declared, text: str) -> None:
        described = f'Field(description="{escaped(text)}")'
        annotation = declared.annotation
        field = _field_call(declared.default) or _field_in_annotated(annotation)
        if field is not None:
            self._into_field(statement, field, text)
            return
        names = {"Field"}
        if annotation is None:
            plain = "str" if self._server.framework == "sdk" else "Any"
            names |= {"Annotated"} | ({"Any"} if plain == "Any" else set())
            self._annotate(statement, declared, f"Annotated[{plain}, {described}]")
        elif isinstance(annotation, (cst.SimpleString, cst.ConcatenatedString)):
            quoted = described_in_quotes(annotation, text)
            if quoted is None:
                return
            names |= {"Annotated"}
            self._edit(statement, *statement.span(annotation), quoted)
        elif _is_annotated(annotation):
            assert isinstance(annotation, cst.Subscript)
            last = annotation.slice[-1].slice
            inner = last.value if isinstance(last, cst.Index) else None
            if len(annotation.slice) > 1 and isinstance(inner, cst.SimpleString):
                self._edit(statement, *statement.span(inner), described)
            else:
                self._insert(statement, statement.span(annotation.slice[-1])[1], f", {described}")
        else:
            names |= {"Annotated"}
            start, stop = statement.span(annotation)
            self._edit(statement, start, stop, f"Annotated[{statement.text[start:stop]}, {described}]")
        self._imports.setdefault(statement.file, set()).update(names)

    def _into_field(self, statement: Statement, field: cst.Call, text: str) -> None:
        for argument in field.args:
            if argument.keyword is not None and argument.keyword.value == "description":
                self._edit(statement, *statement.span(argument.value), f'"{escaped(text)}"')
                return
        closing = statement.span(field)[1] - 1
        before = statement.text[statement.span(field.func)[1] + 1 : closing].rstrip()
        comma = "" if not before or before.endswith(",") else ", "
        self._insert(statement, closing, f'{comma}description="{escaped(text)}"')

    # texts
    def _statement(self, span: Span | None) -> Statement | None:
        if span is None:
            return None
        key = span.file, span.block
        if key not in self._statements:
            self._statements[key] = statement_at(self._server.sources[span.file], span)
        return self._statements[key]

    def _text(self, span: Span) -> str:
        source = self._server.sources[span.file]
        start, end = source.resolve(span)
        return source.text[start:end]

    def _put(self, span: Span, text: str) -> None:
        start, end = self._server.sources[span.file].resolve(span)
        self._edits.setdefault(span.file, []).append((start, end, text))

    def _insert(self, statement: Statement, at: int, text: str) -> None:
        self._edit(statement, at, at, text)

    def _edit(self, statement: Statement, start: int, end: int, text: str) -> None:
        self._edits.setdefault(statement.file, []).append((statement.base + start, statement.base + end, text))


def _ends_in_tool(node: cst.BaseExpression) -> bool:
    return (isinstance(node, cst.Attribute) and node.attr.value == "tool") or (isinstance(node, cst.Name) and node.value == "tool")


def _is_blank_docstring(line: cst.SimpleStatementLine) -> bool:
    first = line.body[0]
    return (
        isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString) and not str(first.value.evaluated_value).strip()
    )


def _is_annotated(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Subscript) and _last_name(node.value) == "Annotated"


def _field_in_annotated(annotation: cst.BaseExpression | None) -> cst.Call | None:
    if not isinstance(annotation, cst.Subscript) or not _is_annotated(annotation):
        return None
    calls = (_field_call(part.slice.value) for part in annotation.slice if isinstance(part.slice, cst.Index))
    return next((call for call in calls if call is not None), None)


def _field_call(node: cst.BaseExpression | None) -> cst.Call | None:
    return node if isinstance(node, cst.Call) and _last_name(node.func) == "Field" else None


def _last_name(node: cst.BaseExpression) -> str | None:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else None
