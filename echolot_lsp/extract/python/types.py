"""From values to real typing objects: annotations, and classes of the source as real models, enums, dataclasses, dicts.

Every string that reaches typing or pydantic as a forward reference is a bare identifier of our making: nothing of the source is
ever evaluated by them.
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

import typing_extensions

from echolot_lsp.extract.python.declaration import FrameworkObject, framework_class
from echolot_lsp.extract.python.library import is_type, real
from echolot_lsp.extract.python.modules import Modules
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    Partial,
    Postponed,
    Raised,
    Scope,
    Text,
    Unreadable,
    Where,
    plain,
    where_of,
)
from echolot_lsp.model import Unknown

ARITY_ERRORS = (TypeError, ValueError, AttributeError, RecursionError)


class Types(Modules):
    """Annotations and classes."""

    _building: list[ClassValue]
    _forward: dict[str, Any]
    _sources: dict[type, ClassValue]
    _frameworks: dict[tuple[str, Any], Any]
    field_places: dict[int, tuple[Any, Mapping[str, Where | None], Mapping[str, Any]]]

    def prepare_types(self) -> None:
        """State of this part."""
        self._building = []
        self._forward = {}
        self._sources = {}
        self._frameworks = {}
        self.field_places = {}

    @property
    def forward_namespace(self) -> dict[str, Any]:
        """The real classes behind forward references that may still stand in annotations."""
        values = {name: item.real if isinstance(item, ClassValue) else item for name, item in self._forward.items()}
        return {name: item for name, item in values.items() if item is not None and not isinstance(item, Unknown)}

    def unknown_type(self, why: str) -> Any:
        """A type of which nothing is known."""
        from echolot_lsp.extract.python.dialects.unread import unknown_type

        return unknown_type(why)

    # annotations
    def as_type(self, value: Any, scope: Scope | None = None) -> Any:
        if isinstance(value, Unknown):
            return self.unknown_type(value.why)
        if value is None:
            return None
        if isinstance(value, str) and not isinstance(value, Enum):
            return self._quoted(value, scope)
        if isinstance(value, ClassValue):
            return self._class_in_annotation(value)
        if isinstance(value, FrameworkName):
            return self.framework_type(value.dotted)
        if isinstance(value, Library):
            found = real(value)
            if found is None or not is_type(value):
                return self.unknown_type(f"{value.dotted} is not evaluated")
            return found
        if isinstance(value, Postponed):
            return self.as_type(self.resolve(value), value.module.scope)
        if is_type(value) or value is Ellipsis:
            return value
        if isinstance(value, (list, tuple)):
            return [self.as_type(item, scope) for item in value]
        if isinstance(value, (FunctionValue, Instance, Bound, Partial, FrameworkObject)):
            return self.unknown_type("it is no type")
        return value

    def _class_in_annotation(self, cls: ClassValue) -> Any:
        actual = self.real_class(cls)
        return self.unknown_type(actual.why) if isinstance(actual, Unknown) else actual

    def framework_type(self, dotted: str) -> Any:
        """The stand-in for a framework's class."""
        key = (dotted, self.profile)
        if key not in self._frameworks:
            found = None
            if self.profile is not None:
                from echolot_lsp.extract.python.dialects.types import stand_in

                found = stand_in(dotted, self.profile)
            self._frameworks[key] = framework_class(dotted) if found is None else found
        return self._frameworks[key]

    def _quoted(self, text: str, scope: Scope | None) -> Any:
        """A name or type that is quoted inside an annotation."""
        if self.quoted is not None:
            self.quoted.append(str(text))
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            raise Unreadable(f"`{text[:40]}` is no annotation") from None
        if scope is None:
            scope = self._annotation_scope or self.modules_scope()
        quoted, self.quoted = self.quoted, None
        try:
            unit = Unit("", "", text, ast.Module([], []))
            value = self.eval(node, scope, unit)
            if isinstance(value, Unknown) and isinstance(node, ast.Name):
                return typing.ForwardRef(node.id)
            return self.as_type(value, scope)
        finally:
            self.quoted = quoted

    @staticmethod
    def _member(enumeration: type[Enum], index: Any) -> Any:
        """``Colour["RED"]``: a member by its name."""
        if isinstance(index, Unknown):
            return index
        if str(index) not in enumeration.__members__:
            raise Raised("KeyError", str(index))
        return enumeration[str(index)]

    def resolve(self, postponed: Postponed) -> Any:
        """A postponed annotation's value, read in the module's names as they are now."""
        return self.eval(postponed.node, postponed.module.scope, postponed.unit)

    def subscript_type(self, value: Any, index: Any, site: Where) -> Any:
        scope = self._annotation_scope
        base = real(value) if isinstance(value, Library) else value
        items = index if isinstance(index, tuple) else (index,)
        if base in (typing.Literal, typing_extensions.Literal):
            return self._literal(items)
        if base is typing.Annotated:
            if isinstance(items[0], Unknown):
                return self.unknown_type(items[0].why)
            return self._annotated(items, scope)
        if isinstance(base, ClassValue):
            if any(isinstance(item, FrameworkName) for item in base.order()):
                return base  # ``class Own(FastMCP[T])`` is itself generic: ``Own[State]``
            actual = self.real_class(base)
            if isinstance(actual, Unknown):
                return actual
            base = actual
            if issubclass(base, Enum):
                return self._member(base, index)
        elif isinstance(base, FrameworkName):
            if base.last != "Context":
                return base
            base = self.framework_type(base.dotted)
        if isinstance(base, type) and base is typing.ForwardRef:
            return Unknown("a forward reference with arguments")
        arguments = tuple(self.as_type(item, scope) for item in items)
        try:
            return base[arguments if isinstance(index, tuple) else arguments[0]]
        except ARITY_ERRORS as error:
            if isinstance(value, FrameworkName):
                raised = Raised(type(error).__name__, str(error))
                raised.where = site
                raise raised from None
            return Unknown(f"`{ast.unparse(site.node)[:60]}` is not evaluated")

    def _literal(self, items: tuple[Any, ...]) -> Any:
        values: list[Any] = []
        for item in items:
            if isinstance(item, Unknown):
                raise Unreadable(item.why)
            if isinstance(item, (list, tuple)):
                values.extend(plain(part) for part in item)
            else:
                values.append(plain(item))
        try:
            return typing.Literal[tuple(values)]
        except TypeError as error:
            raise Unreadable(str(error)) from None

    def _annotated(self, items: tuple[Any, ...], scope: Scope | None) -> Any:
        first = self.as_type(items[0], scope)
        metadata: list[Any] = []
        for item in items[1:]:
            if isinstance(item, Unknown):
                return self.unknown_type(item.why)
            metadata.append(item if isinstance(item, (Text, FrameworkObject)) else self.for_library(item))
            if isinstance(metadata[-1], Unknown):
                return self.unknown_type(metadata[-1].why)
        if not metadata:
            return first
        return typing.Annotated[(first, *metadata)]

    def remember_field(self, field: Any, kwargs: dict[str, Any], unclear: dict[str, Any], site: Where | None) -> None:
        places: dict[str, Where | None] = {}
        for key, value in kwargs.items():
            places[str(key)] = where_of(value) or where_of(key)
        self.field_places[id(field)] = (field, places, unclear)
        for key, value in unclear.items():
            if hasattr(field, key):
                setattr(field, key, value)
                field._attributes_set[key] = value

    def callable_for(self, function: FunctionValue) -> Any:
        """A Python function that interprets ``function``; pydantic may look at its parameters and call it."""
        known = function.attributes.get("\0callable")
        if known is not None:
            return known

        def interpreted(*args: Any, **kwargs: Any) -> Any:
            result = self.call(function, list(args), dict(kwargs), function.where)
            if isinstance(result, Unknown):
                raise Unreadable(result.why)
            return plain(result)

        parameters = [
            inspect.Parameter(item.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for item in (*function.node.args.posonlyargs, *function.node.args.args)
        ]
        defaults = len(function.node.args.defaults)
        if defaults:
            parameters = [
                item.replace(default=None) if index >= len(parameters) - defaults else item for index, item in enumerate(parameters)
            ]
        interpreted.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        interpreted.__name__ = function.name if function.name.isidentifier() else "function"
        interpreted.__qualname__ = function.qualname
        interpreted.__doc__ = plain(function.doc) if isinstance(function.doc, str) else None
        returns = getattr(function.node, "returns", None)
        if returns is not None:
            answer = self.as_type(self.eval(returns, self.scope_of(function), function.unit), self.scope_of(function))
            interpreted.__annotations__["return"] = answer
        function.attributes["\0callable"] = interpreted
        return interpreted

    def type_alias(self, name: str, value: ast.expr, parameters: str, scope: Scope, unit: Unit) -> Any:
        names = self.type_variables(parameters, scope)
        inner = Scope(scope.module, scope)
        inner.names.update({item.__name__: item for item in names})
        reference = f"_alias_{name}_{len(self._forward)}"
        self._forward[reference] = None
        inner.names[name] = typing.ForwardRef(reference)
        answer = self.as_type(self.eval(value, inner, unit), inner)
        make: Any = typing_extensions.TypeAliasType
        alias = make(name, answer, type_params=tuple(names))
        self._forward[reference] = alias
        return alias

    def alias_of(self, name: str, value: Any, parameters: Any, scope: Scope) -> Any:
        """``TypeAliasType(name, value, type_params=parameters)``; the value may be quoted, and name the alias."""
        variables = tuple(item for item in self.iterate(parameters) if not isinstance(item, Unknown)) if parameters else ()
        if isinstance(value, Text):
            try:
                node = ast.parse(value.strip(), mode="eval").body
            except (SyntaxError, ValueError):
                raise Unreadable("the alias is no annotation") from None
            return self.type_alias(name, node, "", scope, Unit("", "", str(value), ast.Module([], [])))
        make: Any = typing_extensions.TypeAliasType
        return make(name, self.as_type(value, scope), type_params=variables)

    def type_variables(self, parameters: str, scope: Scope) -> list[Any]:
        """The type variables of ``[T: bound, *Ts]``."""
        if not parameters:
            return []
        try:
            call = ast.parse(f"f({_as_call(parameters)})", mode="eval").body
        except SyntaxError:
            return []
        found: list[Any] = []
        unit = Unit("", "", parameters, ast.Module([], []))
        for item in call.args if isinstance(call, ast.Call) else []:
            if isinstance(item, ast.Dict) and isinstance(item.keys[0], ast.Name):
                bound = self.as_type(self.eval(item.values[0], scope, unit), scope)
                if isinstance(bound, list):
                    found.append(typing.TypeVar(item.keys[0].id, *bound))
                else:
                    found.append(typing.TypeVar(item.keys[0].id, bound=bound))
            elif isinstance(item, ast.Name):
                found.append(typing.TypeVar(item.id))
        return found

    # classes


def _as_call(parameters: str) -> str:
    """``[T: bound, *Ts]`` as arguments of a call: ``{T: bound}, Ts``."""
    parts: list[str] = []
    for part in _split(parameters.strip()[1:-1]):
        name, colon, bound = part.partition(":")
        name = name.strip().lstrip("*")
        parts.append(f"{{{name}: {bound}}}" if colon else name.partition("=")[0])
    return ", ".join(parts)


def _split(text: str) -> list[str]:
    parts, depth, last = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[last:index])
            last = index + 1
    return [part for part in (*parts, text[last:]) if part.strip()]
