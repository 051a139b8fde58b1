"""A fix's operations as edits of Python text: descriptions, names, ``Field(description=…)`` and the imports that they need.

The header of the tool's function is read with libcst, which knows every character; nothing of the source but the edited place is
touched. An operation that Python cannot say at the tool's place gives no edit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from echolot_lsp.extract.python.blocks import split
from echolot_lsp.extract.python.syntax import header_of
from echolot_lsp.model import Operation, Path, Place, Server, Source, Span, Tool
from echolot_lsp.text import LineIndex

Edit = tuple[int, int, str]
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}
_IMPORTS = {"Annotated": "typing", "Field": "pydantic"}


def edits(server: Server, tool: Tool, operations: Iterable[Operation]) -> Mapping[str, list[Edit]]:
    """The edits, by file, of one tool's operations; offsets are code points of the text that was read."""
    found: dict[str, list[Edit]] = {}
    needed: dict[str, set[str]] = {}
    for operation in operations:
        made = _edit(server, tool, operation)
        if made is not None:
            file, changes, names = made
            found.setdefault(file, []).extend(changes)
            needed.setdefault(file, set()).update(names)
    for file, names in needed.items():
        source = server.sources[file]
        found[file].extend(_imports(source.text, names))
    return found


Made = tuple[str, list[Edit], set[str]]


def _edit(server: Server, tool: Tool, operation: Operation) -> Made | None:
    if operation.kind != "set":
        return None
    if not isinstance(operation.value, str):
        return _member(server, tool, operation)
    place = tool.places.get(operation.path)
    if place is not None and place.value is not None:
        replaced = _replace(server, tool, operation, place.value)
        if replaced is not None:
            return replaced
    if operation.path == ("description",):
        return _document(server, tool, operation.value)
    if operation.path == ("name",):
        return _argument(server, tool, "name", operation.value)
    if len(operation.path) == 4 and operation.path[:2] == ("inputSchema", "properties") and operation.path[3] == "description":
        return _describe(server, tool, operation.path[:3], operation.value)
    if len(operation.path) == 4 and operation.path[1] == "properties" and operation.path[3] == "type":
        annotated = _annotate(server, tool, operation.path[:3], operation.value)
        if annotated is not None:
            return annotated
    return _member(server, tool, operation)


def _annotate(server: Server, tool: Tool, path: Path, kind: str) -> Made | None:
    """An annotation on a parameter that has none."""
    place = tool.places.get(path)
    if place is None or place.key is None or place.value is not None or kind not in _TYPES:
        return None
    source = server.sources[place.key.file]
    start, end = source.resolve(place.key)
    if source.text[start:end][:1] in ("'", '"'):
        return None
    spaced = source.text[end : end + 1] == "="
    return place.key.file, [(end, end + spaced, f": {_TYPES[kind]}" + (" = " if spaced else ""))], set()


def _member(server: Server, tool: Tool, operation: Operation) -> Made | None:
    """Another member of a dict literal, as in a low-level list."""
    parent = tool.places.get(operation.path[:-1])
    if parent is None or parent.value is None or operation.path in tool.places:
        return None
    source = server.sources[parent.value.file]
    start, end = source.resolve(parent.value)
    literal = source.text[start:end]
    if not literal.startswith("{") or not literal.endswith("}") or "for " in literal:
        return None
    written = f"{_quoted(str(operation.path[-1]))}: {operation.value!r}"
    if "\n" not in literal:
        inside = literal[1:-1].strip()
        comma = "" if not inside else " " if inside.endswith(",") else ", "
        return parent.value.file, [(end - 1, end - 1, comma + written)], set()
    indent = _indent(
        source.text, start + literal.index("\n") + 1 + len(literal.split("\n")[1]) - len(literal.split("\n")[1].lstrip())
    )
    return parent.value.file, [(start + 1, start + 1, f"\n{indent}{written},")], set()


