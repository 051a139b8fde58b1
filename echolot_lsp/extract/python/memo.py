"""Whether a tool is what it was: a key of everything that its wire form and its places depend on.

The key is made of texts (the function's header, the classes and aliases that it names, followed through) and of plain values
with the places that wrote them, never of objects that live in one interpretation only. Something that has no such key makes
the tool be written anew.
"""

from __future__ import annotations

import ast
import re
import sys
import typing
from collections.abc import Hashable, Iterable
from enum import Enum
from typing import Any

from echolot_lsp.extract.python.declaration import FrameworkObject
from echolot_lsp.extract.python.declare import YIELD
from echolot_lsp.extract.python.demand import OnDemand
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.servers import ServerValue, ToolValue
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    Dict,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    List,
    ModuleValue,
    Native,
    Partial,
    PathValue,
    Postponed,
    Scope,
    Text,
    Where,
)
from echolot_lsp.model import Unknown

_WORD = re.compile(r"[^\W\d]\w*")
PARTS = 20_000
"""Values that one tool's key is made of: beyond them writing the tool anew is cheaper."""
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")


class Unkeyed(Exception):
    """Something has no key."""


class Keys:
    """Keys within one interpretation."""

    def __init__(self, run: Interpreter) -> None:
        self.run = run
        self._classes: dict[int, Hashable] = {}
        self._open: set[int] = set()
        self._keep: list[Any] = []
        self._parts = 0

    def of_tool(self, server: ServerValue, tool: ToolValue, more: Hashable) -> Hashable | None:
        """The key of a registered tool; ``None`` where there is none."""
        self._parts = 0
        try:
            return (
                server.profile,
                self.of(server.options) if server.framework == "fastmcp" else None,
                self._tool(tool),
                more,
            )
        except (Unkeyed, RecursionError, TypeError):
            return None

    def _tool(self, tool: ToolValue) -> Hashable:
        return (
            tool.via,
            None if tool.function is None else self._function(tool.function, tool.step),
            self.of(tool.arguments),
            None if tool.transform is None else self.of(tool.transform.kwargs),
            None if tool.parent is None else self._tool(tool.parent),
            self.of(tool.overrides),
            self._where(tool.site),
            self._where(tool.decorator),
        )

    @staticmethod
    def _where(where: Where | None) -> Hashable:
        if where is None:
            return None
        node: Any = where.node
        return (where.unit.file, where.unit.key, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), where.unit.read)

    def _function(self, function: Any, step: int) -> Hashable:
        if isinstance(function, (Bound, Descriptor)):
            return (type(function).__name__, getattr(function, "kind", ""), self._function(function.function, step))
        if isinstance(function, Partial):
            return (
                "partial",
                self._function(function.function, step),
                self.of(function.args),
                self.of(function.kwargs),
                self.of(function.attributes),
            )
        if isinstance(function, Instance):
            return ("instance", self.of(function.cls))
        if not isinstance(function, FunctionValue) or function.signature is not None or function.annotations is not None:
            raise Unkeyed
        module = function.scope.module
        if isinstance(module.scope.names, OnDemand):
            return ("installed", self._where(function.where))
        return (
            self._where(function.where),
            function.unit.has(YIELD),
            function.name,
            function.qualname,
            self.of(function.doc),
            tuple((name, self.of(value)) for name, value in sorted(function.captured.items())),
            self._late(function, module, step),
            None if function.wrapped is None else self._function(function.wrapped, step),
            "\0lost" in function.attributes,
            (module.name, module.postponed, module.starred, module.broken),
        )

    def _late(self, function: FunctionValue, module: ModuleValue, step: int) -> Hashable:
        """Names that are read from the module when the tool is registered: in quotes, or all of them where they are postponed."""
        names = function.unit.cache.get(("late", function.node))
        if names is None:
            names = function.unit.cache[("late", function.node)] = frozenset(_words(function.node, module.postponed))
        found: list[Hashable] = []
        for name in sorted(names):  # type: ignore[call-overload]
            if name in module.scope.names:
                found.append((name, self.of(module.scope.names[name]), module.scope.bound_at.get(name, 0) <= step))
            elif name in module.only_checking:
                found.append((name, "type-checking"))
            elif module.postponed:
                found.append((name, any(name in scope.names for scope in _outer(function.scope))))
        return tuple(found)

    def of(self, value: Any) -> Hashable:
        """The key of a value. Raises ``Unkeyed``."""
        self._parts += 1
        if self._parts > PARTS:
            raise Unkeyed
        if value is None or (isinstance(value, (bool, int, float, complex, bytes)) and not isinstance(value, Enum)):
            return (type(value).__name__, value)
        if isinstance(value, Enum):
            return ("member", self._type(type(value)), value.name)
        if isinstance(value, Text):
            return ("text", str.__str__(value), self._where(value.where))
        if isinstance(value, str):
            return value
        if isinstance(value, dict):
            items = tuple((self.of(key), self.of(item)) for key, item in value.items())
            return ("dict", items, getattr(value, "unsure", None), self._where(value.where) if isinstance(value, Dict) else None)
        if isinstance(value, (list, tuple)):
            return (
                type(value).__name__,
                tuple(map(self.of, value)),
                getattr(value, "unsure", None),
                self._where(value.where) if isinstance(value, List) else None,
            )
        if isinstance(value, (set, frozenset)):
            return ("set", frozenset(map(self.of, value)))
        if isinstance(value, Unknown):
            return ("unknown", value.why)
        if isinstance(value, (Library, FrameworkName)):
            return ("library", value.dotted)
        if isinstance(value, Native):
            return ("native", value.name)
        if isinstance(value, PathValue):
            return ("path", value.path)
        if isinstance(value, FrameworkObject):
            return ("framework", value.cls, self.of(value.args), self.of(value.kwargs))
        if isinstance(value, ClassValue):
            return self._class(value)
        if isinstance(value, FunctionValue):
            return self._function(value, 0)
        if isinstance(value, ModuleValue):
            return ("module", value.path, self._modules())
        if isinstance(value, Postponed):
            return ("postponed", ast.dump(value.node))
        return self._type(value)

    def _modules(self) -> Hashable:
        return tuple(sorted((path, hash(self.run.cache.text(path))) for path in self.run.modules if path != self.run.path))

    def _class(self, cls: ClassValue) -> Hashable:
        known = self._classes.get(id(cls))
        if known is not None:
            return known
        where = self._where(Where(cls.unit, cls.node))
        if isinstance(cls.module.scope.names, OnDemand):
            return ("installed", where)  # what it names changes only when the library does
        if id(cls) in self._open:
            return ("again", where)
        self._open.add(id(cls))
        try:
            names = cls.unit.cache.get(("names", cls.node))
            if names is None:
                names = cls.unit.cache[("names", cls.node)] = frozenset(_words(cls.node, True))
            found = tuple((name, self.of(value)) for name, value in self._visible(names, cls.scope))
            key = ("class", where, cls.module.name, found)
        finally:
            self._open.discard(id(cls))
        if not self._open:
            self._classes[id(cls)] = key
        return key

    @staticmethod
    def _visible(names: Any, scope: Scope) -> Iterable[tuple[str, Any]]:
        for name in sorted(names):
            for at in (scope, *_outer(scope)):
                if name in at.names:
                    yield name, at.names[name]
                    break

    def _type(self, value: Any) -> Hashable:
        """The key of a real object: its text, and the classes of the source inside it."""
        if isinstance(value, type):
            source = self.run.source_of(value)
            if source is not None:
                return self._class(source)
            if not _is_importable(value):
                raise Unkeyed  # a call has made it: its name says nothing of what it holds
            return ("type", value.__module__, value.__qualname__)
        text = repr(value)
        if _ADDRESS.search(text) or len(text) > 20_000:
            raise Unkeyed
        parts = typing.get_args(value)
        if getattr(value, "__value__", None) is not None:
            parts = (*parts, value.__value__)
        return (
            "object",
            type(value).__name__,
            text,
            tuple(self._type(part) for part in parts if _holds_types(part)),
            self._written(value),
        )

    def _written(self, value: Any) -> Hashable:
        """Where the ``Field(…)`` calls inside an alias stand."""
        places: list[Hashable] = []
        for item in (value, *getattr(value, "__metadata__", ())):
            known = self.run.field_places.get(id(item))
            if known is not None and known[0] is item:
                places.append(tuple((name, self._where(where)) for name, where in known[1].items()))
            elif isinstance(item, Text):
                places.append((self._where(item.where),))
        return tuple(places)


def _is_importable(value: type) -> bool:
    found: Any = sys.modules.get(value.__module__)
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value


def _holds_types(value: Any) -> bool:
    return isinstance(value, type) or bool(typing.get_args(value)) or hasattr(value, "__value__")


def _outer(scope: Scope | None) -> Iterable[Scope]:
    while scope is not None:
        yield scope
        scope = scope.parent


def _words(node: ast.AST, every: bool) -> Iterable[str]:
    """Identifiers that an annotation may look up: those inside quotes, or all names."""
    parts: list[ast.AST] = [node]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts = [node.args] + ([node.returns] if node.returns is not None else [])
    elif isinstance(node, ast.Lambda):
        parts = []
    for part in parts:
        for item in ast.walk(part):
            if isinstance(item, ast.Name) and every:
                yield item.id
            elif isinstance(item, ast.Constant) and isinstance(item.value, str) and len(item.value) < 200:
                yield from _WORD.findall(item.value)
