"""Classes of the source as real models, enums, dataclasses, dicts and tuples."""

from __future__ import annotations

import ast
import inspect
import types
import typing
from enum import EnumType
from typing import Any

import typing_extensions

from echolot_lsp.extract.python.library import real
from echolot_lsp.extract.python.types import Types
from echolot_lsp.extract.python.values import (
    ClassValue,
    Descriptor,
    FunctionValue,
    Library,
    List,
    Raised,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

_LEFT_OUT = object()


class Classes(Types):
    """From a class of the source to a real one."""

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