def _replace(server: Server, tool: Tool, operation: Operation, span: Span) -> Made | None:
    """Another text in the literal that wrote a part."""
    source = server.sources[span.file]
    start, end = source.resolve(span)
    literal = source.text[start:end]
    opening = literal.lstrip("uUrR")
    if opening[:3] in ('"""', "'''") and operation.path == ("description",):
        return span.file, [(start, end, _docstring(operation.value, _indent(source.text, start)))], set()
    if opening[:1] in ("'", '"') and _is_literal(literal):
        return span.file, [(start, end, _quoted(operation.value))], set()
    if operation.path[-1] == "description" and operation.path != ("description",) and not _is_expression(literal):
        return span.file, [(start, end, " ".join(operation.value.split()))], set()
    return None


def _is_literal(text: str) -> bool:
    try:
        return type(cst.parse_expression(text)).__name__ in ("SimpleString", "ConcatenatedString")
    except cst.ParserSyntaxError:
        return False


def _is_expression(text: str) -> bool:
    try:
        node = cst.parse_expression(text)
    except (cst.ParserSyntaxError, ValueError):
        return False
    return isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.BinaryOperation, cst.Subscript, cst.FormattedString))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _docstring(text: str, indent: str) -> str:
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if "\n" not in safe:
        return f'"""{safe}{" " if safe.endswith(chr(34)) else ""}"""'
    return '"""' + safe.replace("\n", "\n" + indent) + "\n" + indent + '"""'


def _indent(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line if not line.strip() else line[: len(line) - len(line.lstrip())]


@dataclass(frozen=True, slots=True)
class _Header:
    """A function's header in its file: where its decorators, its colon and its body begin."""

    base: int
    node: cst.FunctionDef
    wrapper: MetadataWrapper
    lines: LineIndex

    def range(self, node: cst.CSTNode) -> tuple[int, int]:
        """A node's offsets in the file."""
        place = self.wrapper.resolve(PositionProvider)[node]
        starts = self.lines.starts
        return (
            self.base + starts[place.start.line - 1] + place.start.column,
            self.base + starts[place.end.line - 1] + place.end.column,
        )


def _header(server: Server, tool: Tool) -> tuple[Source, _Header] | None:
    """The header of the tool's function, where it is at the top level of its file."""
    if tool.home is None:
        return None
    source = server.sources[tool.home.file]
    start, _ = source.resolve(tool.home)
    block = next((item for item in split(source.text) if item.start <= start < item.start + len(item.text)), None)
    text = None if block is None else header_of(block.text)
    if block is None or text is None:
        return None
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, ValueError):
        return None
    node = next((item for item in wrapper.module.body if isinstance(item, cst.FunctionDef)), None)
    return None if node is None else (source, _Header(block.start, node, wrapper, LineIndex(text)))


def _document(server: Server, tool: Tool, text: str) -> Made | None:
    """A docstring under the def, or a ``description=`` in the call that makes the tool."""
    found = _header(server, tool)
    if found is None or tool.home is None:
        return _argument(server, tool, "description", text)
    source, header = found
    body = header.node.body
    end = header.range(body)[0] if isinstance(body, cst.IndentedBlock) else header.range(body.body[0])[0]
    colon = source.text.rfind(":", header.base, end + 1)
    after = source.text[colon + 1 :]
    first = next((line for line in after.splitlines()[1:] if line.strip()), "    ")
    same_line = after.split("\n", 1)[0].strip()
    indent = first[: len(first) - len(first.lstrip())] or "    "
    if same_line and not same_line.startswith("#"):
        begin = colon + 1 + (len(after) - len(after.lstrip(" \t")))
        return tool.home.file, [(colon + 1, begin, f"\n    {_docstring(text, '    ')}\n    ")], set()
    line_end = colon + 1 + len(after.split("\n", 1)[0].rstrip("\r"))
    return tool.home.file, [(line_end, line_end, f"\n{indent}{_docstring(text, indent)}")], set()


