"""From values to real typing objects: annotations, and classes of the source as real models, enums, dataclasses, dicts.

Every string that reaches typing or pydantic as a forward reference is a bare identifier of our making: nothing of the source is
ever evaluated by them.
"""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Mapping
from enum import Enum, EnumType
from typing import Any

import typing_extensions

from echolot_lsp.extract.python.declaration import FrameworkObject, framework_class
from echolot_lsp.extract.python.library import is_type, real
from echolot_lsp.extract.python.modules import Modules
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    List,
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
            actual = self.real_class(base)
            if isinstance(actual, Unknown):
                return actual
            base = actual
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
    @property
    def sources(self) -> list[ClassValue]:
        """The classes of the source that real classes were built from."""
        return list(self._sources.values())

    def as_value(self, value: Any) -> Any:
        """A part of a typing object as the source would see it."""
        source = self._sources.get(value) if isinstance(value, type) else None
        return value if source is None else source

    def source_of(self, cls: type) -> ClassValue | None:
        return self._sources.get(cls)

    def real_class(self, cls: ClassValue) -> Any:
        if cls.real is not None:
            return cls.real
        if cls in self._building:
            cls.forward = cls.forward or f"_{cls.name}_{len(self._forward)}"
            self._forward[cls.forward] = cls
            return typing.ForwardRef(cls.forward)
        self.complete(cls)
        self._building.append(cls)
        try:
            cls.real = self._build(cls)
        except (Unreadable, Raised) as error:
            cls.real = Unknown(str(error) if isinstance(error, Unreadable) else f"class `{cls.name}` raises {error.name}")
        except Exception as error:
            cls.real = Unknown(f"class `{cls.name}` could not be built: {type(error).__name__}")
        finally:
            self._building.pop()
        if isinstance(cls.real, type):
            self._sources[cls.real] = cls
        if not self._building:
            self._finish()
        return cls.real

    def _finish(self) -> None:
        """Tell models that name one another about one another."""
        from pydantic import BaseModel

        namespace = self.forward_namespace
        if not namespace:
            return
        for _ in range(2):
            for actual in list(self._sources):
                if issubclass(actual, BaseModel) and not getattr(actual, "__pydantic_complete__", True):
                    try:
                        actual.model_rebuild(force=True, raise_errors=False, _types_namespace=namespace)
                    except Exception as error:
                        self.crashed(error)

    def _build(self, cls: ClassValue) -> Any:
        bases: list[Any] = []
        for base in cls.bases:
            if isinstance(base, Unknown):
                return Unknown(f"a base class of `{cls.name}` is not known: {base.why}")
            bases.append(real(base) if isinstance(base, Library) else self.as_type(base))
        names = [_base_name(base) for base in bases]
        if any(isinstance(base, EnumType) for base in bases):
            return self._enum(cls, tuple(bases))
        if "NamedTuple" in names:
            return self._named_tuple(cls)
        if "TypedDict" in names or any(typing_extensions.is_typeddict(base) for base in bases):
            return self._new(cls, tuple(bases), self._namespace(cls, only_hints=True))
        built = self._new(cls, tuple(bases), self._namespace(cls))
        for flavour, options in reversed(cls.decorations):
            built = self._dataclass(flavour, built, options)
        return built

    def _dataclass(self, flavour: str, built: Any, options: dict[str, Any]) -> Any:
        if flavour == "pydantic":
            import pydantic.dataclasses

            return pydantic.dataclasses.dataclass(built, **options)
        import dataclasses

        return dataclasses.dataclass(**options)(built)

    def _new(self, cls: ClassValue, bases: tuple[Any, ...], namespace: dict[str, Any]) -> Any:
        keywords = {key: plain(value) for key, value in cls.keywords.items()}
        if any(isinstance(value, Unknown) for value in keywords.values()):
            return Unknown(f"a keyword of class `{cls.name}` is not known")
        keywords.pop("metaclass", None)
        return types.new_class(cls.name, bases, keywords, lambda body: body.update(namespace))

    def _namespace(self, cls: ClassValue, *, only_hints: bool = False) -> dict[str, Any]:
        namespace: dict[str, Any] = {"__module__": cls.module.name, "__qualname__": cls.qualname}
        if isinstance(cls.doc, str):
            namespace["__doc__"] = plain(cls.doc)
        model = any(_is_model(base) for base in cls.order())
        documented = self._field_docs(cls) if model and self._wants_docs(cls) else {}
        hints: dict[str, Any] = {}
        for name, node in cls.hints.items():
            if model and name.startswith("__"):
                continue
            hints[name] = self._hint(cls, node, documented.get(name))
        namespace["__annotations__"] = hints
        if only_hints:
            return namespace
        for name, value in cls.names.items():
            if name in hints or name == "model_config" or (not model and not name.startswith("__")) or _is_proxy(value):
                item = self._class_attribute(value, model)
                if item is not _LEFT_OUT:
                    namespace[name] = item
        return namespace

    def _hint(self, cls: ClassValue, node: ast.expr, documentation: str | None) -> Any:
        value = self.eval(node, cls.body or cls.scope, cls.unit)
        before, self._annotation_scope = self._annotation_scope, cls.body or cls.scope
        try:
            answer = self.as_type(value, cls.body or cls.scope)
        finally:
            self._annotation_scope = before
        if documentation is not None:
            from pydantic import Field

            return typing.Annotated[answer, Field(description=documentation)]
        return answer

    def _class_attribute(self, value: Any, model: bool) -> Any:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, (FunctionValue, Descriptor)):
            return _LEFT_OUT
        if isinstance(value, dict):
            return self.for_library(value)
        item = self.for_library(value)
        return item

    @staticmethod
    def _wants_docs(cls: ClassValue) -> bool:
        for base in cls.order():
            config = base.names.get("model_config") if isinstance(base, ClassValue) else None
            if isinstance(config, dict) and "use_attribute_docstrings" in config:
                return bool(config["use_attribute_docstrings"])
        return False

    @staticmethod
    def _field_docs(cls: ClassValue) -> dict[str, str]:
        documented: dict[str, str] = {}
        for item, after in zip(cls.node.body, cls.node.body[1:], strict=False):
            if (
                isinstance(item, ast.AnnAssign)
                and isinstance(item.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
                and isinstance(after.value.value, str)
            ):
                documented[item.target.id] = inspect.cleandoc(after.value.value)
        return documented

    def _enum(self, cls: ClassValue, bases: tuple[Any, ...]) -> Any:
        members: dict[str, Any] = {}
        for name, value in cls.names.items():
            if isinstance(value, (FunctionValue, Descriptor)):
                if name in ("__new__", "__init__", "_generate_next_value_"):
                    return Unknown(f"the values of `{cls.name}` are made by code")
                continue
            if name.startswith("_") or (name in cls.hints and isinstance(value, Unknown)):
                continue
            if isinstance(value, Unknown):
                return Unknown(f"a value of `{cls.name}` is not known")
            members[name] = plain(self.for_library(value))

        def body(namespace: Any) -> None:
            namespace["__module__"] = cls.module.name
            namespace["__qualname__"] = cls.qualname
            if isinstance(cls.doc, str):
                namespace["__doc__"] = plain(cls.doc)
            for name, value in members.items():
                namespace[name] = value

        return types.new_class(cls.name, bases, {}, body)

    def _named_tuple(self, cls: ClassValue) -> Any:
        fields = [(name, self._hint(cls, node, None)) for name, node in cls.hints.items()]
        make: Any = typing.NamedTuple
        made: Any = make(cls.name, fields)
        defaults = {name: self.for_library(cls.names[name]) for name in cls.hints if name in cls.names}
        made._field_defaults = defaults
        made.__new__.__defaults__ = tuple(defaults.values())
        made.__module__ = cls.module.name
        if isinstance(cls.doc, str):
            made.__doc__ = plain(cls.doc)
        return made

    def schema_of(self, model: Any, options: dict[str, Any]) -> Any:
        from echolot_lsp.extract.python.dialects.signature import Writer
        from echolot_lsp.extract.python.libcalls import placed

        allowed = {key: value for key, value in options.items() if key in ("by_alias", "mode", "ref_template")}
        method: Any = getattr(model, "model_json_schema" if isinstance(model, type) else "json_schema")
        try:
            schema = method(**allowed, schema_generator=Writer)
        except Unreadable:
            raise
        except Exception as error:
            raise Raised(type(error).__name__, str(error)) from None
        where = None
        source = self.source_of(model) if isinstance(model, type) else None
        if source is not None:
            where = Where(source.unit, source.node)
        return placed(_unmarked(schema), where) if where is not None else List([_unmarked(schema)])[0]


_LEFT_OUT = object()


def _unmarked(schema: Any) -> Any:
    from echolot_lsp.extract.python.dialects.unread import UNKNOWN_KEY

    if isinstance(schema, dict):
        if UNKNOWN_KEY in schema:
            return Unknown(str(schema[UNKNOWN_KEY]))
        return {key: _unmarked(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_unmarked(value) for value in schema]
    return schema


def _base_name(base: Any) -> str:
    return getattr(base, "__name__", None) or getattr(base, "_name", None) or ""


def _is_model(base: Any) -> bool:
    from pydantic import BaseModel

    actual = real(base)
    return isinstance(actual, type) and issubclass(actual, BaseModel)


def _is_proxy(value: Any) -> bool:
    return type(value).__name__ == "PydanticDescriptorProxy"


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
