"""Attributes, items and kinds of values: what ``x.name``, ``x[i]``, ``dir(x)`` and ``isinstance(x, T)`` give."""

from __future__ import annotations

import inspect
import os
from enum import Enum
from typing import Any

from echolot_lsp.extract.python.expressions import Expressions
from echolot_lsp.extract.python.library import MODULES, STANDARD, is_type, real, resolved
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Coroutine,
    Descriptor,
    Dict,
    FileValue,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    List,
    Method,
    ModuleValue,
    Native,
    Partial,
    PathValue,
    Raised,
    Scope,
    Super,
    Text,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

MISSING = object()
_FUNCTION_KINDS = (FunctionValue, Bound, Partial)
_SIGNATURE_NAMES = frozenset(["name", "kind", "annotation", "default", "empty", "parameters", "return_annotation"])


class Attributes(Expressions):
    """Lookup on values of every kind."""

    def attribute(self, value: Any, name: str, site: Where) -> Any:
        if isinstance(value, Unknown):
            return value
        finder = _FINDERS.get(type(value))
        if finder is not None:
            return finder(self, value, name, site)
        return self._of_real(value, name, site)

    def _of_module(self, value: ModuleValue, name: str, site: Where) -> Any:
        found = value.scope.names.get(name, MISSING)
        if found is not MISSING:
            return found
        if name == "__name__":
            return value.name
        if name == "__doc__":
            return Unknown("the docstring of a module is not read")
        if os.path.basename(value.path) == "__init__.py":
            submodule = self.import_module(f"{value.name}.{name}", value, 0, site)
            if not isinstance(submodule, Unknown):
                return submodule
        return Unknown(value.starred or f"`{name}` is not defined in module {value.name}")

    def _of_library(self, value: Library, name: str, site: Where) -> Any:
        if value.dotted == "sys" and name == "argv":
            return List(["server.py"])
        if not value.name:
            deeper = f"{value.module}.{name}"
            if deeper in MODULES:
                return Library(deeper)
            return resolved(Library(value.module, name))
        if value.dotted in MODULES:
            return resolved(Library(value.dotted, name))
        if value.module not in MODULES:
            return Library(value.module, f"{value.name}.{name}")
        if value.dotted in ("os.environ", "pathlib.Path"):
            return Method(value, name)
        owner = real(value)
        if name in ("__name__", "__qualname__") and hasattr(owner, "__name__"):
            return owner.__name__
        found = inspect.getattr_static(owner, name, MISSING) if isinstance(owner, type) and not name.startswith("_") else MISSING
        if found is not MISSING:
            found = getattr(owner, name)
            if not callable(found) or isinstance(found, type):
                return found
        return Library(value.module, f"{value.name}.{name}")

    def _of_framework(self, value: FrameworkName, name: str, site: Where) -> Any:
        if name == "__name__":
            return value.last
        return FrameworkName(f"{value.dotted}.{name}")

    def _of_function(self, value: FunctionValue, name: str, site: Where) -> Any:
        if name in value.attributes:
            return value.attributes[name]
        if name in ("__name__", "__qualname__"):
            return value.name if name == "__name__" else value.qualname
        if name == "__doc__":
            return value.doc
        if name == "__wrapped__" and value.wrapped is not None:
            return value.wrapped
        if name == "__signature__" and value.signature is not None:
            return value.signature
        if name == "__annotations__":
            if value.annotations is not None:
                return value.annotations
            return self._annotations(value)
        if name == "__module__":
            return value.scope.module.name
        if name == "__call__":
            return value
        if name == "__dict__":
            return Dict(value.attributes)
        raise Raised("AttributeError", f"'function' object has no attribute '{name}'")

    def _annotations(self, value: Any) -> Any:
        signature = self.signature_of(value)
        if isinstance(signature, Unknown):
            return signature
        found = Dict(
            (parameter.name, parameter.annotation)
            for parameter in signature.parameters.values()
            if parameter.annotation is not inspect.Parameter.empty
        )
        if signature.return_annotation is not inspect.Signature.empty:
            found["return"] = signature.return_annotation
        return found

    def _of_bound(self, value: Bound, name: str, site: Where) -> Any:
        if name == "__self__":
            return value.receiver
        if name == "__func__":
            return value.function
        return self.attribute(value.function, name, site)

    def _of_partial(self, value: Partial, name: str, site: Where) -> Any:
        if name in value.attributes:
            return value.attributes[name]
        if name in ("func", "args", "keywords"):
            return {"func": value.function, "args": value.args, "keywords": Dict(value.kwargs)}[name]
        if name == "__doc__":
            return Unknown("the docstring of a partial is its class's")
        raise Raised("AttributeError", f"'functools.partial' object has no attribute '{name}'")

    def _of_descriptor(self, value: Descriptor, name: str, site: Where) -> Any:
        if name == "__func__":
            return value.function
        return self.attribute(value.function, name, site)

    def find_in_class(self, cls: ClassValue, name: str, after: ClassValue | None = None) -> Any:
        """A name in a class or its bases (those after ``after``); the base itself where it is no class of the source;
        ``MISSING``."""
        order = cls.order()
        if after is not None and after in order:
            order = order[order.index(after) + 1 :]
        foreign: Any = MISSING
        for base in order:
            if isinstance(base, ClassValue):
                self.complete(base)
                if name in base.names:
                    return base.names[name]
            elif foreign is MISSING and not _is_object(base):
                foreign = base
        return _Foreign(foreign) if foreign is not MISSING else MISSING

    def _of_class(self, cls: ClassValue, name: str, site: Where) -> Any:
        if name in ("__name__", "__qualname__"):
            return cls.name if name == "__name__" else cls.qualname
        if name == "__doc__":
            return cls.doc
        if name == "__annotations__":
            self.complete(cls)
            return Dict((field, self.eval(node, cls.body or cls.scope, cls.unit)) for field, node in cls.hints.items())
        found = self.find_in_class(cls, name)
        if self.is_enum(cls) and not isinstance(found, (FunctionValue, Descriptor)):
            actual = self.real_class(cls)
            if isinstance(actual, Unknown):
                return actual
            member = actual.__members__.get(name)
            if member is not None:
                return member
            if name == "__members__":
                return Dict(actual.__members__)
        if isinstance(found, Descriptor):
            if found.kind == "classmethod":
                return Bound(found.function, cls)
            return found.function if found.kind == "staticmethod" else found
        if found is MISSING or isinstance(found, _Foreign):
            if isinstance(found, _Foreign) or self.is_data(cls):
                return Method(cls, name)
            raise Raised("AttributeError", f"type object '{cls.name}' has no attribute '{name}'")
        return found

    def _of_instance(self, value: Instance, name: str, site: Where) -> Any:
        if name in value.attributes:
            return value.attributes[name]
        if name == "__class__":
            return value.cls
        if name == "__dict__":
            return Dict(value.attributes)
        found = self.find_in_class(value.cls, name)
        bound = self.bind(found, value, value.cls, site)
        if bound is MISSING:
            if name == "__doc__":
                return value.cls.doc
            fallback = self.find_in_class(value.cls, "__getattr__")
            if isinstance(fallback, FunctionValue):
                return self.call(Bound(fallback, value), [name], {}, site)
            raise Raised("AttributeError", f"'{value.cls.name}' object has no attribute '{name}'")
        if isinstance(bound, _Foreign):
            return Unknown(f"`{name}` comes from a class that is not read")
        return bound

    def bind(self, found: Any, receiver: Any, cls: ClassValue, site: Where) -> Any:
        """What a class attribute becomes on an instance."""
        if isinstance(found, FunctionValue):
            return Bound(found, receiver)
        if isinstance(found, Descriptor):
            if found.kind == "classmethod":
                return Bound(found.function, cls)
            if found.kind == "property":
                return self.call(found.function, [receiver], {}, site)
            return found.function
        return found

    def _of_super(self, value: Super, name: str, site: Where) -> Any:
        from echolot_lsp.extract.python.servers import ServerValue

        receiver = value.receiver
        cls = receiver.cls if isinstance(receiver, (Instance, ServerValue)) else receiver
        if not isinstance(cls, ClassValue):
            return Unknown("this super() is not understood")
        found = self.find_in_class(cls, name, after=value.cls)
        if isinstance(receiver, ServerValue) and (found is MISSING or isinstance(found, _Foreign)):
            return Method(receiver, name)
        bound = self.bind(found, receiver, cls, site)
        if bound is MISSING or isinstance(bound, _Foreign):
            if name in ("__init__", "__init_subclass__", "__post_init__", "__setattr__"):
                return Native(name, lambda run, args, kwargs, site: None)
            return Unknown(f"`{name}` comes from a class that is not read")
        return bound

    def _of_path(self, value: PathValue, name: str, site: Where) -> Any:
        path = value.path
        if name == "parent":
            return PathValue(os.path.dirname(path) or ".")
        if name in ("name", "stem", "suffix"):
            base = os.path.basename(path)
            stem, suffix = os.path.splitext(base)
            return {"name": base, "stem": stem, "suffix": suffix}[name]
        if name == "parents":
            found = List()
            while os.path.dirname(path) not in ("", path):
                path = os.path.dirname(path)
                found.append(PathValue(path))
            return found
        return Method(value, name)

    def _of_method(self, value: Any, name: str, site: Where) -> Any:
        if name == "__name__":
            return value.name
        return Unknown(f"`{name}` of a library's function is not known")

    def _of_file(self, value: FileValue, name: str, site: Where) -> Any:
        return Method(value, name)

    def _of_coroutine(self, value: Coroutine, name: str, site: Where) -> Any:
        return Unknown("a coroutine that is not awaited")

    def _of_real(self, value: Any, name: str, site: Where) -> Any:
        from echolot_lsp.extract.python.servers import ServerValue, ToolValue

        if isinstance(value, ServerValue):
            return self.server_attribute(value, name, site)
        if isinstance(value, ToolValue):
            return self.tool_attribute(value, name, site)
        if isinstance(value, (str, bytes, list, dict, tuple, set, frozenset, int, float)) and not isinstance(value, Enum):
            if hasattr(type(value), name):
                return Method(value, name)
            raise Raised("AttributeError", f"'{type(value).__name__}' object has no attribute '{name}'")
        if isinstance(value, Enum):
            return self._of_member(value, name, site)
        if isinstance(value, (inspect.Parameter, inspect.Signature)):
            if name in _SIGNATURE_NAMES:
                found = getattr(value, name)
                return Dict(found) if name == "parameters" else found
            return Method(value, name)
        if isinstance(value, type) and value is inspect.Parameter:
            return getattr(value, name, Unknown(f"`{name}` is not known"))
        if isinstance(value, type) and value.__module__ == "builtins":
            if name == "__name__":
                return value.__name__
            return getattr(value, name, Unknown(f"`{name}` is not known"))
        return self._of_library_object(value, name, site)

    def _of_member(self, value: Enum, name: str, site: Where) -> Any:
        cls = self.source_of(type(value))
        if cls is not None:
            found = self.find_in_class(cls, name)
            if isinstance(found, (FunctionValue, Descriptor)):
                return self.bind(found, value, cls, site)
        if name in ("value", "_value_"):
            written = cls.names.get(value.name) if cls is not None else None
            return written if isinstance(written, Text) and written == value.value else value.value
        if name in ("name", "_name_"):
            return value.name
        if isinstance(value, (str, int)) and hasattr(type(value), name):
            return Method(value.value, name)
        return Unknown(f"`{name}` of an enum's member is not known")

    def _of_library_object(self, value: Any, name: str, site: Where) -> Any:
        from pydantic import BaseModel
        from pydantic.fields import FieldInfo

        if isinstance(value, BaseModel):
            if name in type(value).model_fields:
                return getattr(value, name)
            cls = self.source_of(type(value))
            if cls is not None:
                found = self.bind(self.find_in_class(cls, name), value, cls, site)
                if found is not MISSING and not isinstance(found, _Foreign):
                    return found
            return Method(value, name)
        if isinstance(value, FieldInfo) and name in ("description", "default", "title", "annotation"):
            return getattr(value, name)
        cls = self.source_of(type(value)) if not isinstance(value, type) else None
        if cls is not None:
            found = self.bind(self.find_in_class(cls, name), value, cls, site)
            if found is not MISSING and not isinstance(found, _Foreign):
                return found
            return getattr(value, name, Unknown(f"`{name}` is not known"))
        if isinstance(value, type) and name in ("__name__", "__doc__"):
            return getattr(value, name)
        return Method(value, name)

    def server_attribute(self, server: Any, name: str, site: Where) -> Any:
        """An attribute of a server object (``frameworks``)."""
        raise NotImplementedError

    def tool_attribute(self, tool: Any, name: str, site: Where) -> Any:
        """An attribute of a tool object (``frameworks``)."""
        raise NotImplementedError

    def source_of(self, cls: type) -> ClassValue | None:
        """The class of the source that a real class was built from (``types``)."""
        raise NotImplementedError

    def is_enum(self, cls: ClassValue) -> bool:
        """Whether a class of the source is an enum."""
        return any(_is_library_subclass(base, Enum) for base in cls.order())

    def is_data(self, cls: ClassValue) -> bool:
        """Whether a real class stands behind it (a model, an enum, a dataclass …)."""
        return bool(cls.decorations) or any(is_type(base) and not _is_object(base) for base in cls.order())

    # setting
    def set_attribute(self, value: Any, name: str, new: Any, site: Where) -> None:
        from echolot_lsp.extract.python.servers import ServerValue

        if self.doubt and not isinstance(value, ServerValue):
            new = Unknown(self.doubt)
        if isinstance(value, FunctionValue):
            self._set_on_function(value, name, new)
        elif isinstance(value, Bound):
            raise Raised("AttributeError", f"'method' object has no attribute '{name}'")
        elif isinstance(value, (Instance, Partial)):
            value.attributes[str(name)] = new
        elif isinstance(value, ClassValue):
            self.complete(value)
            value.names[str(name)] = new
        elif isinstance(value, ModuleValue):
            value.scope.names[str(name)] = new
        elif isinstance(value, ServerValue):
            self.set_on_server(value, name, new, site)
        else:
            self._set_on_library_object(value, name, new)

    def set_on_server(self, server: Any, name: str, new: Any, site: Where) -> None:
        """An attribute of a server object is set (``frameworks``)."""
        raise NotImplementedError

    @staticmethod
    def _set_on_library_object(value: Any, name: str, new: Any) -> None:
        from pydantic import BaseModel

        if isinstance(value, BaseModel):
            try:
                setattr(value, name, plain(new))
            except Exception:
                return

    @staticmethod
    def _set_on_function(value: FunctionValue, name: str, new: Any) -> None:
        if name == "__doc__":
            value.doc = new
        elif name == "__name__" and isinstance(new, str):
            value.name = new
        elif name == "__qualname__" and isinstance(new, str):
            value.qualname = new
        elif name == "__wrapped__":
            value.wrapped = new
        elif name == "__signature__":
            value.signature = new
        elif name == "__annotations__":
            value.annotations = new
        else:
            value.attributes[str(name)] = new

    # items
    def subscript(self, value: Any, index: Any, site: Where) -> Any:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, (ClassValue, FrameworkName)) or (is_type(value) and not isinstance(value, Enum)):
            return self.subscript_type(value, index, site)
        if isinstance(index, Unknown):
            return index
        if isinstance(value, Library):
            if value.dotted == "os.environ":
                raise Raised("KeyError", str(index))
            return Unknown(f"an item of {value.dotted} is not known")
        if isinstance(value, (dict, list, tuple, str, bytes, range)):
            return self._item(value, index)
        if isinstance(value, Instance):
            return self.call(self.attribute(value, "__getitem__", site), [index], {}, site)
        return Unknown("an item of this object is not known")

    def subscript_type(self, value: Any, index: Any, site: Where) -> Any:
        """``list[int]`` (``types``)."""
        raise NotImplementedError

    @staticmethod
    def _item(value: Any, index: Any) -> Any:
        unsure = getattr(value, "unsure", None)
        try:
            found = value[index]
        except (LookupError, TypeError) as error:
            if unsure:
                return Unknown(unsure)
            raise Raised(type(error).__name__, str(error)) from None
        if isinstance(value, List):
            return List(found) if isinstance(index, slice) else Unknown(unsure) if unsure else found
        return found

    # kinds
    def lacks(self, value: Any, name: str) -> bool:
        """Whether it is sure that ``value`` has no attribute ``name``."""
        if isinstance(value, ModuleValue):
            return not value.starred and not value.broken and name not in value.scope.names
        return False

    def members(self, value: Any) -> list[str]:
        """The attribute names that ``dir`` would give, special names left out."""
        if isinstance(value, Instance):
            return sorted({*value.attributes, *self.members(value.cls)})
        if isinstance(value, ClassValue):
            found: set[str] = set()
            for base in value.order():
                if isinstance(base, ClassValue):
                    self.complete(base)
                    found |= set(base.names)
                elif not _is_object(base):
                    raise Unreadable("its attributes come from a class that is not read")
            return sorted(found)
        if isinstance(value, ModuleValue):
            return sorted(value.scope.names)
        if isinstance(value, Unknown):
            raise Unreadable(value.why)
        raise Unreadable("its attributes are not known")

    def is_instance(self, value: Any, classes: Any) -> Any:
        """``isinstance(value, classes)``."""
        if isinstance(value, Unknown):
            return value
        if isinstance(classes, tuple):
            answers = [self.is_instance(value, item) for item in classes]
            return True if True in answers else next((item for item in answers if isinstance(item, Unknown)), False)
        if isinstance(value, Instance):
            if isinstance(classes, ClassValue):
                return classes in value.cls.order()
            return False if is_type(classes) else Unknown("the kind of an object is not known")
        if isinstance(classes, ClassValue):
            actual = self.source_of(type(value))
            return actual is not None and classes in actual.order()
        expected = real(classes)
        if isinstance(expected, type):
            if isinstance(value, _FUNCTION_KINDS):
                return expected.__name__ in ("Callable", "object", "FunctionType")
            try:
                return isinstance(value, expected)
            except TypeError:
                return Unknown("the kind of an object is not known")
        return Unknown("the kind of an object is not known")

    def is_subclass(self, value: Any, classes: Any) -> Any:
        """``issubclass(value, classes)``."""
        if isinstance(classes, tuple):
            answers = [self.is_subclass(value, item) for item in classes]
            return True if True in answers else next((item for item in answers if isinstance(item, Unknown)), False)
        if isinstance(value, ClassValue):
            if isinstance(classes, ClassValue):
                return classes in value.order()
            wanted = real(classes)
            return any(_is_library_subclass(base, wanted) for base in value.order())
        first, second = real(value), real(classes)
        if isinstance(first, type) and isinstance(second, type):
            return issubclass(first, second)
        return Unknown("the kind of a class is not known")

    def scope_of(self, function: FunctionValue) -> Scope:
        """The scope in which a function's signature is read: the names as they were when it was defined."""
        scope = Scope(function.scope.module, function.scope)
        scope.names.update(function.captured)
        return scope