def _argument(server: Server, tool: Tool, name: str, text: str) -> Made | None:
    """``name="…"`` in the tool's decorator."""
    found = _header(server, tool)
    if found is None or tool.home is None:
        return None
    _, header = found
    for decorator in header.node.decorators:
        node = decorator.decorator
        target = node.func if isinstance(node, cst.Call) else node
        if not isinstance(target, (cst.Attribute, cst.Name)):
            continue
        last = target.attr.value if isinstance(target, cst.Attribute) else target.value
        if "tool" not in last:
            continue
        end = header.range(node)[1]
        written = f"{name}={_quoted(text)}"
        if not isinstance(node, cst.Call):
            return tool.home.file, [(end, end, f"({written})")], set()
        if node.args and name == "name" and node.args[0].keyword is None:
            return None
        separator = "" if not node.args else ", " if not isinstance(node.args[-1].comma, cst.Comma) else " "
        return tool.home.file, [(end - 1, end - 1, separator + written)], set()
    return None


def _describe(server: Server, tool: Tool, path: Path, text: str) -> Made | None:
    """A description on a parameter: in its ``Field(…)``, else in an ``Annotated`` around its type."""
    place: Place | None = tool.places.get(path)
    if place is None or place.key is None:
        return None
    source = server.sources[place.key.file]
    written = f"description={_quoted(text)}"
    key_start, key_end = source.resolve(place.key)
    if source.text[key_start:key_end][:1] in ("'", '"'):
        return None
    inner = _field_call(source.text, key_end, place, source)
    if inner is not None:
        empty = source.text[inner - 1] == "("
        return place.key.file, [(inner, inner, written if empty else f", {written}")], set()
    if place.value is None:
        edit = (key_end, key_end, f": Annotated[str, Field({written})]")
        return place.key.file, [edit], {"Annotated", "Field"}
    start, end = source.resolve(place.value)
    annotation = source.text[start:end]
    if annotation.startswith(("Annotated[", "typing.Annotated[", "t.Annotated[")):
        return place.key.file, [(end - 1, end - 1, f", Field({written})")], {"Field"}
    return place.key.file, [(start, end, f"Annotated[{annotation}, Field({written})]")], {"Annotated", "Field"}


def _field_call(text: str, key_end: int, place: Place, source: Source) -> int | None:
    """Where the arguments of the parameter's ``Field(…)`` end, in its annotation or its default."""
    end = source.resolve(place.value)[1] if place.value is not None else key_end
    annotation = text[key_end:end]
    inside = annotation.rfind("Field(")
    if inside >= 0:
        return _closing(text, key_end + inside + len("Field"))
    rest = text[end : end + 40]
    stripped = rest.lstrip(" \t=\r\n")
    at = end + len(rest) - len(stripped)
    if "=" in text[end:at] and stripped.startswith("Field("):
        return _closing(text, at + len("Field"))
    return None


def _closing(text: str, opening: int) -> int | None:
    depth = 0
    quote = ""
    index = opening
    while index < len(text):
        character = text[index]
        if quote:
            if character == "\\":
                index += 1
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return index
        index += 1
    return None


def _imports(text: str, names: set[str]) -> list[Edit]:
    """Imports of the names that the file does not have yet, after its last import at the top."""
    missing = sorted(name for name in names if not _is_imported(text, name))
    if not missing:
        return []
    blocks = split(text)
    imports = [block for block in blocks if block.text.startswith(("import ", "from "))]
    lines = "".join(f"from {_IMPORTS[name]} import {name}\n" for name in missing)
    if not imports:
        return [(0, 0, lines)]
    last = imports[-1]
    end = last.start + len(last.text.rstrip().split("\n#")[0].rstrip())
    return [(end, end, "\n" + lines.rstrip("\n"))]


def _is_imported(text: str, name: str) -> bool:
    for block in split(text):
        if block.text.startswith("from ") and name in block.text.replace("(", " ").replace(")", " ").replace(",", " ").split():
            return True
    return False
