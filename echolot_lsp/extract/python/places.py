"""Where the parts of a tool stand in the source: found when somebody asks, from what the values know of themselves."""

from __future__ import annotations

import ast
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from echolot_lsp.extract.python.declaration import FrameworkObject, Outcome, ToolDecl
from echolot_lsp.extract.python.docplaces import in_docstring
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.servers import ToolValue
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    Dict,
    FunctionValue,
    Instance,
    List,
    Partial,
    Text,
    Where,
    where_of,
)
from echolot_lsp.model import Path, Place, Places, Span

_WIRE_NAMES = {"input_schema": "inputSchema", "output_schema": "outputSchema", "meta": "_meta"}
_HINTS = {
    "read_only_hint": "readOnlyHint",
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}
_FIELD_KEYWORDS = {
    "description": ("description",),
    "title": ("title",),
    "examples": ("examples",),
    "pattern": ("pattern",),
    "ge": ("minimum",),
    "gt": ("exclusiveMinimum",),
    "le": ("maximum",),
    "lt": ("exclusiveMaximum",),
    "multiple_of": ("multipleOf",),
    "min_length": ("minLength", "minItems"),
    "max_length": ("maxLength", "maxItems"),
    "default": ("default",),
}


class LazyPlaces(Places):
    """Places that are looked for at the first question."""

    def __init__(self, find: Callable[[], Mapping[Path, Place]]) -> None:
        super().__init__()
        self._find: Callable[[], Mapping[Path, Place]] | None = find

    def _all(self) -> dict[Path, Place]:
        if self._find is not None:
            find, self._find = self._find, None
            self._places = dict(find())
        return self._places

    def __getitem__(self, path: Path) -> Place:
        return self._all()[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def places_of(run: Interpreter, value: ToolValue, decl: ToolDecl | None, outcome: Outcome, wire: Mapping[str, Any]) -> Places:
    """The places of a tool."""
    return LazyPlaces(lambda: _Finder(run, value, decl, outcome, wire).found())


def functions_of(function: Any) -> list[FunctionValue]:
    """The functions of the source that a registered one is made of, outermost first."""
    found: list[FunctionValue] = []
    while function is not None and len(found) < 20:
        while isinstance(function, (Bound, Partial, Descriptor)):
            function = function.function
        if isinstance(function, Instance):
            function = function.cls.names.get("__call__")
        if not isinstance(function, FunctionValue):
            break
        found.append(function)
        function = function.wrapped
    return found


def span_of(where: Where | None) -> Span | None:
    """The characters of a place; ``None`` for one that is in no file."""
    if where is None or not where.unit.file or not hasattr(where.node, "lineno"):
        return None
    if isinstance(where.node, ast.ClassDef):
        return where.unit.name_span(where.node)
    return where.span()


class _Finder:
    def __init__(
        self, run: Interpreter, value: ToolValue, decl: ToolDecl | None, outcome: Outcome, wire: Mapping[str, Any]
    ) -> None:
        self.run = run
        self.value = value
        self.decl = decl
        self.outcome = outcome
        self.wire = wire
        self.places: dict[Path, Place] = {}
        self.functions = functions_of(value.function)

    def found(self) -> dict[Path, Place]:
        self._arguments()
        if self.functions:
            self._function()
        return self.places

    def put(self, path: Path, key: Span | None, value: Span | None) -> None:
        """Note a place, unless a better one is known."""
        if (key is not None or value is not None) and path not in self.places:
            self.places[path] = Place(key, value)

    # the registration's arguments
    def _arguments(self) -> None:
        given = dict(self.value.arguments)
        if self.value.transform is not None:
            given = {**self.value.transform.kwargs, **given}
        for key, item in given.items():
            name = _WIRE_NAMES.get(str(key), str(key))
            if name in self.wire:
                self._json((name,), key, item)

    def _json(self, path: Path, key: Any, item: Any, depth: int = 40) -> None:
        if isinstance(item, FrameworkObject):
            item = Dict({_HINTS.get(str(name), name): part for name, part in item.kwargs.items()}) | {}
        self.put(path, span_of(where_of(key)), span_of(where_of(item)))
        if depth <= 0:
            return
        if isinstance(item, dict):
            where = where_of(item)
            if where is not None and isinstance(where.node, ast.ClassDef):
                self._model(path, self._class_at(where), self._part(path))
                return
            for name, part in item.items():
                self._json((*path, str(name)), name, part, depth - 1)
                place = getattr(item, "places", {}).get(name)
                if place is not None and self.places.get((*path, str(name)), Place()).value is None:
                    self.places[(*path, str(name))] = Place(span_of(where_of(name)), span_of(place))
        elif isinstance(item, list):
            for index, part in enumerate(item):
                self._json((*path, index), None, part, depth - 1)

    def _part(self, path: Path) -> Any:
        part: Any = self.wire
        for step in path:
            try:
                part = part[step]
            except (LookupError, TypeError):
                return None
        return part

    # the function
    def _function(self) -> None:
        inner = self.functions[-1]
        name = self.functions[0].name
        written = span_of(where_of(name))
        if written is not None:
            self.put(("name",), None, written)
        for function in reversed(self.functions):
            if not isinstance(function.node, ast.Lambda) and function.unit.file:
                self.put(("name",), None, function.unit.name_span(function.node))
                break
        doc = self.functions[0].doc
        if "description" in self.wire:
            self.put(("description",), None, span_of(where_of(doc)))
        returns = getattr(inner.node, "returns", None)
        if returns is not None and "outputSchema" in self.wire:
            self.put(("outputSchema",), None, span_of(Where(inner.unit, returns)))
        if self.decl is None or self.decl.function is None:
            return
        of_parameter = {parameter: name for name, parameter in self.outcome.properties.items()}
        for parameter in self.decl.function.parameters:
            self._parameter(of_parameter.get(parameter.name, parameter.name), parameter, doc)
        self._definitions()

    def _parameter(self, name: str, parameter: Any, doc: Any) -> None:
        path: Path = ("inputSchema", "properties", name)
        schema = self._part(path)
        node, default, function = self._argument(parameter.name)
        if node is not None and function is not None:
            unit = function.unit
            start = unit.start(node)
            key = Span(unit.file, unit.key, start, start + len(node.arg))
            annotation = None if node.annotation is None else unit.span(node.annotation)
            self.put(path, key, annotation)
            if default is not None and not isinstance(default, ast.Call):
                self.put((*path, "default"), None, unit.span(default))
        if schema is None:
            return
        self._field(path, parameter.default)
        self._metadata(path, parameter.annotation)
        origin = self.outcome.origins.get((*path, "description"))
        if origin is not None and origin.kind == "docstring" and isinstance(doc, Text):
            self.put((*path, "description"), None, in_docstring(doc, origin.start, origin.end))
        self._types(path, schema, parameter.annotation)

    def _argument(self, name: str) -> tuple[ast.arg | None, ast.expr | None, FunctionValue | None]:
        for function in reversed(self.functions):
            arguments = function.node.args
            rows = [*arguments.posonlyargs, *arguments.args]
            defaults: list[ast.expr | None] = [None] * (len(rows) - len(arguments.defaults))
            pairs = list(zip(rows, [*defaults, *arguments.defaults], strict=True))
            pairs += list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
            pairs += [(item, None) for item in (arguments.vararg, arguments.kwarg) if item is not None]
            for item, default in pairs:
                if item.arg == name:
                    return item, default, function
        return None, None, None

    def _field(self, path: Path, field: Any) -> None:
        """Places inside the ``Field(…)`` that a default or a piece of metadata is."""
        known = self.run.field_places.get(id(field))
        if known is None or known[0] is not field:
            return
        for keyword, where in known[1].items():
            for name in _FIELD_KEYWORDS.get(keyword, ()):
                if self._part((*path, name)) is not None or name == "description":
                    self.put((*path, name), None, span_of(where))

    def _metadata(self, path: Path, annotation: Any, depth: int = 6) -> None:
        if depth <= 0:
            return
        for item in getattr(annotation, "__metadata__", ()):
            if isinstance(item, Text):
                schema = self._part(path)
                if isinstance(schema, dict) and schema.get("description") == item:
                    self.put((*path, "description"), None, span_of(where_of(item)))
            self._field(path, item)
        origin = getattr(annotation, "__origin__", None)
        if typing.get_origin(annotation) is typing.Annotated:
            self._metadata(path, origin, depth - 1)

    # models
    def _types(self, path: Path, schema: Any, annotation: Any) -> None:
        """Places inside a model that stands inlined at ``path``."""
        classes = list(_classes(self.run, annotation))
        if classes:
            self._inlined(path, schema, classes, 12)

    def _inlined(self, path: Path, schema: Any, classes: list[ClassValue], depth: int) -> None:
        if not isinstance(schema, dict) or depth <= 0:
            return
        properties = schema.get("properties")
        if isinstance(properties, dict):
            for cls in classes:
                if set(_fields(cls)) & set(properties):
                    self._model(path, cls, schema, depth - 1)
                    break
        for key in ("items", "additionalProperties"):
            self._inlined((*path, key), schema.get(key), classes, depth - 1)
        for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for index, part in enumerate(schema.get(key) or ()):
                self._inlined((*path, key, index), part, classes, depth - 1)

    def _definitions(self) -> None:
        for root in ("inputSchema", "outputSchema"):
            schema = self.wire.get(root)
            definitions = schema.get("$defs") if isinstance(schema, dict) else None
            for name, part in (definitions or {}).items() if isinstance(definitions, dict) else ():
                cls = self._defined(str(name), part)
                if cls is not None:
                    path: Path = (root, "$defs", name)
                    self.put(path, cls.unit.name_span(cls.node), None)
                    self._model(path, cls, part)

    def _defined(self, name: str, part: Any) -> ClassValue | None:
        """The class of a definition: one that this tool's annotations lead to, of several of that name the one with its fields."""
        properties = set(part["properties"]) if isinstance(part, dict) and isinstance(part.get("properties"), dict) else set()
        named = [cls for cls in (*self._reached, *self.run.sources) if cls.name == name or name.endswith(f"__{cls.name}")]
        return max(named, key=lambda cls: len(properties & set(_fields(cls))), default=None)

    @cached_property
    def _reached(self) -> list[ClassValue]:
        """The classes that the annotations of the tool's function lead to."""
        function = self.decl.function if self.decl is not None else None
        annotations = [] if function is None else [*(each.annotation for each in function.parameters), function.returns]
        reached: dict[ClassValue, None] = {}
        pending = [cls for annotation in annotations for cls in _classes(self.run, annotation)]
        while pending:
            cls = pending.pop(0)
            if cls not in reached:
                reached[cls] = None
                fields = getattr(cls.real, "__annotations__", {}).values()
                pending += [inner for annotation in fields for inner in _classes(self.run, annotation)]
                pending += [base for base in cls.order() if isinstance(base, ClassValue)]
        return list(reached)

    def _model(self, path: Path, cls: ClassValue | None, schema: Any, depth: int = 12) -> None:
        """Places of a class' fields under ``path``."""
        if cls is None or not isinstance(schema, dict) or depth <= 0:
            return
        if isinstance(cls.doc, Text) and "description" in schema:
            self.put((*path, "description"), None, span_of(where_of(cls.doc)))
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return
        for owner in cls.order():
            if not isinstance(owner, ClassValue):
                continue
            for name, statement in owner.fields.items():
                wire_name = self._property_name(cls, name, properties)
                if wire_name in properties and isinstance(statement, ast.AnnAssign):
                    self._model_field((*path, "properties", wire_name), owner, name, statement, properties[wire_name], depth)

    @staticmethod
    def _property_name(cls: ClassValue, name: str, properties: Mapping[str, Any]) -> str:
        if name in properties:
            return name
        fields = getattr(cls.real, "model_fields", {})
        field = fields.get(name) if isinstance(fields, Mapping) else None
        for alias in (getattr(field, "validation_alias", None), getattr(field, "alias", None)):
            if isinstance(alias, str):
                return alias
        return name

    def _model_field(self, path: Path, owner: ClassValue, name: str, statement: ast.AnnAssign, schema: Any, depth: int) -> None:
        unit = owner.unit
        self.put(path, unit.span(statement.target), unit.span(statement.annotation))
        if statement.value is not None and not isinstance(statement.value, ast.Call):
            self.put((*path, "default"), None, unit.span(statement.value))
        annotation = getattr(owner.real, "__annotations__", {}).get(name)
        self._field(path, owner.names.get(name))
        self._metadata(path, annotation)
        classes = [cls for cls in _classes(self.run, annotation) if cls is not owner]
        if classes:
            self._inlined(path, schema, classes, depth - 1)

    def _class_at(self, where: Where) -> ClassValue | None:
        return next((cls for cls in self.run.sources if cls.node is where.node), None)


def _fields(cls: ClassValue) -> Iterator[str]:
    for owner in cls.order():
        if isinstance(owner, ClassValue):
            yield from owner.hints


def _classes(run: Interpreter, annotation: Any, depth: int = 8) -> Iterator[ClassValue]:
    """The classes of the source inside an annotation."""
    if depth <= 0:
        return
    if isinstance(annotation, type):
        found = run.source_of(annotation)
        if found is not None:
            yield found
            return
        generic = getattr(annotation, "__pydantic_generic_metadata__", None)
        if generic and generic.get("origin") is not None:
            yield from _classes(run, generic["origin"], depth - 1)
            for item in generic.get("args", ()):
                yield from _classes(run, item, depth - 1)
    value = getattr(annotation, "__value__", None)
    if value is not None:
        yield from _classes(run, value, depth - 1)
    for item in typing.get_args(annotation):
        yield from _classes(run, item, depth - 1)


__all__ = ["LazyPlaces", "List", "functions_of", "places_of", "span_of"]