class _Foreign:
    """A class that is not of the source stands in the way of a lookup."""

    def __init__(self, base: Any) -> None:
        self.base = base


def _is_object(base: Any) -> bool:
    if isinstance(base, Library):
        return base.name in ("ABC", "Generic", "Protocol", "object")
    return base is object or (getattr(base, "__origin__", None) is not None and "Generic" in str(base))


def _is_library_subclass(base: Any, wanted: Any) -> bool:
    actual = real(base)
    return isinstance(actual, type) and isinstance(wanted, type) and issubclass(actual, wanted)


Foreign = _Foreign
_FINDERS: dict[type, Any] = {
    ModuleValue: Attributes._of_module,
    Library: Attributes._of_library,
    FrameworkName: Attributes._of_framework,
    FunctionValue: Attributes._of_function,
    Bound: Attributes._of_bound,
    Partial: Attributes._of_partial,
    Descriptor: Attributes._of_descriptor,
    ClassValue: Attributes._of_class,
    Instance: Attributes._of_instance,
    Super: Attributes._of_super,
    PathValue: Attributes._of_path,
    FileValue: Attributes._of_file,
    Native: Attributes._of_method,
    Method: Attributes._of_method,
    Coroutine: Attributes._of_coroutine,
}
__all__ = ["MISSING", "STANDARD", "Attributes", "Foreign"]
