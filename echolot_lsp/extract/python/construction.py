"""Objects of classes of the source, and the methods that models have from their library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from echolot_lsp.extract.python.attributes import MISSING, Foreign
from echolot_lsp.extract.python.calls import Calls
from echolot_lsp.extract.python.expressions import UNCLEAR
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    FrameworkName,
    FunctionValue,
    Instance,
    Where,
    plain,
)
from echolot_lsp.model import Unknown


class Construction(Calls):
    """What calling a class does."""

    def construct(self, cls: ClassValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """``Class(…)``: an object of the source, an enum's member, or a real model."""
        self.complete(cls)
        for base in cls.order():
            if isinstance(base, FrameworkName):
                return self.construct_framework(cls, base, args, kwargs, site)
        if self.is_enum(cls):
            actual = self.real_class(cls)
            return actual if isinstance(actual, Unknown) else self.call_real(actual, args, kwargs)
        initialiser = self.find_in_class(cls, "__init__")
        if isinstance(initialiser, FunctionValue):
            instance = Instance(cls)
            self.call(initialiser, [instance, *args], kwargs, site)
            return instance
        if self.is_data(cls) and self._is_plain_data(cls):
            return self._construct_data(cls, args, kwargs)
        instance = Instance(cls)
        if self.is_data(cls):
            self._fill_fields(instance, cls, args, kwargs)
        elif initialiser is not MISSING and isinstance(initialiser, Foreign):
            self.touch([*args, *kwargs.values()], "it is handed to a class that is not read", site)
        return instance

    def construct_framework(
        self, cls: ClassValue, base: FrameworkName, args: list[Any], kwargs: dict[str, Any], site: Where
    ) -> Any:
        """An object of a subclass of a framework's class (``frameworks``)."""
        raise NotImplementedError

    @staticmethod
    def _is_plain_data(cls: ClassValue) -> bool:
        """No method of the source takes part in making an object."""
        return not any(
            isinstance(value, (FunctionValue, Descriptor))
            for base in cls.order()
            if isinstance(base, ClassValue)
            for value in base.names.values()
        )

    def _construct_data(self, cls: ClassValue, args: list[Any], kwargs: dict[str, Any]) -> Any:
        actual = self.real_class(cls)
        if isinstance(actual, Unknown):
            return actual
        if any(isinstance(item, (FunctionValue, Bound, ClassValue, Instance, Unknown)) for item in [*args, *kwargs.values()]):
            instance = Instance(cls)
            self._fill_fields(instance, cls, args, kwargs)
            return instance
        return self.call_real(actual, args, self._clear(kwargs))

    def _fill_fields(self, instance: Instance, cls: ClassValue, args: list[Any], kwargs: dict[str, Any]) -> None:
        fields: list[str] = []
        for base in reversed([item for item in cls.order() if isinstance(item, ClassValue)]):
            fields.extend(name for name in base.hints if name not in fields)
            for name in base.hints:
                if name in base.names:
                    instance.attributes[name] = base.names[name]
        instance.attributes.update(zip(fields, args, strict=False))
        instance.attributes.update({str(key): value for key, value in kwargs.items() if key != UNCLEAR})
        after = self.find_in_class(cls, "__post_init__")
        if isinstance(after, FunctionValue):
            self.call(after, [instance], {}, Where(cls.unit, cls.node))

    def call_class_method(self, cls: ClassValue, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """A method that a model's class has from its library: ``Model.model_json_schema()`` …"""
        actual = self.real_class(cls)
        if isinstance(actual, Unknown):
            return actual
        return self.call_object_method(actual, name, args, kwargs, site)

    def call_object_method(self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """A method of a real object, where it is one of the few that are allowed."""
        from pydantic import BaseModel, TypeAdapter

        options = {str(key): plain(item) for key, item in kwargs.items()}
        is_model = isinstance(receiver, type) and issubclass(receiver, BaseModel)
        if is_model and name in ("model_json_schema", "schema"):
            return self.schema_of(receiver, options)
        if isinstance(receiver, TypeAdapter) and name == "json_schema":
            return self.schema_of(receiver, options)
        if is_model and name in ("model_validate", "parse_obj", "model_construct"):
            return self.call_real(getattr(receiver, name), args, kwargs)
        if is_model and name == "model_rebuild":
            return True
        if isinstance(receiver, BaseModel) and name in ("model_dump", "dict", "model_copy", "copy"):
            from echolot_lsp.extract.python.libcalls import placed

            result = getattr(receiver, {"dict": "model_dump", "copy": "model_copy"}.get(name, name))(**options)
            return placed(result, site)
        self.touch([*args, *kwargs.values()], "it is handed to a method that is not read", site)
        return Unknown(f"what `{name}` answers is not evaluated")

    def schema_of(self, model: Any, options: dict[str, Any]) -> Any:
        """A model's JSON schema as a value of the source (``types``)."""
        raise NotImplementedError

    def touch(self, values: Iterable[Any], why: str, site: Where) -> None:
        from echolot_lsp.extract.python.servers import ServerValue

        pending = list(values)
        for _ in range(200):
            if not pending:
                return
            value = pending.pop()
            if isinstance(value, ServerValue):
                value.unsure.append((why, site))
            elif isinstance(value, (list, tuple)):
                pending.extend(value[:20])
            elif isinstance(value, dict):
                pending.extend(list(value.values())[:20])
            elif isinstance(value, Instance):
                pending.extend(list(value.attributes.values())[:20])
